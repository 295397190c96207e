import pytest

from riverboat.clients.web.experiment.scoring import adjusted_payoff
from riverboat.history.hand import outcome, replay
from riverboat.history.phh import read_phh

_HAND = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = [{actions}]
"""
_DEALT = ["d dh p1 AsAh", "d dh p2 KsKh"]


def adjusted(actions: list[str]) -> tuple[float, int]:
    """Return the first player's winnings, with all-ins by equity and as they came."""
    text = _HAND.format(actions=", ".join(f"'{action}'" for action in [*_DEALT, *actions]))
    (history,) = read_phh(text)
    stacks = outcome(history).stacks
    assert stacks is not None
    payoff = stacks[0] - history.stacks[0]
    return adjusted_payoff(history, list(replay(history)), 0, payoff), payoff


def test_an_all_in_before_the_flop_counts_its_equity() -> None:
    showdown = ["p2 cbr 10000", "p1 cc", "p1 sm AsAh", "p2 sm KsKh", "d db KdKc2h", "d db 3d", "d db 4c"]
    value, payoff = adjusted(showdown)
    assert payoff == -10_000
    assert value == pytest.approx(20_000 * 0.826 - 10_000, abs=100)  # aces win 82.6 % of the pot from these kings


def test_a_hand_that_is_decided_by_betting_counts_as_it_came() -> None:
    value, payoff = adjusted(["p2 cbr 300", "p1 cbr 900", "p2 f"])
    assert value == payoff == 300


def test_a_showdown_after_betting_to_the_end_counts_as_it_came() -> None:
    checks = ["p1 cc", "p2 cc"]
    hand = [
        "p2 cc",
        "p1 cc",
        "d db KdKc2h",
        *checks,
        "d db 3d",
        *checks,
        "d db 4c",
        *checks,
        "p1 sm AsAh",
        "p2 sm KsKh",
    ]
    value, payoff = adjusted(hand)
    assert value == payoff == -100
