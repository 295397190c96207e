"""How well models foresee the moves in stored hands, player by player as at a table: from earlier hands only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.columns import HandColumns, take
from riverboat.opponents.boosted_moves import KIND_COUNT, BoostedForest, write_kinds
from riverboat.opponents.decisions import stored_decisions
from riverboat.opponents.held_out import is_held_out
from riverboat.opponents.models import OpponentModels
from riverboat.opponents.moves import CHOICE_COUNT, choice_of, first_size
from riverboat.opponents.posterior import add_evidence, write_posterior
from riverboat.opponents.styles import Forest, leaf_of
from riverboat.opponents.tendencies import SITUATION_COUNT, TENDENCY_SHAPE

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]

METHODS = ("everybody", "styles", "boosted")
KNOWN_HANDS = 100  # after which a player counts as known
RELIABILITY_BINS = 20
_FLOOR = 1e-6


class _Trees(NamedTuple):
    """The models as one kernel takes them."""

    styles: Forest
    style_chances: F32
    shares: F64
    everybody: Forest
    everybody_chances: F32
    boosting: BoostedForest


class _Sums(NamedTuple):
    """Sums over decisions; the first axis is 0 for players not yet known, 1 for known ones."""

    moves: I64  # [2, SITUATION_COUNT, KIND_COUNT]: what was done
    hits: F64  # [2, METHODS]
    logs: F64  # [2, METHODS]: minus the logarithms of the chances of what was done
    sizes: F64  # [2, 2]: bets and raises, and how many sizes the styles foresaw
    confused: I64  # [METHODS, 5, 5]: kinds foreseen and done
    reliability: F64  # [RELIABILITY_BINS, 3]: count, sum of chances, times that it happened


@dataclass(slots=True, eq=False)
class MoveScores:
    """Sums over the decisions of some players."""

    sums: _Sums = field(default_factory=lambda: _no_sums())


def _no_sums() -> _Sums:
    return _Sums(
        moves=np.zeros((2, SITUATION_COUNT, KIND_COUNT), np.int64),
        hits=np.zeros((2, len(METHODS))),
        logs=np.zeros((2, len(METHODS))),
        sizes=np.zeros((2, 2)),
        confused=np.zeros((len(METHODS), 5, 5), np.int64),
        reliability=np.zeros((RELIABILITY_BINS, 3)),
    )


class MoveScorer:
    """Scores models on hands of one number of players, part after part; it remembers every player."""

    def __init__(self, models: OpponentModels) -> None:
        self.player_count = models.player_count
        self.everyone, self.held_out = MoveScores(), MoveScores()
        self._trees = _Trees(
            styles=models.styles.forest,
            style_chances=models.styles.chances,
            shares=models.styles.shares,
            everybody=models.everybody.forest,
            everybody_chances=models.everybody.chances,
            boosting=models.boosted.boosting,
        )
        self._rows: dict[str, int] = {}
        self._memory = np.zeros((0, *TENDENCY_SHAPE), np.int64)
        self._evidence = np.zeros((0, models.styles.count))
        self._hands = np.zeros(0, np.int64)
        self._by_player = np.zeros((0, 5))  # known moves; foreseen by everybody's trees, styles; log-losses of both
        self._is_held_out = np.zeros(0, np.bool_)

    def add(self, columns: HandColumns) -> None:
        """Score the hands that have the right number of players; those of players without names are left out."""
        counts = np.diff(columns.seat_start)
        nameless = np.add.reduceat(columns.player < 0, columns.seat_start[:-1]) if len(counts) else counts
        columns = take(columns, np.flatnonzero((counts == self.player_count) & (nameless == 0)))
        if not columns.hand_count:
            return
        places = np.array([self._row(name) for name in columns.names], np.int64)
        self._grow()
        rows = places[columns.player]
        decisions = stored_decisions(columns, self._memory, rows)
        seats = np.repeat(columns.seat_start[:-1], np.diff(columns.move_start)) + columns.mover
        _score(
            self._trees, decisions.features, decisions.situation, decisions.move, decisions.hand, rows[seats],
            self._evidence, self._hands, self._by_player, self._is_held_out, self.everyone.sums,
            self.held_out.sums,
        )  # fmt: skip

    def _row(self, name: str) -> int:
        return self._rows.setdefault(name, len(self._rows))

    def _grow(self) -> None:
        before, needed = len(self._hands), len(self._rows)
        if needed <= before:
            return
        room = 2 * needed
        for name in ("_memory", "_evidence", "_hands", "_by_player", "_is_held_out"):
            narrow = getattr(self, name)
            wide = np.zeros((room, *narrow.shape[1:]), narrow.dtype)
            wide[:before] = narrow
            setattr(self, name, wide)
        for name, row in self._rows.items():
            self._is_held_out[row] = is_held_out(name)

    def gain_of_styles(self) -> dict[str, float]:
        """Return by how much the styles beat one model for all, in accuracy and log-loss, on held-out players who were
        seen for KNOWN_HANDS hands, each with half the width of a 95 % interval over players.
        """
        chosen = self._by_player[self._is_held_out & (self._by_player[:, 0] > 0)]
        if len(chosen) < 2:
            return {}
        moves = chosen[:, 0]
        gains: dict[str, float] = {}
        for name, gain in (
            ("accuracy", chosen[:, 2] - chosen[:, 1]),
            ("log_loss", chosen[:, 3] - chosen[:, 4]),
        ):
            mean = float(gain.sum() / moves.sum())
            spread = gain - mean * moves  # of a ratio, by the delta method
            error = 1.96 * float(np.sqrt((spread**2).sum() * len(moves) / (len(moves) - 1)) / moves.sum())
            gains |= {name: mean, f"{name}_error": error}
        return gains | {"players": float(len(chosen))}


def scores_as_dict(scores: MoveScores) -> dict[str, Any]:
    """Return scores as JSON has them: of all decisions, and of those of players who were known and who were not."""
    sums = scores.sums
    out: dict[str, Any] = {}
    for name, part in (("all", slice(0, 2)), ("first_hundred_hands", slice(0, 1)), ("after", slice(1, 2))):
        moves = sums.moves[part].sum(0)
        total = int(moves.sum())
        if not total:
            out[name] = {"moves": 0}
            continue
        kinds = kinds_of(moves)
        bets = float(sums.sizes[part, 0].sum())
        out[name] = {
            "moves": total,
            "naive_accuracy": float(kinds.max() / total),
            "situation_accuracy": float(moves.max(1).sum() / total),
            "accuracy": _by_method(sums.hits[part].sum(0) / total),
            "log_loss": _by_method(sums.logs[part].sum(0) / total),
            "size_accuracy": float(sums.sizes[part, 1].sum() / bets) if bets else None,
        }
    out["confusion"] = {method: sums.confused[place].tolist() for place, method in enumerate(METHODS)}
    out["reliability"] = [
        {"moves": int(count), "chance": chance / count, "share": hit / count}
        for count, chance, hit in sums.reliability.tolist()
        if count
    ]
    return out


def kinds_of(moves: I64) -> I64:
    """Return how many folds, checks, calls, bets and raises there are among moves [SITUATION_COUNT, KIND_COUNT].

    Before the flop a raise without a bet to call is the big blind's, and counts as a raise.
    """
    folds, calls = moves[1::2, 0].sum(), moves[1::2, 1].sum()
    raises = moves[1::2, 2].sum() + moves[0, 2]
    return np.array([folds, moves[::2, 0].sum(), calls, moves[2::2, 2].sum(), raises])


def _by_method(values: F64) -> Mapping[str, float]:
    return {method: float(value) for method, value in zip(METHODS, values, strict=True)}


@kernel
def _five_kinds(situation: int, kind: int) -> int:
    """Return 0 for a fold, then check, call, bet, raise."""
    if kind == 0:
        return situation & 1 ^ 1
    if kind == 1:
        return 2
    return 4 if situation & 1 or situation == 0 else 3


@kernel
def _score(
    trees: _Trees, features: F32, situations: U8, moves: U8, hands: I64, players: I64, evidence: F64, seen: I64,
    by_player: F64, is_held_out: NDArray[np.bool_], everyone: _Sums, held_out: _Sums,
) -> None:  # fmt: skip
    count = evidence.shape[1]
    numbers, posterior = np.empty(features.shape[1]), np.empty(count)
    style_row, kinds = np.empty(CHOICE_COUNT), np.empty((len(METHODS), KIND_COUNT))
    first_of_hand = 0
    for at in range(len(moves)):
        player, situation = players[at], situations[at]
        numbers[:] = features[at]
        choice, first = choice_of(situation, moves[at]), first_size(situation)
        kind = min(choice, 2) if first == 2 else (2 if choice >= 1 else 0)
        write_posterior(trees.shares, evidence[player], posterior)
        style_row[:] = 0
        for style in range(count):
            leaf = leaf_of(trees.styles, trees.styles.roots[style, situation], numbers)
            for each in range(CHOICE_COUNT):
                style_row[each] += posterior[style] * trees.style_chances[leaf, each]
        leaf = leaf_of(trees.everybody, trees.everybody.roots[0, situation], numbers)
        _sum_kinds(trees.everybody_chances[leaf].astype(np.float64), first, kinds[0])
        _sum_kinds(style_row, first, kinds[1])
        write_kinds(trees.boosting, situation, numbers, kinds[2])
        known = int(seen[player] >= KNOWN_HANDS)
        size_hit = kind == 2 and np.argmax(style_row[first:]) == choice - first
        _add(everyone, kinds, situation, kind, known, size_hit)
        if is_held_out[player]:
            _add(held_out, kinds, situation, kind, known, size_hit)
        if known:
            by_player[player, 0] += 1
            for method in range(2):
                by_player[player, 1 + method] += np.argmax(kinds[method]) == kind
                by_player[player, 3 + method] -= np.log(max(_FLOOR, kinds[method, kind]))
        if at + 1 == len(moves) or hands[at + 1] != hands[at]:
            for earlier in range(first_of_hand, at + 1):  # a hand is evidence once it is over
                numbers[:] = features[earlier]
                situation = situations[earlier]
                choice = choice_of(situation, moves[earlier])
                add_evidence(trees.styles, trees.style_chances, situation, choice, numbers, evidence[players[earlier]])
                seen[players[earlier]] += _is_first(players, first_of_hand, earlier)
            first_of_hand = at + 1


@kernel
def _is_first(players: I64, begin: int, at: int) -> bool:
    """Return whether a move is its player's first in a hand that begins at a place."""
    return not (players[begin:at] == players[at]).any()


@kernel
def _sum_kinds(chances: F64, first: int, out: F64) -> None:
    out[0], out[1], out[2] = chances[0], 0.0, 0.0
    if first == 2:
        out[1] = chances[1]
    for choice in range(first, CHOICE_COUNT):
        out[2] += chances[choice]


@kernel
def _add(sums: _Sums, kinds: F64, situation: int, kind: int, known: int, size_hit: bool) -> None:
    sums.moves[known, situation, kind] += 1
    done = _five_kinds(situation, kind)
    for method in range(len(METHODS)):
        foreseen = int(np.argmax(kinds[method]))
        sums.hits[known, method] += foreseen == kind
        sums.logs[known, method] -= np.log(max(_FLOOR, kinds[method, kind]))
        sums.confused[method, _five_kinds(situation, foreseen), done] += 1
    sums.sizes[known, 0] += kind == 2
    sums.sizes[known, 1] += size_hit
    for each in range(KIND_COUNT):
        chance = kinds[2, each]
        if each != 1 or situation & 1:
            place = min(RELIABILITY_BINS - 1, int(chance * RELIABILITY_BINS))
            sums.reliability[place, 0] += 1
            sums.reliability[place, 1] += chance
            sums.reliability[place, 2] += each == kind
