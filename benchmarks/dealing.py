"""The cost of fair dealing: python -m benchmarks.dealing."""

import statistics
import time
from collections.abc import Callable

from riverboat.cards import DECKS
from riverboat.dealing.mix import Offer, mix_of, order_of
from riverboat.dealing.predeck import opens, pre_deck
from riverboat.dealing.shuffle import shuffle_by_seed

_ROUNDS, _REPEATS = 200, 9


def microseconds(work: Callable[[], object]) -> float:
    """Return the median time of a call, in microseconds."""
    rounds = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        for _ in range(_ROUNDS):
            work()
        rounds.append((time.perf_counter() - start) / _ROUNDS * 1e6)
    return statistics.median(rounds)


def main() -> None:
    """Print a table."""
    deck, seed = DECKS["52"], bytes(32)
    made = pre_deck(deck, seed)
    opening = made.opening(3)
    mix = mix_of(Offer("t", 1, 1, (made.root, made.root)).commitment, (0, 1), ("ab" * 32, ""))
    rows = {
        "shuffle of 52 cards (a whole deal v1)": lambda: shuffle_by_seed(deck, seed),
        "pre-deck with its tree": lambda: pre_deck(deck, seed),
        "order of a mix": lambda: order_of(mix, 52),
        "opening of a card": lambda: made.opening(3),
        "check of an opening": lambda: opens(made.root, 52, 3, made.cards[3], opening),
    }
    for name, work in rows.items():
        print(f"{name:40} {microseconds(work):8.1f} us")


if __name__ == "__main__":
    main()
