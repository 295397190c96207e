"""Seconds per decision of a re-solving agent as it ships: python -m benchmarks.decisions --deck 24 --deals 30.

The agent plays duplicate deals against another one, through a resolver service on this machine, with a clock. The
command prints the seconds of its decisions by street, and the processor time that the services used for them. On a busy
machine the processor time says more; two threads share it. The first deal warms up and is not counted.
"""

import argparse
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Column, Table

from riverboat.arena.bot import Bot, MakeBot
from riverboat.arena.hand import play_hand
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.shared_resolver import lend_resolver
from riverboat.clients.local.private_services import private_resolver
from riverboat.marks import Mark, mark_of
from riverboat.rules.state import View, start_random
from riverboat.rules.variant import no_limit
from riverboat.streets import STREETS

_SHARES = (50, 90, 99, 100)  # percentiles
_BARS = {"24": 1.0, "52": 3.0}  # seconds that the median may take


@dataclass(frozen=True, slots=True)
class TimedDecision:
    """One decision."""

    street: int
    seconds: float
    processor_seconds: float  # of the services
    mark: Mark


class TimedBot(Bot):
    """An agent with a clock, whose decisions are timed."""

    def __init__(self, bot: Bot, clock: float, decisions: list[TimedDecision]) -> None:
        super().__init__(bot.rng)
        self._bot, self._clock, self._decisions = bot, clock, decisions

    def act(self, view: View) -> int:
        """Return the agent's action."""
        start, used = time.perf_counter(), _children_seconds()
        action = self._bot.act(replace(view, seconds_left=self._clock))
        took = time.perf_counter() - start
        used = _children_seconds() - used
        self._decisions.append(TimedDecision(view.public.street, took, used, mark_of(action)[0]))
        return action


def _children_seconds() -> float:
    """Return the processor seconds of all processes that this one has started; 0 where the system does not say."""
    return sum(_processor_seconds(os.getpid()))


def _processor_seconds(parent: int) -> Iterator[float]:
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[1]) == parent:
            yield (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def play(agent: str, opponent: MakeBot, deck: str, deals: range, clock: float) -> list[TimedDecision]:
    """Play deals in both seats; return the agent's decisions."""
    decisions: list[TimedDecision] = []
    make_bot, variant = find_agent(agent), no_limit(50, 100, deck=deck)
    for deal in deals:
        rng = np.random.default_rng([deal, len(variant.deck.cards)])
        hand = start_random(variant, [10_000, 10_000], rng)
        for seat in (0, 1):
            timed = TimedBot(make_bot(rng.spawn(1)[0]), clock, decisions)
            other = opponent(rng.spawn(1)[0])
            play_hand(hand, [timed, other] if seat == 0 else [other, timed])
    return decisions


def main() -> None:
    """Print a line for each street, and one for all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions", description=__doc__)
    parser.add_argument("--deck", choices=tuple(_BARS), default="24", help="deck to play with")
    parser.add_argument("--agent", default="resolver", help="agent to time")
    parser.add_argument("--against", default="rollout", help="its opponent")
    parser.add_argument("--deals", type=int, default=30, help="number of deals; each is played in both seats")
    parser.add_argument("--seed", type=int, default=1000, help="number of the first deal")
    parser.add_argument("--clock", type=float, default=30.0, help="seconds that each decision may take")
    options = parser.parse_args()
    opponent = find_agent(options.against)
    with private_resolver({}) as client, lend_resolver(client):
        play(options.agent, opponent, options.deck, range(options.seed, options.seed + 1), options.clock)
        deals = range(options.seed + 1, options.seed + 1 + options.deals)
        decisions = play(options.agent, opponent, options.deck, deals, options.clock)
    console, shown = Console(width=130), Table("street", *(Column(name, justify="right") for name in _columns()))
    for street, name in enumerate(STREETS):
        shown.add_row(name, *_row([decision for decision in decisions if decision.street == street]))
    shown.add_row("all", *_row(decisions), style="bold")
    console.print(shown)
    seconds = np.array([decision.seconds for decision in decisions])
    median, bar = float(np.median(seconds)), _BARS[options.deck]
    console.print(
        f"{options.agent} with {options.deck} cards against {options.against}: median {median:.2f} s, bar {bar:.0f} s: "
        f"{'met' if median < bar else 'MISSED'}; clock {options.clock:.0f} s exceeded "
        f"{int((seconds > options.clock).sum())} times; load of the machine {os.getloadavg()[0]:.1f}"
    )


def _columns() -> list[str]:
    return [
        "decisions",
        *(f"{share} %, s" for share in _SHARES),
        "processor 50 %, s",
        "90 %, s",
        "cut short",
        "by rollouts",
    ]


def _row(decisions: list[TimedDecision]) -> list[str]:
    if not decisions:
        return ["0", *[""] * (len(_columns()) - 1)]
    seconds = np.percentile([decision.seconds for decision in decisions], _SHARES)
    used = np.percentile([decision.processor_seconds for decision in decisions], (50, 90))
    marks = [sum(decision.mark is mark for decision in decisions) for mark in (Mark.PARTIAL, Mark.FALLBACK)]
    return [f"{len(decisions):,}", *(f"{value:.2f}" for value in (*seconds, *used)), *(f"{n:,}" for n in marks)]


if __name__ == "__main__":
    main()
