"""Measure agents by duplicate deals in this process: python -m riverboat.clients.bots.measurement [DEALS]."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from riverboat.arena.match import Match, Played, match_steps
from riverboat.arena.result import MatchResult
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.times import Times
from riverboat.marks import DecisionCounts, warning_of
from riverboat.rules.variant import KUHN, LEDUC, Variant, fixed_limit, no_limit

_OPPONENTS = ("always-call", "random", "always-raise", "always-fold")
_SEED = 4
_STACK_BLINDS = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One match of an agent against others."""

    game: str
    variant: Variant
    opponents: Sequence[str]

    @property
    def text(self) -> str:
        """The opponents, for people."""
        names = dict.fromkeys(self.opponents)
        return ", ".join(f"{self.opponents.count(name)} {name}" for name in names)


def duels(opponents: Sequence[str]) -> Iterator[Line]:
    """Heads-up matches against each of some opponents, with 24 and with 52 cards."""
    for deck in ("24", "52"):
        for name in opponents:
            yield Line(f"no-limit {deck} cards, 2 players", no_limit(50, 100, deck=deck), [name])


def lines() -> Iterator[Line]:
    """What is measured: each opponent heads-up and six-handed, a mixed table, and other games."""
    holdem = no_limit(50, 100)
    for name in _OPPONENTS:
        yield Line("no-limit, 2 players", holdem, [name])
    for name in _OPPONENTS:
        yield Line("no-limit, 6 players", holdem, [name] * 5)
    yield Line("no-limit, 6 players", holdem, [*_OPPONENTS, "random"])
    yield Line("no-limit, 10 players", holdem, [*_OPPONENTS * 2, "random"])
    for name, variant in (
        ("fixed-limit", fixed_limit(100)),
        ("no-limit short deck", no_limit(50, 100, deck="36")),
        ("no-limit 24 cards", no_limit(50, 100, deck="24")),
        ("Leduc", LEDUC),
        ("Kuhn", KUHN),
    ):
        for opponent in _OPPONENTS:
            yield Line(f"{name}, 2 players", variant, [opponent])


def measure(
    line: Line,
    agent: str,
    deal_count: int,
    processes: int = 1,
    times: Times | None = None,
    seed: int = _SEED,
    folder: Path | None = None,
) -> MatchResult:
    """What an agent wins against others, with a 95 % confidence interval; on one process it may be timed.

    With a folder every deal is kept there, and a match that was broken off goes on.
    """
    players = [agent, *line.opponents]
    bots = {f"{name} {place}": find_agent(name) for place, name in enumerate(players)}
    if times is not None:
        bots[f"{agent} 0"] = times.timed(bots[f"{agent} 0"])
    stacks = [_STACK_BLINDS * line.variant.big_blind] * len(players)
    match = Match(line.variant, stacks, bots, np.random.default_rng(seed), on_average=len(players) == 2)
    kept = folder / f"{agent} {line.text} {line.game} {seed}.npz".replace(":", "-") if folder else None
    played = _kept(kept, deal_count) if kept and kept.exists() else None
    for result in match_steps(match, deal_count, processes, played):
        if played is None or result.deal_count > len(played.chips):
            _keep(kept, result)
        score = result.scores[0]
        low, high = score.interval
        _say(f"    {result.deal_count:,} of {deal_count:,} deals: {score.mbb:+,.0f} ({low:+,.0f} … {high:+,.0f})")
    return result


def _keep(file: Path | None, result: MatchResult) -> None:
    if file is not None:
        part = file.with_suffix(".part.npz")
        np.savez(part, chips=result.chips, decisions=[astuple(counts) for counts in result.decisions])
        part.replace(file)


def _kept(file: Path, deal_count: int) -> Played:
    with np.load(file, allow_pickle=False) as arrays:
        chips, decisions = arrays["chips"], arrays["decisions"].tolist()
    if len(chips) > deal_count:
        raise SystemExit(f"{file} has {len(chips):,} deals: ask for at least as many")
    return Played(chips, tuple(DecisionCounts(*counts) for counts in decisions))


def _say(text: str) -> None:
    """How far it has come, for whoever waits: on a terminal always in the same line."""
    print(text, file=sys.stderr, flush=True, end="\r" if sys.stderr.isatty() else "\n")


def main() -> None:
    """Print the table, a line after each match."""
    parser = argparse.ArgumentParser(prog="python -m riverboat.clients.bots.measurement", description=__doc__)
    parser.add_argument("deals", nargs="?", type=int, default=2000, help="deals of each match")
    parser.add_argument("--agent", default="rollout", help="whom to measure")
    parser.add_argument("--game", default="", help="only games whose name has this in it")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=_SEED, help="of the deals: other ones than an agent was chosen on")
    parser.add_argument("--against", default="", help="only heads-up, with 24 and 52 cards, against these (by commas)")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep every deal there, and go on where it ended (a changed agent needs another folder)",
    )
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    print(f"{options.agent}: {options.deals:,} deals of each match, every deal once for every seat\n")
    columns = "| game | against | mbb/hand | 95 % interval | | decisions | partial | fallback |"
    print(f"{columns}\n|---|---|---:|---:|---|---:|---:|---:|")
    for line in duels(options.against.split(",")) if options.against else lines():
        if options.game in line.game:
            times = Times() if options.processes == 1 else None
            result = measure(line, options.agent, options.deals, options.processes, times, options.seed, options.keep)
            score, counts = result.scores[0], result.decisions[0]
            low, high = score.interval
            verdict = "wins" if low > 0 else "loses" if high < 0 else "not sure"
            interval = f"{low:+,.0f} … {high:+,.0f}"
            made = f"{counts.decision_count:,} | {counts.partial_count:,} | {counts.fallback_count:,}"
            print(f"| {line.game} | {line.text} | {score.mbb:+,.0f} | {interval} | {verdict} | {made} |", flush=True)
            if warning := warning_of(options.agent, counts):
                print(f"    {warning}", file=sys.stderr, flush=True)
            for text in times.lines() if times else ():
                print(f"    {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
