"""Hands of games that PHH has no code for are written and read back."""

from dataclasses import replace

import pytest

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.history.hand import History, Show, outcome
from riverboat.history.phh import read_phh, write_hand
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import KUHN, LEDUC, Variant, fixed_limit, no_limit, pot_limit

SMALL = no_limit(50, 100, deck="24")


def hand(variant: Variant) -> History:
    """Return a hand that is checked down: cards by the deck's order."""
    deck, size = variant.deck, variant.deck.holding_size
    cards = iter(deck.cards)
    holdings = tuple(tuple(next(cards) for _ in range(size)) for _ in range(2))
    events: list[Move | BoardDealt | Show] = []
    for number, street in enumerate(variant.streets):
        if street.board_count:
            events.append(BoardDealt(tuple(next(cards) for _ in range(street.board_count))))
        first = 1 if number == 0 and any(variant.blinds) else 0
        events += [Move(first, CALL), Move(1 - first, CALL)]
    return History(
        variant=replace(variant, free_folds=True),
        stacks=(1000, 1000),
        holdings=holdings,
        events=tuple(events),
        names=("Anna", "Bob"),
        label=7,
    )


@pytest.mark.parametrize(
    "variant",
    [
        SMALL,
        pot_limit(50, 100),
        KUHN,
        LEDUC,
        fixed_limit(100, deck="24"),
        replace(SMALL, pot_cap=800, all_in=False, bet_sizes=parse_bet_sizes("1b 0.5p / 1p")),
        replace(SMALL, streets=tuple(replace(street, raise_cap=2) for street in SMALL.streets)),
        replace(SMALL, antes=(10,)),
    ],
)
def test_round_trip(variant: Variant) -> None:
    played = hand(variant)
    text = write_hand(played)
    (read,) = read_phh(text)
    assert read == played
    assert write_hand(read) == text
    assert outcome(read) == outcome(played)


def test_unknown_cards_have_the_size_of_a_holding() -> None:
    played = replace(hand(KUHN), holdings=(None, hand(KUHN).holdings[1]))
    assert "'d dh p1 ??'" in write_hand(played)
    assert next(read_phh(write_hand(played))) == played


def test_amounts_with_decimals() -> None:
    played = replace(hand(SMALL), decimals=2)
    text = write_hand(played)
    assert "[0, 1.00]" in text
    assert next(read_phh(text)) == played


TEXT = write_hand(hand(SMALL))


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("_game = {", "_other = {", "line 1: _game: must look like"),
        ("deck = '24'", "deck = '25'", "line 2: _game: there is no deck '25'; the decks are"),
        ("deck = '24'", "deck = [1]", "line 2: _game: there is no deck"),
        ("limit = 'no'", "limit = 'big'", "line 2: _game: there is no limit 'big'"),
        ("[0, 100], [3", "[0], [3", "line 2: _game: a street is two numbers"),
        ("[0, 100], [3", "[0, true], [3", "line 2: _game: 'True' is not a number of chips"),
        ("[0, 100], [3", "[9, 100], [3", "line 2: _game: '9' is not a number of board cards"),
        ("[0, 100], [3", "[1, 100], [3", "line 2: _game.streets[0].board_count: the first street has no"),
        ("[[0, 100], [3, 100], [1, 100], [1, 100]]", "[]", "line 2: _game: there must be 1 to 8 streets"),
        ("[[0, 100], [3, 100], [1, 100], [1, 100]]", "7", "line 2: _game: there must be 1 to 8 streets"),
    ],
)
def test_errors_name_the_line(old: str, new: str, hint: str) -> None:
    assert old in TEXT
    with pytest.raises(InvalidInput) as error:
        next(read_phh(TEXT.replace(old, new)))
    assert hint in str(error.value)


def test_cards_of_another_deck_are_refused() -> None:
    first = TEXT.split("d dh p1 ")[1][:4]
    assert len(parse_cards(first)) == 2
    with pytest.raises(InvalidInput, match="not in the 24 deck"):
        next(read_phh(TEXT.replace(first, "2c3d", 1)))
