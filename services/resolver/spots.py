"""Spots as subgames, from what the state manager and the oracle say."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput, in_field
from riverboat.services.resolver.cuts import Below, below_cut, choose_cut
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.questions import LineTree, SpotQuestion, Step
from riverboat.solving.subgame import ACT, CHANCE, F32, I32, SHOWDOWN, Subgame, check_range

_CARD = 2  # characters


@dataclass(frozen=True, slots=True, eq=False)
class BuiltSpot:
    """A spot as a subgame, with what leads back."""

    spot: SpotQuestion
    subgame: Subgame
    tree: LineTree
    boards: tuple[str, ...]  # the cards of each
    below: Below | None  # a network's estimate of what lies below the cut
    leaf_name: str  # what lies below; empty if nothing is cut

    def actions(self, line: int) -> list[int]:
        """What can be done at a line."""
        lines = self.subgame.lines
        first, count = int(lines.first_child[line]), int(lines.child_count[line])
        return lines.action[first : first + count].tolist() if lines.kind[line] == ACT else []


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A node as somebody asked for it: a line, a board that was solved, and how its holdings are called there."""

    line: int
    board: int
    names: I32  # [H]: of each holding on the board that was solved, the one that was asked for
    cards: str


def build(
    upstream: Upstream,
    networks: Networks,
    spot: SpotQuestion,
    weights: F32,
    names: tuple[str, str],
    told_apart: Sequence[F32] = (),
) -> BuiltSpot:
    """The subgame of a spot; weights [2, H], whose fields in the request are called `names`.

    Suits are merged only where that leaves the ranges as they are, and whatever else tells holdings apart [H].
    """
    tree = upstream.lines(spot)
    cut = choose_cut(networks, spot, tree)
    lines = cut.lines
    deals = int(lines.levels().max())
    rows = np.concatenate([weights, [_as_weights(told_apart)]]) if told_apart else weights
    boards, cards, items = upstream.boards(spot, deals, rows.astype(np.float32), names)
    for name, row in zip(names, weights, strict=True):
        with in_field(name):
            check_range(row, boards.live[0])
    strengths = np.zeros((boards.count, len(items)), np.uint16)
    whole = [k for k, text in enumerate(cards) if len(text) == _CARD * tree.board_size]
    has_showdowns = (lines.kind == SHOWDOWN).any()
    if whole and has_showdowns:
        strengths[whole] = upstream.strengths(spot.deck, tuple(cards[k] for k in whole))

    def utility(board: int, rows: I32, columns: I32) -> F32:
        return upstream.utility(spot.deck, cards[board], rows, columns)

    below = below_cut(upstream, spot, cut, boards, cards)
    return BuiltSpot(spot, Subgame(lines, boards, items, weights, strengths, utility), tree, cards, below, cut.name)


def _as_weights(rows: Sequence[F32]) -> F32:
    """Rows [H] as one that could be a range: where any of them differs, it does."""
    found = np.zeros(len(rows[0]))
    for n, row in enumerate(rows):
        known = np.isfinite(row)
        low, high = (float(row[known].min()), float(row[known].max())) if known.any() else (0.0, 0.0)
        shares = (row.astype(np.float64) - low) / (high - low) if high > low else np.zeros(len(row))
        found += np.where(known, 1 + shares, 0) * (n + 1) ** 0.5
    return found.astype(np.float32)


def find(upstream: Upstream, built: BuiltSpot, path: tuple[Step, ...]) -> Place:
    """The node at the end of a path from the root."""
    lines = built.subgame.lines
    found = Place(0, 0, np.arange(built.subgame.holding_count, dtype=np.int32), built.boards[0])
    for n, step in enumerate(path):
        kind = lines.kind[found.line]
        if isinstance(step, str):
            if kind != CHANCE:
                raise InvalidInput(f"path[{n}].cards", "no cards are dealt here")
            found = _dealt(upstream, built, found, step, f"path[{n}].cards")
        else:
            actions = built.actions(found.line)
            if step not in actions:
                raise InvalidInput(f"path[{n}].action", f"{_word(step)} is not in the tree here")
            found = Place(
                int(lines.first_child[found.line]) + actions.index(step), found.board, found.names, found.cards
            )
    return found


def _dealt(upstream: Upstream, built: BuiltSpot, place: Place, cards: str, field: str) -> Place:
    """The place after a deal: the board itself, or the one that it is a mirror of."""
    asked = place.cards + "".join(cards.split())
    try:
        wanted = live_holdings(upstream, built.spot, asked)
    except InvalidInput as error:
        raise InvalidInput(field, error.reason) from None
    boards = built.subgame.boards
    for k in np.flatnonzero(boards.parent == place.board).tolist():
        for exchange in (np.arange(len(place.names)), *boards.mirrors[k]):
            names = place.names[exchange]
            live = np.zeros(len(names), np.bool_)
            live[names[boards.live[k]]] = True
            if np.array_equal(live, wanted):
                line = int(built.subgame.lines.first_child[place.line])
                return Place(line, k, names.astype(np.int32), asked)
    raise InvalidInput(field, f"{cards[:20]!r} cannot be dealt here")


def live_holdings(upstream: Upstream, spot: SpotQuestion, board: str) -> NDArray[np.bool_]:
    """Which holdings a board leaves [H]."""
    empty = np.zeros((0, 0), np.float32)
    question = SpotQuestion(b"", spot.deck, board, 0, 0, "", None, None, 0)
    found: NDArray[np.bool_] = upstream.boards(question, 0, empty)[0].live[0]
    return found


def _word(action: int) -> str:
    return "a fold" if action == -1 else "a call" if action == 0 else f"a raise to {action}"
