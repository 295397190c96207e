"""Classes of holdings as a range in players' notation: "66+, ATs+, KQo"."""

from collections.abc import Collection

from riverboat.cards import RANKS


def range_text(labels: Collection[str]) -> str:
    """Return classes of a hold'em deck as a range, pairs first, then by the higher card."""
    wanted = set(labels)
    parts = _runs([rank + rank for rank in RANKS], wanted, top="A")
    for kind in "so":
        for place in range(len(RANKS) - 1, 0, -1):
            high = RANKS[place]
            kickers = [f"{high}{low}{kind}" for low in RANKS[:place]]
            parts += _runs(kickers, wanted, top=RANKS[place - 1])
    return ", ".join(parts)


def _runs(labels: list[str], wanted: set[str], top: str) -> list[str]:
    """Return runs of neighbouring classes, the strongest first; one that ends at the `top` kicker has a plus."""
    runs, run = list[list[str]](), list[str]()
    for label in [*labels, ""]:
        if label in wanted:
            run.append(label)
        elif run:
            runs.append(run)
            run = []
    return [_words(run, top) for run in reversed(runs)]


def _words(run: list[str], top: str) -> str:
    if len(run) == 1:
        return run[0]
    return f"{run[0]}+" if run[-1][1] == top else f"{run[-1]}-{run[0]}"
