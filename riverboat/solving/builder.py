"""The one builder of subgames: from the betting, the terminals and two ranges. It knows no poker."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riverboat.errors import in_field
from riverboat.solving.interfaces import Betting, DealtBoards, Terminals
from riverboat.solving.subgame import ACT, F32, I32, SHOWDOWN, Subgame, check_range

_RANGE_NAMES = ("weights[0]", "weights[1]")


@dataclass(frozen=True, slots=True, eq=False)
class BuiltSubgame:
    """A subgame, with the betting and the boards that it was built from."""

    subgame: Subgame
    betting: Betting
    dealt: DealtBoards

    def actions(self, line: int) -> list[int]:
        """Return the actions at a line; none if nobody acts there."""
        lines = self.subgame.lines
        first, count = int(lines.first_child[line]), int(lines.child_count[line])
        return lines.action[first : first + count].tolist() if lines.kind[line] == ACT else []


def build_subgame(
    betting: Betting,
    terminals: Terminals,
    board: str,
    weights: F32,
    *,
    names: Sequence[str] = _RANGE_NAMES,
    told_apart: Sequence[F32] = (),
) -> BuiltSubgame:
    """Build the subgame from a board on, for ranges [2, H] that errors refer to by `names`.

    Suits are merged only where that changes neither a range nor any row of `told_apart` [H].
    """
    lines = betting.lines
    kept = np.concatenate([weights, [_as_weights(told_apart)]]) if told_apart else weights
    dealt = terminals.deal(board, int(lines.levels().max()), kept.astype(np.float32))
    boards = dealt.boards
    for name, row in zip(names, weights, strict=True):
        with in_field(name):
            check_range(row, boards.live[0])
    strengths = np.zeros((boards.count, len(dealt.items)), np.uint16)
    complete = np.flatnonzero(dealt.sizes == betting.board_size).tolist()
    if complete and (lines.kind == SHOWDOWN).any():
        strengths[complete] = terminals.strengths(tuple(dealt.cards[k] for k in complete))

    def utility(board: int, rows: I32, columns: I32) -> F32:
        return terminals.utility(dealt.cards[board], rows, columns)

    return BuiltSubgame(
        Subgame(lines=lines, boards=boards, items=dealt.items, weights=weights, strengths=strengths, utility=utility),
        betting,
        dealt,
    )


def _as_weights(rows: Sequence[F32]) -> F32:
    """Return one row [H] that can pass for a range, and differs wherever any of the rows does."""
    combined = np.zeros(len(rows[0]))
    for n, row in enumerate(rows):
        known = np.isfinite(row)
        low, high = (float(row[known].min()), float(row[known].max())) if known.any() else (0.0, 0.0)
        shares = (row.astype(np.float64) - low) / (high - low) if high > low else np.zeros(len(row))
        combined += np.where(known, 1 + shares, 0) * (n + 1) ** 0.5
    return combined.astype(np.float32)
