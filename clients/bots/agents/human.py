"""The agent human:N, which plays as the people of one style do."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.bot import Bot, MakeBot, Strategy
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.opponent_models.shelf import nearest_models
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index
from riverboat.marks import fallback
from riverboat.opponents.card_models import holding_chances
from riverboat.opponents.features import FEATURE_COUNT, situation_of, write_features
from riverboat.opponents.likely_holdings import board_places, padded_board, record_of
from riverboat.opponents.moves import CHOICE_COUNT, first_size
from riverboat.opponents.styles import leaf_of
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View
from riverboat.search.playing import size_to

F64 = NDArray[np.float64]
_HOLDEM = "52"


class Human(Bot):
    """Draws its moves as players of a style do with cards like its own; plays rollouts with other decks."""

    def __init__(self, rng: np.random.Generator, style: int | None = None) -> None:
        super().__init__(rng)
        self._style, self._rollout = style, Rollout(rng)

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents of a style, counted from 0, like "3"."""
        count = nearest_models(2).styles.count
        if not parameter.isdigit() or int(parameter) >= count:
            raise InvalidInput("", f"{parameter[:20]!r} is no style; write human:0 to human:{count - 1}")
        return partial(cls, style=int(parameter))

    def act(self, view: View) -> int:
        """Return an action drawn from the style's."""
        if view.public.variant.deck.name != _HOLDEM:
            return fallback(self._rollout.act(view), "people are modelled in hold'em with 52 cards")
        strategy = self._strategy(view)
        place = holding_index(view.public.variant.deck, view.holding)
        return int(strategy.actions[int(self.rng.choice(len(strategy.actions), p=strategy.chances[:, place]))])

    def strategy(self, view: View) -> Strategy | None:
        """Return the style's chances for all holdings."""
        if view.public.variant.deck.name != _HOLDEM:
            return self._rollout.strategy(view)
        return self._strategy(view)

    def _strategy(self, view: View) -> Strategy:
        models, public = nearest_models(view.public.player_count), view.public
        style = int(models.styles.shares.argmax()) if self._style is None else self._style % models.styles.count
        tables, row = models.cards.tables, np.empty(FEATURE_COUNT)
        rules, flat = np.array(public.rules), np.array(public.flat)
        write_features(rules, flat, record_of(view), padded_board(public), public.variant.big_blind, row)
        situation = int(situation_of(public.street, public.to_call > 0))
        leaf = leaf_of(tables.forest, tables.forest.roots[style, situation], row)
        chances = holding_chances(tables, leaf, public.street, board_places(public.board), len(tables.classes))
        first = int(first_size(situation))
        by_action: dict[int, F64] = {}
        for choice in range(min(CHOICE_COUNT, first + 7)):
            if choice < first:
                action = FOLD if choice == 0 and first == 2 else CALL
            else:
                action = int(size_to(rules, flat, choice - first)) if public.raise_limits else CALL
            by_action[action] = by_action.get(action, 0) + chances[choice]
        table = np.array(list(by_action.values()))
        totals = table.sum(0)
        table = np.divide(table, totals, out=np.full_like(table, 1 / len(table)), where=totals > 0)
        return Strategy(tuple(by_action), table)
