"""Matches between bots by duplicate dealing.

Every deal is played as often as there are players: the cards stay with the seats, and the bots move on by one seat, so
that each plays every side of the deal once. The random numbers that bots use stay with the seats too: where two bots
would do the same, neither wins by luck. Every hand starts with new bots and full stacks, so deals are independent of
each other and may be played in any order, on any number of processes.

No bot object outlives its hand, so none has seen the deal before. But all bots of a process share its memory: one
that keeps hands in its module or class would recognise a deal when its seats are exchanged, and know the opponent's
cards. The arena cannot prevent that: it is for bots that keep nothing between hands. `riverboat match --duplicate`
plays the sides of a deal in separate processes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.bot import IllegalBotAction, MakeBot
from riverboat.arena.deal_processes import Prepare, child_of, parts_of, running
from riverboat.arena.hand import play_hand
from riverboat.arena.result import MatchResult
from riverboat.errors import InvalidInput
from riverboat.marks import DecisionCounts, add_counts
from riverboat.rules.state import check_stacks, start_random
from riverboat.rules.variant import Variant

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """The settings of a match: the game, the stacks, the bots and the scoring.

    `rng` is never drawn from: deal n gets the generator that `rng.spawn` would give it as its nth child, so a match has
    the same deals whenever it is played, and the first deals of a longer match are those of a shorter one.
    """

    variant: Variant
    stacks: Sequence[int]  # chips by seat at the start of every hand [P]
    bots: Mapping[str, MakeBot]  # P of them, by name
    rng: np.random.Generator
    on_average: bool = False  # score all-ins and showdowns by their averages: `all_in.py`, `range_payoffs.py`
    aivat: bool = False  # score hands between two by AIVAT, with the strategies that bots say: `aivat.py`

    def __post_init__(self) -> None:
        check_stacks(self.variant, self.stacks)
        if len(self.bots) != len(self.stacks):
            raise InvalidInput("bots", f"{len(self.stacks)} stacks need as many bots, not {len(self.bots)}")
        if self.aivat and len(self.bots) != 2:
            raise InvalidInput("aivat", f"is for two players, not {len(self.bots)}")


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Some deals of a match that have been played."""

    chips: F64  # [D, P]: each bot's score in each deal, all rotations together
    decisions: tuple[DecisionCounts, ...]  # by bot, in all these deals
    plain: F64  # [D, P]: the chips that changed hands, with all their luck


def match_steps(
    match: Match,
    deal_count: int,
    processes: int = 1,
    played: Played | None = None,
    prepare: Prepare | None = None,
) -> Iterator[MatchResult]:
    """Play a match; yield the result so far after every few deals. The caller may stop at any time.

    A match that was interrupted goes on from its `played` deals, at most `deal_count`, with the same final result. The
    result does not depend on `processes`. Several processes start afresh: they import the bots' modules and `prepare`,
    and a script that asks for several must not play at its top level.
    """
    for name, count in (("deal_count", deal_count), ("processes", processes)):
        if count < 1:
            raise InvalidInput(name, f"must be at least 1, not {count}")
    done = 0 if played is None else len(played.chips)
    if done > deal_count:
        raise InvalidInput("played", f"has {done} deals, more than the {deal_count} of the match")
    parts = parts_of(range(done, deal_count), deal_count)
    chips, plain = np.empty((2, deal_count, len(match.bots)))
    decisions = (DecisionCounts(),) * len(match.bots)
    if played is not None:
        chips[:done], plain[:done], decisions = played.chips, played.plain, played.decisions
        yield _result(match, deal_count, Played(chips[:done].copy(), decisions, plain[:done].copy()))
    with running(processes, prepare) as run:
        for part, step in zip(parts, run(partial(play_deals, match, part) for part in parts), strict=True):
            chips[part.start : part.stop], plain[part.start : part.stop] = step.chips, step.plain
            decisions = add_counts(decisions, step.decisions)
            yield _result(match, deal_count, Played(chips[: part.stop], decisions, plain[: part.stop]))


def _result(match: Match, deal_count: int, so_far: Played) -> MatchResult:
    for scores in (so_far.chips, so_far.plain):
        scores.flags.writeable = False
    names, big_blind = tuple(match.bots), match.variant.big_blind
    return MatchResult(
        bots=names,
        big_blind=big_blind,
        chips=so_far.chips,
        wanted_count=deal_count,
        decisions=so_far.decisions,
        plain=so_far.plain,
    )


def play_match(match: Match, deal_count: int, processes: int = 1) -> MatchResult:
    """Return the result of a match that is played to its end; see `match_steps`."""
    *_, last = match_steps(match, deal_count, processes)
    return last


def play_deals(match: Match, deals: Sequence[int]) -> Played:
    """Play some deals of a match; return each bot's scores."""
    played = [play_deal(match, deal) for deal in deals]
    chips, plain = (np.concatenate(scores) for scores in zip(*((one.chips, one.plain) for one in played), strict=True))
    return Played(chips, reduce(add_counts, (one.decisions for one in played)), plain)


def play_deal(match: Match, deal: int) -> Played:
    """Play one deal of a match in all rotations; return each bot's score."""
    names, player_count = list(match.bots), len(match.bots)
    rng = child_of(match.rng, deal)
    start = start_random(match.variant, match.stacks, rng)
    chances = rng.spawn(1)[0]
    chips, plain = np.zeros((2, player_count))
    decisions = [DecisionCounts()] * player_count
    for rotation in range(player_count):
        order = [(seat - rotation) % player_count for seat in range(player_count)]  # the bot at each seat
        bots = [match.bots[names[bot]](child_of(chances, seat)) for seat, bot in enumerate(order)]
        try:
            finished = play_hand(start, bots, match.aivat)
        except IllegalBotAction as error:
            raise error.of(names[order[error.view.seat]], deal) from None
        except Exception as error:
            error.add_note(f"in deal {deal}, with seats taken by {', '.join(names[bot] for bot in order)}")
            raise
        chips[order] += finished.aivat() if match.aivat else finished.payoffs(match.on_average)
        plain[order] += finished.payoffs()
        for bot, counts in zip(order, finished.decisions, strict=True):
            decisions[bot] += counts
    return Played(chips[None, :], tuple(decisions), plain[None, :])
