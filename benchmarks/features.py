"""Card features: equity now and the deciles of equity on later streets."""

from collections.abc import Iterator

from benchmarks.timing import Row, TimedCall, in_turn, milliseconds, per_second
from riverboat.cards import DECKS, parse_cards
from riverboat.features.card_features import all_features, holding_features

_DECK = DECKS["52"]
_HOLDING = parse_cards("Ac3h")
_FLOP, _TURN, _RIVER = (parse_cards("Kh3sJc7d2c")[:size] for size in (3, 4, 5))


def rows() -> Iterator[Row]:
    """Yield the rows about features."""
    yield _one("a vector on the flop, 1,081 rivers", _FLOP, 4, 0.002)
    yield _one("a vector on the turn", _TURN, 50, 0.0001)
    yield _one("a vector on the river", _RIVER, 100, None)
    yield _row("all 1,326 holdings on a flop", lambda: all_features(_DECK, _FLOP), 1, 0.2)
    yield _row("all 1,326 holdings on a turn", lambda: all_features(_DECK, _TURN), 1, None)


def _one(work: str, board: tuple[int, ...], count: int, bar: float | None) -> Row:
    """Measure `count` vectors at a time: a millisecond, so that other work on the machine interrupts few of them."""

    def ours() -> None:
        for _ in range(count):
            holding_features(_DECK, board, _HOLDING)

    return _row(work, ours, count, bar)


def _row(work: str, ours: TimedCall, count: int, bar: float | None) -> Row:
    each = in_turn(ours, rounds=51)[0] / count
    shown, met = f"{milliseconds(each)}, {per_second(1, each)}", None if bar is None else each <= bar
    return Row(f"features: {work}", shown, "", "", "" if bar is None else milliseconds(bar), met)


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work:45} {row.ours}")
