"""Made-up hands in the formats of the sites: what is read, and what the rules make of it."""

from pathlib import Path

import pytest

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.history.hand import History, Show, outcome, rake_of
from riverboat.history.phh import UnreadHand, read_phh, write_hand
from riverboat.history.sites.formats import SITES, site_of
from riverboat.history.sites.reading import read_site
from riverboat.history.store.site_reading import read_site_text, split_site_text
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move

TEXTS = Path(__file__).parents[3] / "golden" / "sites"
STARS = (TEXTS / "stars.txt").read_text()


def hands(name: str) -> list[History]:
    return [hand for hand in read_site((TEXTS / name).read_text()) if isinstance(hand, History)]


@pytest.mark.parametrize(
    ("name", "site", "rakes"),
    [
        ("stars.txt", "PokerStars", [250, 0]),
        ("gg.txt", "GGPoker", [0]),
        ("winamax.txt", "Winamax", [1]),
        ("eight.txt", "888poker", [32]),
        ("party.txt", "PartyPoker", [40]),
    ],
)
def test_every_hand_ends_as_its_site_says_but_for_the_rake(name: str, site: str, rakes: list[int]) -> None:
    read = hands(name)
    assert [hand.extra["venue"] for hand in read] == [site] * len(rakes)
    assert [rake_of(hand, outcome(hand)) for hand in read] == rakes


def test_a_hand_is_what_its_lines_say() -> None:
    hand = hands("stars.txt")[0]
    assert hand.names == ("Bob B", "Cid", "Anna"), "from the left of the button, without the player who sits out"
    assert (hand.stacks, hand.decimals, hand.label, hand.line) == ((8750, 12025, 10000), 2, 100000000001, 1)
    assert hand.variant.blinds == (50, 100)
    assert hand.holdings == (None, parse_cards("7s7d"), parse_cards("AhKd"))
    assert hand.events[:4] == (Move(2, 300), Move(0, FOLD), Move(1, CALL), BoardDealt(parse_cards("Ks7h2c")))
    assert hand.events[-4:] == (Move(1, 10375), Move(2, CALL), Show(1, parse_cards("7s7d")), Show(2))
    assert hand.extra["_player"] == "Anna"


def test_with_two_players_the_button_has_the_small_blind() -> None:
    hand = hands("stars.txt")[1]
    assert (hand.names, hand.variant.blinds, hand.variant.antes) == (("Bob B", "Anna"), (15, 30), (5,))
    assert outcome(hand).stacks == (1445, 1535)


def test_cards_that_only_the_summary_knows() -> None:
    text = STARS.replace("Dealt to Anna [Ah Kd]\n", "")
    hand = next(read_site(text))
    assert isinstance(hand, History)
    assert hand.holdings[2] == parse_cards("AhKd")


def test_hands_are_the_same_as_phh_files() -> None:
    for path in sorted(TEXTS.glob("*.txt")):
        for hand in hands(path.name):
            (again,) = read_phh(write_hand(hand))
            assert (again.events, again.stacks, again.holdings) == (hand.events, hand.stacks, hand.holdings)
            assert outcome(again).stacks == outcome(hand).stacks


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Ks 7h 2c]\nCid", "Ks 7h Zc]\nCid", "line 15"),
        ("*** FLOP *** [Ks", "*** FIRST FLOP *** [Ks", "line 15: the board was run more than once"),
        ("Hold'em No Limit ($0.50", "Razz Limit ($0.50", "line 1: razz limit is not supported"),
    ],
)
def test_a_hand_that_cannot_be_read_names_its_line(old: str, new: str, said: str) -> None:
    first, second, _ = read_site(STARS.replace(old, new, 1))
    assert isinstance(first, UnreadHand)
    assert said in str(first.error)
    assert isinstance(second, History), "the next hand is read all the same"


def test_sites_are_recognised_by_their_first_lines_and_other_texts_are_not() -> None:
    names = {site.name for path in TEXTS.glob("*.txt") if (site := site_of(path.read_text()))}
    assert names == {site.name for site in SITES}
    assert site_of("variant = 'NT'\n") is None
    with pytest.raises(InvalidInput, match="not a hand history"):
        next(read_site("nothing"))


def test_a_store_reads_the_same_hands_whatever_the_pieces() -> None:
    site, data = SITES[0], STARS.encode()
    whole, left_out = read_site_text(site, data)
    assert (whole.hand_count, [hand.line for hand in left_out]) == (2, [63])
    pieces = list(split_site_text(site, iter([data[:900], data[900:]]), 400))
    assert b"".join(pieces) == data
    assert len(pieces) > 1
    assert sum(read_site_text(site, piece)[0].hand_count for piece in pieces) == 2
