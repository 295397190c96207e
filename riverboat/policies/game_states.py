"""Game states from a blueprint's play against itself; policies learn from them.

A deal is played several times, because its card features take most of the time. The state at each decision is recorded:
the features of the player who acts, and the blueprint's chance of each choice of the menu.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.clusters import nearest_centres
from riverboat.cards import Deck, deal
from riverboat.errors import InvalidInput
from riverboat.features.card_features import feature_count, holding_features
from riverboat.features.preflop import class_numbers
from riverboat.holdings import holding_index
from riverboat.policies.menus import Menu, menus_of, places_in_menus
from riverboat.rules.betting import ACT, BETS, CHANCE, STREET
from riverboat.rules.lines import BettingTree
from riverboat.streets import STREETS

F32 = NDArray[np.float32]
PLAYERS = 2
_BOARD = 5


@dataclass(frozen=True, slots=True, eq=False)
class StreetStates:
    """States of one street."""

    features: F32  # [N, F]
    chances: F32  # [N, A], of the choices of the street's menu

    def __len__(self) -> int:
        return len(self.features)


def joined(parts: list[tuple[StreetStates, ...]]) -> tuple[StreetStates, ...]:
    """Return the states of several drawings, by street."""
    return tuple(
        StreetStates(np.concatenate([one.features for one in of]), np.concatenate([one.chances for one in of]))
        for of in zip(*parts, strict=True)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _KnownCards:
    """The group and features of a player's cards on a street."""

    features: F32
    group: int


class StateSource:
    """Draws states from a blueprint's self-play."""

    def __init__(self, blueprint: Blueprint, preflop: F32) -> None:
        game = blueprint.game
        if not game.variant.deck.is_holdem:
            raise InvalidInput("blueprint", "policies are learnt from blueprints of hold'em")
        self._blueprint, self._preflop = blueprint, preflop
        self.menus: tuple[Menu, ...] = menus_of(game.sizes, len(STREETS))
        self._places = places_in_menus(game.betting, game.tree.street, self.menus)
        self._bets = bets_by_line(game.betting, len(STREETS))
        self._classes = class_numbers(game.variant.deck)

    @property
    def deck(self) -> Deck:
        """The deck of the game."""
        return self._blueprint.game.variant.deck

    def draw(self, deals: int, lines: int, explore: float, rng: np.random.Generator) -> tuple[StreetStates, ...]:
        """Return the states of a number of deals, each played `lines` times.

        With the chance `explore` a decision goes on with a random action, so that a policy also learns how the
        blueprint plays in states that it rarely reaches.
        """
        rows: list[list[F32]] = [[] for _ in STREETS]
        labels: list[list[F32]] = [[] for _ in STREETS]
        for _ in range(deals):
            dealt = deal(self.deck, PLAYERS, _BOARD, rng)
            known: dict[tuple[int, int], _KnownCards] = {}
            for _ in range(lines):
                self._play(dealt.holdings, dealt.board, known, explore, rng, rows, labels)
        return tuple(
            StreetStates(
                np.array(rows[street], np.float32).reshape(-1, feature_count(self.deck, size) + len(STREETS)),
                np.array(labels[street], np.float32).reshape(-1, len(self.menus[street])),
            )
            for street, size in enumerate(self.deck.board_sizes)
        )

    def _play(
        self,
        holdings: tuple[tuple[int, ...], ...],
        board: tuple[int, ...],
        known: dict[tuple[int, int], _KnownCards],
        explore: float,
        rng: np.random.Generator,
        rows: list[list[F32]],
        labels: list[list[F32]],
    ) -> None:
        """Play a deal once and add the states that it goes through."""
        tree = self._blueprint.game.tree
        node = 0
        while tree.kind[node] in (ACT, CHANCE):
            if tree.kind[node] == CHANCE:
                node = int(tree.first_child[node])
                continue
            player, street = int(tree.actor[node]), int(tree.street[node])
            if (player, street) not in known:
                known[player, street] = self._card(holdings[player], board, street)
            card = known[player, street]
            chances = self._chances(node, card.group)
            first, count = int(tree.first_child[node]), len(chances)
            label = np.zeros(len(self.menus[street]), np.float32)
            np.add.at(label, self._places[first : first + count], chances)
            rows[street].append(np.concatenate([card.features, self._bets[node, 1 - player]]))
            labels[street].append(label)
            explores = explore > 0 and rng.random() < explore
            taken = int(rng.integers(count)) if explores else int((chances.cumsum() < rng.random()).sum())
            node = first + min(taken, count - 1)

    def _chances(self, node: int, group: int) -> F32:
        """Return the blueprint's chances of a group at a decision [actions]."""
        tree = self._blueprint.game.tree
        count = int(tree.child_count[node])
        row = int(tree.row[node]) + group * count
        weights = self._blueprint.weights[row : row + count].astype(np.float32)
        total = weights.sum()
        return weights / total if total > 0 else np.full(count, 1 / count, np.float32)

    def _card(self, holding: tuple[int, ...], board: tuple[int, ...], street: int) -> _KnownCards:
        if street == 0:
            group = int(self._classes[holding_index(self.deck, holding)])
            return _KnownCards(self._preflop[group], group)
        features = holding_features(self.deck, board[: self.deck.board_sizes[street]], holding)
        centres = self._blueprint.grouping.centres[street - 1]
        return _KnownCards(features, int(nearest_centres(features[None], centres)[0]))


def bets_by_line(lines: BettingTree, street_count: int) -> F32:
    """Return the chips that each player has put in on each street when a line ends [L, P, streets], as
    `riverboat.features.bets` counts them.
    """
    bets = np.zeros((len(lines.kind), PLAYERS, street_count), np.float32)
    own, streets = lines.columns(BETS), lines.states[:, STREET]
    for line, parent in enumerate(lines.parent.tolist()):
        if parent >= 0:
            bets[line] = bets[parent]
        bets[line, :, streets[line]] = own[line]
    return bets
