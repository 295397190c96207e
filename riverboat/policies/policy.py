"""A learned policy: one model for each street, from the features of a situation to the chances of each choice."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck
from riverboat.errors import InvalidInput
from riverboat.features.bets import opponent_bets, situation_features
from riverboat.features.card_features import all_features, feature_count, holding_features
from riverboat.features.preflop import class_numbers
from riverboat.holdings import holding_index
from riverboat.policies.menus import Menu
from riverboat.rules.state import View
from riverboat.streets import STREETS

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
KINDS = ("cart", "oct", "boosted", "neural")
BIG_BLIND = 100  # of the game that policies are learnt in; bets of other games are scaled to it
_LEAST_CHANCE = 0.01  # rarer choices are not played: models never give a choice the chance 0


class StreetModel(Protocol):
    """The model of a street."""

    def chances(self, features: F32) -> F32:
        """Return the chances of the choices for situations with these features [B, F] -> [B, A]."""
        ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LearnedPolicy:
    """A strategy for a game of two players, learnt from a blueprint's."""

    kind: str  # one of KINDS
    deck: Deck
    stack: int  # chips, with blinds of 50 and 100
    preflop: F32  # [classes, 31]: card features before the flop
    menus: tuple[Menu, ...]  # by street
    models: tuple[StreetModel, ...]  # by street

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidInput("kind", f"must be one of {', '.join(KINDS)}, not {self.kind[:30]!r}")
        if len(self.menus) != len(STREETS) or len(self.models) != len(STREETS):
            raise InvalidInput("streets", f"must be {len(STREETS)}, each with a menu and a model")
        shape = (int(class_numbers(self.deck).max()) + 1, feature_count(self.deck, 0))
        if self.preflop.shape != shape or not np.isfinite(self.preflop).all():
            raise InvalidInput("preflop", f"must be {shape[0]} rows of {shape[1]} numbers")

    def situation(self, view: View) -> F32:
        """Return the features of a view's own holding [F]."""
        deck, board = self.deck, view.public.board
        if board:
            cards = holding_features(deck, board, view.holding)
        else:
            cards = self.preflop[class_numbers(deck)[holding_index(deck, view.holding)]]
        return situation_features(cards, _scaled_bets(view)).astype(np.float32)

    def situations(self, view: View) -> F32:
        """Return the features of all holdings [H, F]; those of holdings that the board blocks mean nothing."""
        board = tuple(view.public.board)
        cards = _board_features(self.deck, board) if board else self.preflop[class_numbers(self.deck)]
        return situation_features(cards, _scaled_bets(view)).astype(np.float32)

    def decide(self, view: View, features: F32) -> tuple[tuple[int, ...], F64]:
        """Return legal actions, and how likely situations with these features [B, F] take each [A, B]."""
        public = view.public
        chances = self.models[public.street].chances(features).astype(np.float64)
        chances[chances < _LEAST_CHANCE] = 0
        legal = self.menus[public.street].legal_actions(public)
        actions = tuple(dict.fromkeys(legal))
        taken = np.zeros((len(actions), len(features)))
        for place, action in enumerate(legal):
            taken[actions.index(action)] += chances[:, place]
        return actions, taken / taken.sum(axis=0)


def _scaled_bets(view: View) -> list[int]:
    return [round(bet * BIG_BLIND / view.public.variant.big_blind) for bet in opponent_bets(view)]


@lru_cache(maxsize=256)  # needed several times in a hand, and by several policies; 140 kB each at most
def _board_features(deck: Deck, board: tuple[int, ...]) -> F32:
    return np.nan_to_num(all_features(deck, board))


def deck_named(name: str) -> Deck:
    """Return the deck called `name`; raise InvalidInput unless it is a deck of hold'em."""
    deck = DECKS.get(name)
    if deck is None or not deck.is_holdem:
        raise InvalidInput("deck", f"must be a deck of hold'em, not {str(name)[:30]!r}")
    return deck
