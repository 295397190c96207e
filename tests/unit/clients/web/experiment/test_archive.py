import stat
from pathlib import Path

import pytest

from riverboat.clients.web.experiment.archive import Archive, ParticipantHand, code_words


def hand(number: int) -> ParticipantHand:
    return ParticipantHand(
        number=number, payoff=100 * number, adjusted=50.5, moves=(2, 3), all_in=False, phh="", ended=float(number)
    )


def test_a_participant_comes_back_by_the_code(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    participant, code = archive.enrol(["rollout"], "some")
    assert archive.returning(code_words(code).lower()) == participant
    assert archive.returning("AAAA-BBBB-CCCC-DDDD") is None
    data = (tmp_path / "experiment.sqlite").read_bytes()
    assert code.encode() not in data
    assert stat.S_IMODE((tmp_path / "experiment.sqlite").stat().st_mode) == 0o600


def test_agents_are_drawn_evenly(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    agents = [archive.enrol(["a", "b", "c"], "some")[0].agent for _ in range(9)]
    assert sorted(agents) == ["a"] * 3 + ["b"] * 3 + ["c"] * 3


def test_hands_and_answers_are_kept(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    participant, _ = archive.enrol(["a"], "expert")
    archive.seat(participant.id, "table", "token")
    archive.add(participant.id, [hand(1), hand(2)], 2)
    archive.add(participant.id, [hand(2), hand(3)], 3)  # hands that are there already stay as they are
    archive.answer(participant.id, {"strength": "4"})
    archive.close()
    again = Archive(tmp_path)
    assert again.hands(participant.id) == [hand(1), hand(2), hand(3)]
    assert again.answers(participant.id) == {"strength": "4"}
    known = again.participant(participant.id)
    assert (known.table_id, known.collected, known.hand_count) == ("table", 3, 3)


def test_nothing_is_left_of_a_deleted_participant(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    participant, code = archive.enrol(["a"], "expert")
    archive.add(participant.id, [hand(1)], 1)
    archive.answer(participant.id, {"mistakes": "it never folds to a raise"})
    archive.delete(participant.id)
    assert archive.participants() == []
    assert archive.hands(participant.id) == []
    assert archive.returning(code) is None
    with pytest.raises(KeyError):
        archive.participant(participant.id)
    archive.close()
    data = (tmp_path / "experiment.sqlite").read_bytes()
    assert participant.id.encode() not in data
    assert b"never folds" not in data
