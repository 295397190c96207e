"""The bets and raises of winning players, counted in hand files, for choosing a blueprint's bet sizes.

    python -m benchmarks.player_sizes pluribus.phhs hands.phhs.xz …

A file's winners are the players who won chips over at least 200 hands whose result is known. Before the flop sizes are
street totals in big blinds; after it they are fractions of the pot after a call, as bet sizes are.
"""

import lzma
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from riverboat.errors import RiverboatError
from riverboat.history.hand import History, outcome, replay
from riverboat.history.phh import read_phh
from riverboat.rules.betting import CALL
from riverboat.rules.events import Move
from riverboat.rules.state import PublicState
from riverboat.rules.translation import pot_fraction
from riverboat.streets import STREETS

_LEAST_HANDS = 200
_CLASSES = (0.2, 0.42, 0.6, 0.8, 0.95, 1.1, 1.5, 2.5)  # upper ends, in pots
SizeCounts = dict[str, Counter[str]]


def main(paths: list[str]) -> None:
    """Print the counts of each file."""
    for path in paths:
        sizes, hand_count, winner_count = sizes_of_winners(list(_hands(Path(path))))
        print(f"{Path(path).name}: {hand_count:,} hands, {winner_count} winners")
        for situation in sorted(sizes):
            counts = sizes[situation]
            total = sum(counts.values())
            common = ", ".join(f"{size} {100 * count / total:.0f} %" for size, count in counts.most_common(9))
            print(f"  {situation:18} {total:7,}: {common}")


def sizes_of_winners(hands: list[History]) -> tuple[SizeCounts, int, int]:
    """Return counts of the winners' bets by situation and size, the number of hands, and the number of winners."""
    winners = _winners(hands)
    sizes: SizeCounts = defaultdict(Counter)
    for hand in hands:
        try:
            states = list(replay(hand))
        except RiverboatError:
            continue
        for state, event in zip(states, hand.events, strict=False):
            if not isinstance(event, Move) or event.action <= CALL or hand.name(event.seat) not in winners:
                continue
            live = state.folded.count(False)
            if state.street and live > 2:
                continue  # with three players sizes differ, and a blueprint is for two
            place = f"{state.street} {STREETS[state.street]}"
            situation = (
                f"{place} {'bet' if state.street and not state.raise_count else f'raise {state.raise_count + 1}'}"
            )
            sizes[situation][_class_of(state, event.action)] += 1
    return sizes, len(hands), len(winners)


def _class_of(state: PublicState, to: int) -> str:
    if state.raise_limits and to >= state.raise_limits[1]:
        return "all-in"
    if not state.street and not state.raise_count:
        return f"{2 * to / state.variant.big_blind:.0f}/2 b"
    fraction = pot_fraction(state, to)
    return next((f"<{end}p" for end in _CLASSES if fraction < end), "more")


def _winners(hands: list[History]) -> set[str]:
    won: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for hand in hands:
        try:
            stacks = hand.finishing_stacks or outcome(hand).stacks
        except RiverboatError:
            continue
        if stacks is None:
            continue
        for seat, (before, after) in enumerate(zip(hand.stacks, stacks, strict=True)):
            won[hand.name(seat)] += after - before
            played[hand.name(seat)] += 1
    return {name for name, count in played.items() if count >= _LEAST_HANDS and won[name] > 0}


def _hands(path: Path) -> Iterator[History]:
    data = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    yield from read_phh(data.decode())


if __name__ == "__main__":
    main(sys.argv[1:])
