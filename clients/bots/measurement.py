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
from riverboat.clients.bots.thinking_times import ThinkingTimes
from riverboat.marks import DecisionCounts, warning_of
from riverboat.rules.variant import KUHN, LEDUC, Variant, fixed_limit, no_limit

_OPPONENTS = ("always-call", "random", "always-raise", "always-fold")
_SEED = 4
_STACK_BLINDS = 100


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game and the opponents that an agent is measured against."""

    game: str
    variant: Variant
    opponents: Sequence[str]

    @property
    def text(self) -> str:
        """The opponents, counted: "2 random, 1 rollout"."""
        names = dict.fromkeys(self.opponents)
        return ", ".join(f"{self.opponents.count(name)} {name}" for name in names)


def duels(opponents: Sequence[str]) -> Iterator[Pairing]:
    """Yield heads-up matches against each opponent, with 24 and with 52 cards."""
    for deck in ("24", "52"):
        for name in opponents:
            yield Pairing(f"no-limit {deck} cards, 2 players", no_limit(50, 100, deck=deck), [name])


def pairings() -> Iterator[Pairing]:
    """Yield the matches of a measurement: each opponent heads-up and six-handed, mixed tables, and other games."""
    holdem = no_limit(50, 100)
    for name in _OPPONENTS:
        yield Pairing("no-limit, 2 players", holdem, [name])
    for name in _OPPONENTS:
        yield Pairing("no-limit, 6 players", holdem, [name] * 5)
    yield Pairing("no-limit, 6 players", holdem, [*_OPPONENTS, "random"])
    yield Pairing("no-limit, 10 players", holdem, [*_OPPONENTS * 2, "random"])
    for name, variant in (
        ("fixed-limit", fixed_limit(100)),
        ("no-limit short deck", no_limit(50, 100, deck="36")),
        ("no-limit 24 cards", no_limit(50, 100, deck="24")),
        ("Leduc", LEDUC),
        ("Kuhn", KUHN),
    ):
        for opponent in _OPPONENTS:
            yield Pairing(f"{name}, 2 players", variant, [opponent])


def measure(
    pairing: Pairing,
    agent: str,
    deal_count: int,
    processes: int = 1,
    times: ThinkingTimes | None = None,
    seed: int = _SEED,
    folder: Path | None = None,
) -> MatchResult:
    """Return what an agent wins, with a 95 % confidence interval; `times` takes its decisions if `processes` is 1.

    With a folder every deal is kept there, and a match that was broken off goes on.
    """
    players = [agent, *pairing.opponents]
    bots = {f"{name} {place}": find_agent(name) for place, name in enumerate(players)}
    if times is not None:
        bots[f"{agent} 0"] = times.timed(bots[f"{agent} 0"])
    stacks = [_STACK_BLINDS * pairing.variant.big_blind] * len(players)
    match = Match(pairing.variant, stacks, bots, np.random.default_rng(seed), on_average=len(players) == 2)
    kept = folder / f"{agent} {pairing.text} {pairing.game} {seed}.npz".replace(":", "-") if folder else None
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
        raise SystemExit(f"{file} has {len(chips):,} deals already: ask for at least as many")
    return Played(chips, tuple(DecisionCounts(*counts) for counts in decisions))


def _say(text: str) -> None:
    """Show progress on standard error; on a terminal always in the same line."""
    print(text, file=sys.stderr, flush=True, end="\r" if sys.stderr.isatty() else "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m riverboat.clients.bots.measurement", description=__doc__)
    add, default = parser.add_argument, " (default: %(default)s)"
    add("deals", nargs="?", type=int, default=2000, help=f"deals per match{default}")
    add("--agent", default="rollout", help=f"agent to measure{default}")
    add("--game", default="", help="play only games whose name contains this text")
    add("--processes", type=int, default=1, help=f"processes that play{default}")
    add("--seed", type=int, default=_SEED, help=f"seed of the deals; take one that the agent was not tuned on{default}")
    against = "play only these opponents (separated by commas), heads-up, with 24 and 52 cards"
    add("--against", default="", help=against)
    keep = "folder to keep every deal in; a match goes on where it ended (a changed agent needs another folder)"
    add("--keep", type=Path, metavar="FOLDER", help=keep)
    return parser


def _row(pairing: Pairing, result: MatchResult) -> str:
    score, counts = result.scores[0], result.decisions[0]
    low, high = score.interval
    verdict = "wins" if low > 0 else "loses" if high < 0 else "not sure"
    interval = f"{low:+,.0f} … {high:+,.0f}"
    made = f"{counts.decision_count:,} | {counts.partial_count:,} | {counts.fallback_count:,}"
    return f"| {pairing.game} | {pairing.text} | {score.mbb:+,.0f} | {interval} | {verdict} | {made} |"


def main() -> None:
    """Print the table, a row after each match."""
    options = _parser().parse_args()
    agent, deals, processes = options.agent, options.deals, options.processes
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    print(f"{agent}: {deals:,} deals of each match, every deal once for every seat\n")
    columns = "| game | against | mbb/hand | 95 % interval | | decisions | partial | fallback |"
    print(f"{columns}\n|---|---|---:|---:|---|---:|---:|---:|")
    for pairing in duels(options.against.split(",")) if options.against else pairings():
        if options.game not in pairing.game:
            continue
        times = ThinkingTimes() if processes == 1 else None
        result = measure(pairing, agent, deals, processes, times, options.seed, options.keep)
        print(_row(pairing, result), flush=True)
        if warning := warning_of(agent, result.decisions[0]):
            print(f"    {warning}", file=sys.stderr, flush=True)
        for text in times.lines() if times else ():
            print(f"    {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
