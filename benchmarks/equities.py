"""Equities: exact and by rollouts."""

from collections.abc import Iterator

import eval7
import numpy as np
import poker_equity

from benchmarks.timing import Row, in_turn, milliseconds, per_second
from riverboat.cards import DECKS, parse_cards
from riverboat.equity import Matchup, equity, matchup
from riverboat.ranges import parse_range

_DECK = DECKS["52"]
_ROLLOUTS = 2_000_000


def rows() -> Iterator[Row]:
    """Yield the rows about equities."""
    yield from _exact("exact AsAh v KsKh, 1,712,304 boards", ["KsKh"], "", ["AsAh", "KsKh"], 0.010, 9)
    yield from _exact("exact AsAh v random, 2,097,572,400 deals", ["random"], "", None, 3.0, 3)
    yield from _exact("exact AsAh v random on 2c7dTh, 1,070,190 deals", ["random"], "2c7dTh", ["AsAh", "**"], 0.004, 9)
    for opponent_count, bar in ((1, 30e6), (5, 8e6)):
        yield from _rollouts(opponent_count, bar)


def _question(opponents: list[str], board: str) -> Matchup:
    others = [None if text == "random" else parse_range(text, _DECK) for text in opponents]
    return matchup(_DECK, parse_cards(board), parse_range("AsAh", _DECK), others)


def _exact(
    work: str, opponents: list[str], board: str, peer_hands: list[str] | None, bar: float, rounds: int
) -> Iterator[Row]:
    rng = np.random.default_rng(0)

    def ours() -> object:
        return equity(_question(opponents, board), rng, exact=True)

    if peer_hands is None:
        (mine,) = in_turn(ours, rounds=rounds)
        yield Row(work, milliseconds(mine), "", "", milliseconds(bar), mine <= bar)
        return
    mine, peer = in_turn(ours, lambda: poker_equity.exact_from_text("holdem", peer_hands, board), rounds=rounds)
    yield Row(work, milliseconds(mine), f"poker_equity {milliseconds(peer)}", f"{peer / mine:.0f}×",
              milliseconds(bar), mine <= bar)  # fmt: skip


def _rollouts(opponent_count: int, bar: float) -> Iterator[Row]:
    question = _question(["random"] * opponent_count, "")

    def ours() -> object:
        return equity(question, np.random.default_rng(1), rollout_count=_ROLLOUTS)

    hands = ["AsAh", *["**"] * opponent_count]
    sample = 200_000

    def theirs() -> object:
        return poker_equity.chunk_from_text("holdem", hands, samples=sample, threads=1)

    if opponent_count == 1:
        aces = [eval7.Card("As"), eval7.Card("Ah")]
        everything = eval7.HandRange("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32")

        def eval7_run() -> object:
            return eval7.py_hand_vs_range_monte_carlo(aces, everything, [], _ROLLOUTS)

        mine, peer, other = in_turn(ours, theirs, eval7_run, rounds=5)
        yield Row(f"rollouts v {opponent_count} random, one core", per_second(_ROLLOUTS, mine),
                  f"eval7 {per_second(_ROLLOUTS, other)}", f"{other / mine:.1f}×")  # fmt: skip
    else:
        mine, peer = in_turn(ours, theirs, rounds=5)
    ratio = (_ROLLOUTS / mine) / (sample / peer)
    yield Row(f"rollouts v {opponent_count} random, one core", per_second(_ROLLOUTS, mine),
              f"poker_equity {per_second(sample, peer)}", f"{ratio:.1f}×", per_second(bar, 1),
              _ROLLOUTS / mine >= bar)  # fmt: skip
