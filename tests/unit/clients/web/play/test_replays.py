import pytest

from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.play.replays import replay_document, replays_of_text
from riverboat.errors import InvalidInput
from riverboat.history.phh import read_phh
from tests.processes import ROOT

TEXT = (ROOT / "clients/examples/heads_up.phh").read_text()


def test_a_file_becomes_steps() -> None:
    (hand,) = replays_of_text(TEXT)["hands"]
    assert hand["names"] == ["Anna", "Bob"]
    texts = [step["text"] for step in hand["steps"]]
    assert texts[0] == "The blinds are posted"
    assert texts[-1].startswith("Anna wins")
    assert [len(step["picture"]["board"]) for step in hand["steps"]] == sorted(
        len(step["picture"]["board"]) for step in hand["steps"]
    )
    chips = {
        sum(c["stack"] + c["bet"] for c in step["chairs"]) + step["picture"]["in_middle"] for step in hand["steps"][:-1]
    }
    assert len(chips) == 1  # nothing is lost on the way
    assert sum(chair["won"] for chair in hand["steps"][-1]["chairs"]) == 0


def test_cards_of_the_viewer_are_added() -> None:
    (history,) = read_phh(TEXT.replace("KhTh", "????"))
    hidden = replay_document(history, {})
    assert hidden["steps"][0]["chairs"][1]["cards"] == ["?", "?"]
    known = replay_document(history, {1: history_cards("KhTh")})
    assert known["steps"][0]["chairs"][1]["cards"] == ["Kh", "Th"]


def history_cards(text: str) -> tuple[int, ...]:
    from riverboat.cards import parse_cards

    return tuple(parse_cards(text))


@pytest.mark.parametrize("text", ["", "nonsense", "variant = 'NT'", TEXT.replace("d db ", "d xx ")])
def test_what_is_no_hand_is_refused(text: str) -> None:
    with pytest.raises((ApiError, InvalidInput), match="no hand"):
        replays_of_text(text)
