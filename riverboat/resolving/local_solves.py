"""Solves in this process, to the end of the hand: for small games, late streets, and tests."""

from dataclasses import dataclass, replace

import numpy as np

from riverboat.cards import format_cards
from riverboat.errors import InvalidInput
from riverboat.holdings import live_holdings
from riverboat.resolving.solution import Bound, Passage, SolvedStart
from riverboat.rules.bet_sizes import BetSize, BetSizes, Unit
from riverboat.rules.betting import CALL
from riverboat.rules.state import PublicState
from riverboat.solving.capture import captured
from riverboat.solving.cfr import RECENT, Algorithm, Solver, new_solver
from riverboat.solving.memory import Precision
from riverboat.solving.resolution import Resolution, read_resolution, resolve_ranges, resolve_safely
from riverboat.solving.subgame import ACT, F64, LEAF
from riverboat.solving.traversal import EVALUATE
from riverboat.spots.spot import BuiltSpot, Spot, build


@dataclass(frozen=True, slots=True)
class LocalSolves:
    """Solves whole trees with fixed bet sizes and a fixed number of iterations, without merging suits."""

    sizes: BetSizes
    iterations: int
    algorithm: Algorithm = RECENT
    precision: Precision = Precision.SINGLE

    def resolve(
        self, public: PublicState, own: F64, bound: Bound, is_past: bool = False, played: int | None = None
    ) -> "LocalSolution":
        """Return the solution of a state to the end of the hand; see `Solves.resolve` for the arguments."""
        actor = _actor(public)
        other = bound.weights if bound.weights is not None else _all_holdings(public)
        sizes = self.sizes if played is None else _with_raise(self.sizes, public, played)
        built, solver = self._start(public, _by_seat(actor, own, other), sizes)
        if bound.values is None:
            return LocalSolution(built, resolve_ranges(solver, self.iterations))
        return LocalSolution(built, resolve_safely(solver, bound.values, self.iterations))

    def solve_start(self, public: PublicState, own: F64, other: F64, opponent: int) -> SolvedStart:
        """Return the solution of a state where both ranges are known; see `Solves.solve_start`."""
        built, solver = self._start(public, _by_seat(1 - opponent, own, other), self.sizes)
        solver.run(self.iterations)
        return SolvedStart(
            captured(solver, opponent, EVALUATE).at(0), LocalSolution(built, read_resolution(solver, False))
        )

    def _start(self, public: PublicState, weights: F64, sizes: BetSizes) -> tuple[BuiltSpot, Solver]:
        built = build(Spot(public, weights.astype(np.float32), sizes), isomorphic=False)
        return built, new_solver(built.subgame, self.algorithm, precision=self.precision)


@dataclass(frozen=True, slots=True, eq=False)
class LocalSolution:
    """A solution with its tree and boards, for the player who acts at one of its lines before the next deal."""

    built: BuiltSpot
    resolution: Resolution
    line: int = 0

    @property
    def actions(self) -> tuple[int, ...]:
        """The player's actions."""
        return tuple(_actions_of(self.built, self.line))

    @property
    def strategy(self) -> F64:
        """The average strategy [A, H]."""
        return self.resolution.strategy_at(self.line)

    def opponent_values(self, passage: Passage) -> F64 | None:
        """Return the values that the opponent can count on after a passage [H]; None if the tree ends at its deal."""
        lines, cards = self.built.subgame.lines, self.built.spot.public.board + passage.cards
        line, board = self._line_after(passage), 0
        if passage.cards:
            if lines.kind[line] == LEAF:
                return None
            line = int(lines.first_child[line])
            board = self._board(cards)
        live = self.built.subgame.boards.live[board]
        return self.resolution.values_at(1 - int(lines.player[self.line]), line, board, live)

    def opponent_range(self, passage: Passage) -> F64:
        """Return the opponent's range after a passage, before the passage's cards are dealt [H]."""
        opponent = 1 - int(self.built.subgame.lines.player[self.line])
        return self.resolution.range_at(opponent, self._line_after(passage))

    def follow(self, actions: tuple[int, ...]) -> "LocalSolution | None":
        """Return the same solution after some actions on this street; None if it does not have them."""
        lines, line = self.built.subgame.lines, self.line
        for action in actions:
            if action not in _actions_of(self.built, line):
                return None
            line = int(lines.first_child[line]) + _actions_of(self.built, line).index(action)
        return replace(self, line=line) if lines.kind[line] == ACT and not (lines.kind == LEAF).any() else None

    def _line_after(self, passage: Passage) -> int:
        line = self.line
        for action in (passage.action, passage.reply):
            if action is not None:
                line = int(self.built.subgame.lines.first_child[line]) + _actions_of(self.built, line).index(action)
        return line

    def _board(self, cards: tuple[int, ...]) -> int:
        """Return the index of the board with these cards; their order within a deal makes no difference."""
        size = len(self.built.spot.public.board)
        for board, dealt in enumerate(self.built.cards):
            if len(dealt) == len(cards) and sorted(dealt[size:]) == sorted(cards[size:]):
                return board
        raise InvalidInput("cards", f"{format_cards(cards)} cannot be dealt here: no board of the tree has these cards")


def _actions_of(built: BuiltSpot, line: int) -> list[int]:
    lines = built.subgame.lines
    first = int(lines.first_child[line])
    actions: list[int] = lines.action[first : first + int(lines.child_count[line])].tolist()
    return actions if lines.kind[line] == ACT else []


def _all_holdings(public: PublicState) -> F64:
    """Return a range of all holdings that the board allows [H]."""
    return live_holdings(public.variant.deck, public.board).astype(np.float64)


def _actor(public: PublicState) -> int:
    if public.actor is None:
        raise InvalidInput("state", "nobody is to act")
    return public.actor


def _by_seat(seat: int, own: F64, other: F64) -> F64:
    return np.array([own, other] if seat == 0 else [other, own])


def _with_raise(sizes: BetSizes, public: PublicState, to: int) -> BetSizes:
    """Return bet sizes that also have a raise to `to` on the state's street."""
    if to <= CALL:
        raise InvalidInput("played", "must be an action of the tree or a raise")
    size = BetSize(Unit.CHIPS, to - public.bet)
    streets = [sizes.on(street) for street in range(max(len(sizes.streets), public.street + 2))]
    bets, raises = streets[public.street]
    streets[public.street] = (*bets, size), (*raises, size)
    return replace(sizes, streets=tuple(streets))
