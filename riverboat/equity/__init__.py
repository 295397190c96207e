"""Equity: how often a holding or a range wins, exactly or by rollouts."""

from collections.abc import Iterator

import numpy as np

from riverboat.contracts.oracle import Equity, EquityStep
from riverboat.equity.enumeration import EXACT_LIMIT, exact_steps, showdown_count
from riverboat.equity.matchup import Matchup, matchup
from riverboat.equity.rollouts import MOST_ROLLOUTS, rollout_steps
from riverboat.equity.small_decks import small_equity
from riverboat.parallel import Runner, serial

__all__ = ["EXACT_LIMIT", "MOST_ROLLOUTS", "Matchup", "equity", "equity_steps", "matchup"]

QUICK = 1_000_000_000  # showdowns up to which the exact answer takes no noticeable time
DEFAULT_ROLLOUTS = 1_000_000


def equity_steps(
    question: Matchup,
    rng: np.random.Generator,
    exact: bool | None = None,
    rollout_count: int | None = None,
    target_error: float = 0.0,
    run: Runner = serial,
    limit: int = EXACT_LIMIT,
) -> Iterator[EquityStep]:
    """Yield steps towards the equity of a matchup; the last step has the equity.

    `exact` asks for enumeration (True) or rollouts (False). None enumerates a matchup that is quick to enumerate,
    unless a rollout count or a target error is given. One-card decks are always exact.
    """
    if not question.deck.is_holdem:
        yield EquityStep(done=1.0, equity=small_equity(question))
        return
    rollouts_asked = rollout_count is not None or target_error > 0
    if exact is None:
        exact = not rollouts_asked and showdown_count(question) <= min(QUICK, limit)
    if exact:
        yield from exact_steps(question, run, limit)
    else:
        default = MOST_ROLLOUTS if target_error > 0 else DEFAULT_ROLLOUTS
        yield from rollout_steps(question, rng, default if rollout_count is None else rollout_count, target_error, run)


def equity(
    question: Matchup,
    rng: np.random.Generator,
    exact: bool | None = None,
    rollout_count: int | None = None,
    target_error: float = 0.0,
) -> Equity:
    """Return the equity of a matchup, computed to the end; see `equity_steps`."""
    last = None
    for step in equity_steps(question, rng, exact, rollout_count, target_error):
        last = step.equity
    if last is None:
        raise RuntimeError("an equity computation ended without a result")
    return last
