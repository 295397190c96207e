"""Exact equity, compared with published values, its slow twin, and its other methods."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import poker_equity
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.cards import DECKS, deal, format_cards
from riverboat.contracts.oracle import Equity
from riverboat.equity import enumeration, equity
from riverboat.equity.enumeration import exact_steps, showdown_count
from riverboat.errors import TooLarge
from riverboat.parallel import on_threads
from tests.reference import equity as slow
from tests.unit.equity.test_matchup import ask

RNG = np.random.default_rng(0)


def exact(hero: str, opponents: list[str], board: str = "", deck: str = "52") -> Equity:
    return equity(ask(hero, opponents, board, deck), RNG, exact=True)


@pytest.mark.parametrize(
    ("hero", "villain", "board", "expected"),
    [
        ("AsAh", "KsKh", "", 0.826366112559452),
        ("AsAh", "", "", 0.8520371330210104),
        ("AsAh", "", "2c7dTh", 0.8649034283631879),
    ],
)
def test_published_values_to_the_last_digit(hero: str, villain: str, board: str, expected: float) -> None:
    answer = exact(hero, [villain], board)
    assert answer.equity == expected
    assert answer.exact
    assert answer.error == 0


def test_kings_before_the_flop() -> None:
    """82.4 % against random cards, for one holding and for the whole class."""
    assert round(exact("KK", [""]).equity, 3) == 0.824
    assert exact("KsKh", [""]).equity == pytest.approx(exact("KK", [""]).equity, abs=1e-15)


@pytest.mark.parametrize(
    ("hero", "opponents", "board", "deck"),
    [
        ("AsAh", ["KsKh"], "9cTdJh", "24"),
        ("AhKd", ["QQ,JJ:0.5"], "9cTdJhQs", "24"),
        ("AA,KK,QJs:0.3", ["random"], "9cTdJhQsKs", "24"),
        pytest.param("random", ["random:0.2,AA"], "AcAdJhQsKs", "24", marks=pytest.mark.slow),
        pytest.param("TT+", ["random"], "9h8h7hAdKd", "52", marks=pytest.mark.slow),
        ("AhAd", ["KhKd", "QhQd"], "9cTdJh", "24"),
        ("AA", ["random", "KQ"], "9cTdJhQs9s", "24"),
        pytest.param("AsAh", ["random", "random"], "9cTdJhQsKs", "24", marks=pytest.mark.slow),
        ("8h8d", ["AhKh,7c7d:0.25"], "6h7hTh9d", "36"),
        ("66+", ["random"], "6h7hTh9d6d", "36"),
        ("AhKh", ["AdKd", "AsKs", "AcKc"], "QhJhTh2c", "52"),
    ],
)
@pytest.mark.slow
def test_agrees_with_the_slow_twin(hero: str, opponents: list[str], board: str, deck: str) -> None:
    question = ask(hero, opponents, board, deck)
    every = np.ones_like(question.hero)
    ranges = [question.hero, *(every if weights is None else weights for weights in question.opponents)]
    win, tie, share = slow.equity(question.deck, question.board, ranges)
    answer = equity(question, RNG, exact=True)
    assert (answer.win, answer.tie, answer.equity) == pytest.approx((win, tie, share), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("deck", "variant"), [("52", "holdem"), ("36", "short_deck")])
def test_agrees_with_an_outsider(deck: str, variant: str, players: int) -> None:
    """Compare with poker_equity, which enumerates on its own, on random holdings and boards."""
    rng = np.random.default_rng(players)
    for _ in range(4):
        dealt = deal(DECKS[deck], players, int(rng.choice([0, 3, 4, 5])) if players == 2 else 3, rng)
        holdings, board = [format_cards(holding) for holding in dealt.holdings], format_cards(dealt.board)
        theirs = poker_equity.exact_from_text(variant, holdings, board)["players"][0]
        answer = exact(holdings[0], holdings[1:], board, deck)
        assert (answer.win, answer.tie, answer.equity) == pytest.approx(
            (theirs["win"], theirs["tie"], theirs["equity"]), rel=1e-9, abs=1e-12
        )


@pytest.mark.parametrize(("hero", "villain", "board"), [("AhKh,QQ", "JJ,TT,98s:0.5", "Td9d2c"), ("22+", "AK", "")])
@pytest.mark.slow
def test_three_ways_give_one_result(hero: str, villain: str, board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The three methods agree: single lookups, rows of a board, and one sorted scan."""
    results = []
    for few, several in ((10_000, 1), (0, 10_000), (0, 1)):
        monkeypatch.setattr(enumeration, "_FEW", few)
        monkeypatch.setattr(enumeration, "_SEVERAL", several)
        answer = exact(hero, [villain], board)
        results.append((answer.win, answer.tie))
    assert results[1] == pytest.approx(results[0], rel=1e-12)
    assert results[2] == pytest.approx(results[0], rel=1e-12)


@given(
    st.sampled_from(["AA", "AKs,QJo", "99+:0.5,KTs", "random"]),
    st.sampled_from(["KK", "QQ+,AK", "T9s,9T:0.25", "random"]),
    st.sampled_from(["9cTdJh", "AcKdQh", "9c9d9h", "AhKhQhJhTh", "9cTdJhQs"]),
)
@settings(max_examples=30, deadline=None)
def test_equities_of_both_sides_add_up_to_one(hero: str, villain: str, board: str) -> None:
    mine, theirs = exact(hero, [villain], board, "24"), exact(villain, [hero], board, "24")
    assert mine.equity + theirs.equity == pytest.approx(1, abs=1e-12)
    assert mine.tie == pytest.approx(theirs.tie, abs=1e-12)
    assert mine.equity == pytest.approx(mine.win + mine.tie / 2, abs=1e-12)


def test_shares_of_all_players_add_up_to_one() -> None:
    hands = ["AhAd", "KhKd", "QhQd"]
    shares = [exact(hero, [other for other in hands if other != hero], "9cTdJh", "24").equity for hero in hands]
    assert sum(shares) == pytest.approx(1, abs=1e-12)


def test_threads_change_nothing() -> None:
    question = ask("AhKh", ["22+"])
    *_, alone = exact_steps(question)
    with ThreadPoolExecutor(3) as threads:
        *_, together = exact_steps(question, on_threads(threads, 4))
    assert alone == together


def test_steps_go_up_to_the_result() -> None:
    steps = list(exact_steps(ask("AsAh", [""])))
    done = [step.done for step in steps]
    assert len(steps) > 10
    assert done == sorted(set(done))
    assert [step.equity is not None for step in steps] == [False] * (len(steps) - 1) + [True]


def test_too_much_is_refused_with_the_count() -> None:
    question = ask("AsAh", [""] * 5)
    with pytest.raises(TooLarge, match=f"{question.most_deals:,} deals are too many"):
        next(exact_steps(question))
    with pytest.raises(TooLarge, match="the limit is 1,000"):
        next(exact_steps(ask("AsAh", ["KsKh"]), limit=1000))


def test_symmetry_saves_work() -> None:
    assert showdown_count(ask("AsAh", ["random"])) * 2.5 < ask("AsAh", ["random"]).most_deals
