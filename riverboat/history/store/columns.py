"""Hands as columns: one row for each hand, each seat of a hand, and each move of a hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.history.store.games import StoredGame

I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]

PER_HAND = ("number", "line", "game", "rake", "board")
PER_SEAT = ("player", "stack", "won", "shown", "holding")
PER_MOVE = ("mover", "move")
COLUMN_NAMES = (*PER_HAND, "seat_start", "move_start", *PER_SEAT, *PER_MOVE)


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: the starts of hands are worked out once
class HandColumns:
    """N hands with S seats and M moves in all, in the order of their file. Amounts are chips of the hand's game."""

    games: tuple[StoredGame, ...]
    names: tuple[str, ...]  # of players
    number: I64  # [N]: the hand's number in its file; -1 if it has none
    line: I64  # [N]: where in its file the hand begins, from 1
    game: I64  # [N]: place in `games`
    rake: I64  # [N]: chips
    board: U8  # [N, 5]: cards, 255 for those that were not dealt
    seat_start: I64  # [N + 1]: the hand's seats are those from here to the next hand's
    move_start: I64  # [N + 1]
    player: I64  # [S]: place in `names`; -1 for a player without a name
    stack: I64  # [S]: before antes and blinds; -1 where the file does not know it
    won: I64  # [S]: won or lost, after rake where the file tells; NOT_KNOWN where cards decide that are not known
    shown: U8  # [S]: NOT_SHOWN, SHOWN or MUCKED
    holding: U8  # [S, 2]: cards, 255 where they are not known
    mover: U8  # [M]: the seat
    move: I64  # [M]: FOLD, CALL (also a check), or the chips to raise to

    @property
    def hand_count(self) -> int:
        """Number of hands, N."""
        return len(self.number)

    @cached_property
    def rules(self) -> tuple[I64, I64]:
        """The rules of all games as kernels read them, one after another, and where each begins [G + 1]."""
        arrays = [game.rules for game in self.games]
        starts = np.cumsum([0, *map(len, arrays)])
        return np.concatenate([np.zeros(0, np.int64), *arrays]), starts.astype(np.int64)

    def column(self, name: str) -> NDArray[Any]:
        """Return a column by its name."""
        values: NDArray[Any] = getattr(self, name)
        return values


def empty_columns() -> HandColumns:
    """Return no hands."""
    arrays: dict[str, Any] = {name: np.zeros(0, np.int64) for name in COLUMN_NAMES}
    arrays |= {"seat_start": np.zeros(1, np.int64), "move_start": np.zeros(1, np.int64)}
    arrays |= {"board": np.zeros((0, 5), np.uint8), "holding": np.zeros((0, 2), np.uint8)}
    arrays |= {"shown": np.zeros(0, np.uint8), "mover": np.zeros(0, np.uint8)}
    return HandColumns(games=(), names=(), **arrays)


def join(parts: Sequence[HandColumns]) -> HandColumns:
    """Return the hands of all parts, one after another; games and names that several have are joined."""
    games: dict[StoredGame, int] = {}
    names: dict[str, int] = {}
    columns: dict[str, list[NDArray[Any]]] = {name: [] for name in COLUMN_NAMES}
    seats = moves = 0
    for part in parts:
        game_places = np.array([games.setdefault(game, len(games)) for game in part.games], np.int64)
        player_places = np.array([names.setdefault(name, len(names)) for name in part.names] + [-1], np.int64)
        moved = {
            "game": game_places[part.game],
            "player": player_places[part.player],  # -1 is the last
            "seat_start": part.seat_start[:-1] + seats,
            "move_start": part.move_start[:-1] + moves,
        }
        for name in COLUMN_NAMES:
            columns[name].append(moved.get(name, part.column(name)))
        seats, moves = seats + len(part.player), moves + len(part.move)
    columns["seat_start"].append(np.array([seats]))
    columns["move_start"].append(np.array([moves]))
    nothing = empty_columns()
    joined = {name: np.concatenate([nothing.column(name)[:0], *columns[name]]) for name in COLUMN_NAMES}
    return HandColumns(games=tuple(games), names=tuple(names), **joined)


def take(columns: HandColumns, hands: I64) -> HandColumns:
    """Return some hands, in the order given; games and names stay."""
    seat_places, seat_start = _ranges(columns.seat_start, hands)
    move_places, move_start = _ranges(columns.move_start, hands)
    taken: dict[str, NDArray[Any]] = {name: columns.column(name)[hands] for name in PER_HAND}
    taken |= {name: columns.column(name)[seat_places] for name in PER_SEAT}
    taken |= {name: columns.column(name)[move_places] for name in PER_MOVE}
    taken |= {"seat_start": seat_start, "move_start": move_start}
    return HandColumns(games=columns.games, names=columns.names, **taken)


def _ranges(starts: I64, hands: I64) -> tuple[I64, I64]:
    """Return the places of the rows of these hands, and where each hand's rows then begin."""
    counts = starts[hands + 1] - starts[hands]
    begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    places = np.arange(begins[-1]) + np.repeat(starts[hands] - begins[:-1], counts)
    return places, begins


def check_columns(columns: HandColumns) -> None:
    """Raise InvalidInput unless the columns fit together."""
    count, seats, moves = columns.hand_count, len(columns.player), len(columns.move)
    lengths = dict.fromkeys(PER_HAND, count) | dict.fromkeys(PER_SEAT, seats)
    lengths |= dict.fromkeys(PER_MOVE, moves) | {"seat_start": count + 1, "move_start": count + 1}
    for name, length in lengths.items():
        if len(columns.column(name)) != length:
            raise InvalidInput(name, f"must have {length:,} rows, not {len(columns.column(name)):,}")
    for name, end in (("seat_start", seats), ("move_start", moves)):
        starts = columns.column(name)
        if starts[0] != 0 or starts[-1] != end or np.any(starts[1:] < starts[:-1]):
            raise InvalidInput(name, f"must rise from 0 to {end:,}")
    for name, most, least in (("game", len(columns.games), 0), ("player", len(columns.names), -1)):
        values = columns.column(name)
        if len(values) and not (least <= values.min() and values.max() < most):
            raise InvalidInput(name, f"must be {least} to {most - 1}")
    players = np.array([game.player_count for game in columns.games], np.int64)
    if count and np.any(players[columns.game] != np.diff(columns.seat_start)):
        raise InvalidInput("seat_start", "a hand has as many seats as its game has players")
