"""The decisions of a store of hands in memory: binned features, moves, players and the cards that became known.

A worker reads the store itself, from the same folder as the trainer. The fingerprint in a run's state makes sure that
both have the same hands.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.history.store.columns import HandColumns, take
from riverboat.history.store.parts import decode_part
from riverboat.opponents.decisions import WIDTH, stored_decisions
from riverboat.opponents.held_out import is_held_out
from riverboat.opponents.moves import choice_of
from riverboat.opponents.tendencies import TENDENCY_SHAPE
from riverboat.services.trainer.opponents.growth import BIN_COUNT

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_PARTS = "*/*.safetensors"
_SAMPLE = 200_000  # decisions that cuts are chosen from


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DecisionTable:
    """M decisions of P players in N hands."""

    names: tuple[str, ...]  # [P]
    held_out: NDArray[np.bool_]  # [P]: players that nothing is learnt from
    bins: U8  # [M, WIDTH]
    choice: U8  # [M]: the move, by its number in its situation
    situation: U8  # [M]
    player: I32  # [M]
    hand: I32  # [M]
    board: U8  # [N, 5]; 255 for cards that were not dealt
    cards: U8  # [M, 2]: the player's, where they became known; 255 elsewhere


def store_fingerprint(folder: str) -> str:
    """Return a hash of which parts a store has; InvalidInput if there are none."""
    paths = _paths(folder)
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.parent.name}/{path.name}:{path.stat().st_size}\n".encode())
    return digest.hexdigest()


def fitted_cuts(folder: str, player_count: int) -> list[F32]:
    """Return where the bins of each feature end, from the first decisions of a store."""
    rows: list[F32] = []
    count = 0
    for columns in _hands(folder, player_count):
        rows.append(stored_decisions(columns).features)
        count += len(rows[-1])
        if count >= _SAMPLE:
            break
    if not count:
        raise InvalidInput("store", f"has no hands of {player_count} players with names")
    sample = np.concatenate(rows)
    return [_cuts(sample[:, place]) for place in range(WIDTH)]


def _cuts(values: F32) -> F32:
    distinct = np.unique(values)
    if len(distinct) > BIN_COUNT:
        spread = np.quantile(values, np.linspace(0, 1, BIN_COUNT + 1)[1:-1])
        distinct = np.unique(np.append(spread.astype(np.float32), distinct[-1]))
    return ((distinct[:-1] + distinct[1:]) / 2).astype(np.float32)[: BIN_COUNT - 1]


def read_table(folder: str, player_count: int, most_hands: int, fingerprint: str, cuts: list[F32]) -> DecisionTable:
    """Return the decisions of a store's hands with so many players; kept for the next call."""
    packed = tuple(each.tobytes() for each in cuts)
    return _read_table(folder, player_count, most_hands, fingerprint, packed)


def forget_tables() -> None:
    """Free the memory of the table that was read last."""
    _read_table.cache_clear()


@lru_cache(maxsize=1)
def _read_table(
    folder: str, player_count: int, most_hands: int, fingerprint: str, packed: tuple[bytes, ...]
) -> DecisionTable:
    if store_fingerprint(folder) != fingerprint:
        raise InvalidInput("store", f"{folder} has other hands here than where the run began")
    edges, starts = _edges(packed)
    names: dict[str, int] = {}
    memory = np.zeros((1024, *TENDENCY_SHAPE), np.int64)
    pieces: list[tuple[NDArray[np.generic], ...]] = []
    hands = 0
    for columns in _hands(folder, player_count):
        if hands >= most_hands:
            break
        columns = take(columns, np.arange(min(columns.hand_count, most_hands - hands)))
        places = np.array([names.setdefault(name, len(names)) for name in columns.names], np.int64)
        while len(memory) < len(names):
            memory = np.concatenate([memory, np.zeros_like(memory)])
        rows = places[columns.player]
        decisions = stored_decisions(columns, memory, rows)
        bins = np.empty(decisions.features.shape, np.uint8)
        _write_bins(decisions.features, edges, starts, bins)
        choices = np.empty(len(decisions.move), np.uint8)
        _write_choices(decisions.situation, decisions.move, choices)
        seats = np.repeat(columns.seat_start[:-1], np.diff(columns.move_start)) + columns.mover
        pieces.append(
            (bins, choices, decisions.situation, rows[seats].astype(np.int32),
             (decisions.hand + hands).astype(np.int32), columns.board, columns.holding[seats])
        )  # fmt: skip
        hands += columns.hand_count
    bins, choice, situation, player, hand, board, cards = (np.concatenate(each) for each in zip(*pieces, strict=True))
    return DecisionTable(
        names=tuple(names),
        held_out=np.array([is_held_out(name) for name in names], np.bool_),
        bins=bins,
        choice=choice,
        situation=situation,
        player=player,
        hand=hand,
        board=board,
        cards=cards,
    )


def _paths(folder: str) -> list[Path]:
    paths = sorted(Path(folder).glob(_PARTS))
    if not folder or not paths:
        raise InvalidInput("store", f"{folder or 'nothing'} is not a store of hands; riverboat hands import makes one")
    return paths


def _hands(folder: str, player_count: int) -> Iterator[HandColumns]:
    """Yield the hands of each part that have so many players, all with names."""
    for path in _paths(folder):
        columns = decode_part(path.read_bytes()).columns
        counts = np.diff(columns.seat_start)
        nameless = np.add.reduceat(columns.player < 0, columns.seat_start[:-1]) if len(counts) else counts
        chosen = np.flatnonzero((counts == player_count) & (nameless == 0))
        if len(chosen):
            yield take(columns, chosen)


def _edges(packed: tuple[bytes, ...]) -> tuple[F32, I64]:
    cuts = [np.frombuffer(each, np.float32) for each in packed]
    return np.concatenate(cuts), np.cumsum([0, *map(len, cuts)])


@kernel
def _write_bins(features: F32, edges: F32, starts: I64, out: U8) -> None:
    for row in range(features.shape[0]):
        for f in range(features.shape[1]):
            low, high = starts[f], starts[f + 1]
            value = features[row, f]
            while low < high:  # the first edge that is not below the value
                middle = (low + high) // 2
                if edges[middle] < value:
                    low = middle + 1
                else:
                    high = middle
            out[row, f] = low - starts[f]


@kernel
def _write_choices(situations: U8, moves: U8, out: U8) -> None:
    for row in range(len(moves)):
        out[row] = choice_of(situations[row], moves[row])
