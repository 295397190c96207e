"""All-ins before the flop, compared with exact equities of single matchups and published values."""

import numpy as np
import pytest

from riverboat.cards import DECKS, Deck, parse_cards
from riverboat.equity import equity, matchup
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of
from riverboat.preflop import preflop_rows, preflop_utility
from riverboat.services.oracle.preflop import kept_rows, utility_before_the_flop

FULL = DECKS["52"]


def exact(deck: Deck, mine: int, theirs: int) -> float:
    """Return the equity of one holding against another by enumeration."""
    ranges = np.zeros((2, holdings_of(deck).count), np.float32)
    ranges[0, mine] = ranges[1, theirs] = 1
    return float(equity(matchup(deck, (), ranges[0], [ranges[1]]), np.random.default_rng(0), exact=True).equity)


def test_published_values() -> None:
    utility = utility_before_the_flop(FULL)
    aces, kings = (holding_index(FULL, parse_cards(cards)) for cards in ("AsAh", "KsKh"))
    assert (1 + utility[aces, kings]) / 2 == pytest.approx(0.826366112559452, abs=1e-6)
    masks = holdings_of(FULL).masks
    against_all = utility[aces][(masks & masks[aces]) == 0]
    assert len(against_all) == 1225
    assert (1 + against_all.mean()) / 2 == pytest.approx(0.8520371330210104, abs=1e-6)


@pytest.mark.parametrize("name", ["52", "36", "24"])
def test_single_matchups(name: str) -> None:
    deck = DECKS[name]
    utility, masks = utility_before_the_flop(deck), holdings_of(deck).masks
    rng = np.random.default_rng(7)
    pairs = rng.integers(len(masks), size=(12, 2))
    for mine, theirs in pairs.tolist():
        if masks[mine] & masks[theirs]:
            assert utility[mine, theirs] == 0
        else:
            assert (1 + utility[mine, theirs]) / 2 == pytest.approx(exact(deck, mine, theirs), abs=1e-6)


@pytest.mark.parametrize("name", ["52", "36", "24"])
def test_what_one_wins_the_other_loses(name: str) -> None:
    utility = utility_before_the_flop(DECKS[name])
    assert np.array_equal(utility, -utility.T)


def test_rows_are_whole_numbers_of_run_outs_and_the_file_has_them_all() -> None:
    rows = kept_rows()
    assert rows.shape == (169, 1326)
    assert np.abs(rows).max() <= 1_712_304  # boards that two holdings leave
    short = preflop_rows(DECKS["24"])
    assert short.shape == (36, 276)
    assert preflop_utility(DECKS["24"], short).shape == (276, 276)


@pytest.mark.slow
def test_the_file_is_what_the_library_makes() -> None:
    assert np.array_equal(kept_rows(), preflop_rows(FULL))


def test_a_deck_without_boards_of_five() -> None:
    with pytest.raises(InvalidInput, match="no boards of five"):
        preflop_rows(DECKS["leduc"])
