"""Nodes by the path to them, and the nodes nearest to the root."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from riverboat.actions import format_action
from riverboat.contracts.resolver import Action, Step
from riverboat.errors import InvalidInput, Unavailable
from riverboat.services.resolver.spots import PreparedSpot
from riverboat.solving.interfaces import DealtBoards
from riverboat.solving.subgame import ACT, CHANCE, I32


@dataclass(frozen=True, slots=True, eq=False)
class NodePlace:
    """A node from the caller's point of view: a line, the board that was solved, and the caller's holdings on it."""

    line: int
    board: int
    names: I32  # [H]: for each holding on the solved board, the one that the caller means
    cards: str


@dataclass(frozen=True, slots=True, eq=False)
class ReachedPlace:
    """A place among others: one step after its parent, by index."""

    place: NodePlace
    parent: int  # -1 for the root
    step: Step | None  # None for the root


def root_place(spot: PreparedSpot) -> NodePlace:
    """Return the root."""
    return NodePlace(0, 0, np.arange(spot.subgame.holding_count, dtype=np.int32), spot.built.dealt.cards[0])


def place_at(spot: PreparedSpot, path: Sequence[Step]) -> NodePlace:
    """Return the place at the end of a path from the root."""
    place = root_place(spot)
    for n, step in enumerate(path):
        if isinstance(step, str):
            place = _after_deal(spot, place, step, f"path[{n}].cards")
        else:
            place = _after_action(spot, place, step, f"path[{n}].action")
    return place


def _after_action(spot: PreparedSpot, place: NodePlace, action: Action, field: str) -> NodePlace:
    actions = spot.built.actions(place.line)
    if action not in actions:
        raise InvalidInput(field, f"{format_action(action)} is not in the tree here")
    return replace(place, line=int(spot.subgame.lines.first_child[place.line]) + actions.index(action))


def _after_deal(spot: PreparedSpot, place: NodePlace, cards: str, field: str) -> NodePlace:
    """Return the place after a deal: on the board itself, or on the one that it was merged with."""
    if spot.subgame.lines.kind[place.line] != CHANCE:
        raise InvalidInput(field, "no cards are dealt here")
    board = place.cards + "".join(cards.split())
    try:
        dealt = spot.terminals.deal(board, 0, np.zeros((0, 0), np.float32))
    except InvalidInput as error:
        raise InvalidInput(field, error.reason) from None
    wanted = dealt.boards.live[0].tobytes()
    for live, after in _solved_after(spot, place):
        if live == wanted:
            return replace(after, cards=board)
    raise InvalidInput(field, f"{cards[:20]!r} cannot be dealt here: no solved board has these cards")


def _solved_after(spot: PreparedSpot, place: NodePlace) -> Iterator[tuple[bytes, NodePlace]]:
    """Yield for each board after a deal, merged ones too, the holdings that it leaves and the place without cards."""
    boards, line = spot.subgame.boards, int(spot.subgame.lines.first_child[place.line])
    for k in np.flatnonzero(boards.parent == place.board).tolist():
        for exchange in (np.arange(len(place.names)), *boards.mirrors[k]):
            names = place.names[exchange].astype(np.int32)
            live = np.zeros(len(names), np.bool_)
            live[names[boards.live[k]]] = True
            yield live.tobytes(), NodePlace(line, k, names, "")


def deals_at(spot: PreparedSpot, place: NodePlace) -> tuple[str, ...]:
    """Return the cards that may be dealt next."""
    return tuple(cards[len(place.cards) :] for cards in _all_following(spot, place).cards[1:])


def _all_following(spot: PreparedSpot, place: NodePlace) -> DealtBoards:
    """Return the boards after the next deal, none of them merged: the weights differ for all holdings."""
    different = np.arange(spot.subgame.holding_count, dtype=np.float32)[None, :]
    return spot.terminals.deal(place.cards, 1, different)


class _Deals:
    """The places after a deal, computed once for each board: many lines lead to the same one."""

    def __init__(self, spot: PreparedSpot) -> None:
        self._spot = spot
        self._by_board: dict[str, list[tuple[str, NodePlace]]] = {}

    def after(self, place: NodePlace) -> list[tuple[str, NodePlace]]:
        """Return the cards of each deal, and the place that it leads to."""
        if place.cards not in self._by_board:
            self._by_board[place.cards] = self._find(place)
        line = int(self._spot.subgame.lines.first_child[place.line])
        return [(cards, replace(after, line=line)) for cards, after in self._by_board[place.cards]]

    def _find(self, place: NodePlace) -> list[tuple[str, NodePlace]]:
        dealt, solved = _all_following(self._spot, place), dict[bytes, NodePlace]()
        for live, after in _solved_after(self._spot, place):
            solved.setdefault(live, after)
        deals = []
        for k in range(1, dealt.boards.count):
            live = dealt.boards.live[k].tobytes()
            if live not in solved:
                raise Unavailable(f"the oracle's answer makes no sense: {dealt.cards[k][:20]} was not dealt before")
            deals.append((dealt.cards[k][len(place.cards) :], replace(solved[live], cards=dealt.cards[k])))
        return deals


def nearest_places(spot: PreparedSpot, most: int) -> list[ReachedPlace]:
    """Return the places where a player acts or cards are dealt, up to a maximum, breadth-first from the root."""
    deals = _Deals(spot)
    reached = [ReachedPlace(root_place(spot), -1, None)]
    waiting = deque([0])
    while waiting and len(reached) < most:
        parent = waiting.popleft()
        for step, place in _children(spot, deals, reached[parent].place):
            waiting.append(len(reached))
            reached.append(ReachedPlace(place, parent, step))
            if len(reached) == most:
                break
    return reached


def _children(spot: PreparedSpot, deals: _Deals, place: NodePlace) -> Iterator[tuple[Step, NodePlace]]:
    """Yield the steps from a place that do not end the hand, with the places that they lead to."""
    lines = spot.subgame.lines
    first = int(lines.first_child[place.line])
    goes_on = np.isin(lines.kind[first : first + int(lines.child_count[place.line])], (ACT, CHANCE)).tolist()
    if lines.kind[place.line] == ACT:
        for n, action in enumerate(spot.built.actions(place.line)):
            if goes_on[n]:
                yield action, replace(place, line=first + n)
    elif lines.kind[place.line] == CHANCE and goes_on[0]:
        yield from deals.after(place)
