"""An agent with a small net that was evolved in simulated tournaments.

Outside a tournament the net is told that nobody is out yet. A model of an opponent takes many hands to learn, so a net
that reads models sees unknown opponents.
"""

from functools import partial

import numpy as np

from riverboat.arena.bot import Bot, MakeBot
from riverboat.clients.bots.agents.rollout import opponent_count, win_share
from riverboat.clients.bots.evolved_nets.shelf import BEST, net_names, shelved_net
from riverboat.equity.effective_strength import DECK, strength_tables, table_strength
from riverboat.errors import InvalidInput
from riverboat.features.tournament_inputs import (
    FIRST_MODEL,
    MODEL_INPUTS,
    MODEL_SIZE,
    OPPONENT_CHAIRS,
    TALLY_SIZE,
    UNKNOWN,
    write_model,
    write_situation,
    write_stacks,
)
from riverboat.policies.evolved_nets import MOST_HIDDEN, OUTPUTS, Net, drawn_action, write_chances
from riverboat.rules.state import View

_ROLLOUTS = 1000  # for decks without tables
_ALL_LEFT = 1.0


class Evolved(Bot):
    """Draws fold, call or raise from its net's outputs."""

    def __init__(self, rng: np.random.Generator, net: Net | None = None) -> None:
        super().__init__(rng)
        self._net = net or shelved_net(BEST)
        self._stacks, self._inputs = np.zeros(10), np.zeros(MODEL_INPUTS)
        self._hidden, self._chances = np.zeros(MOST_HIDDEN), np.zeros(OUTPUTS)

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents with one of the nets that ship, such as "control", "hof" or "models"."""
        if parameter not in net_names():
            ways = ", ".join(f"evolved:{name}" for name in net_names())
            raise InvalidInput("", f"{parameter[:30]!r} is not an evolved net; choose {ways}")
        return partial(cls, net=shelved_net(parameter))

    def act(self, view: View) -> int:
        """Return an action that the net draws."""
        net, public = self._net, view.public
        rules, state, big_blind = public.rules, public.flat, public.variant.big_blind
        write_stacks(rules, state, big_blind, self._stacks)
        write_situation(rules, state, big_blind, _ALL_LEFT, self._strength(view), self._stacks, self._inputs)
        self._write_models(public.player_count)
        shape = net.shape
        write_chances(net.genome, shape.input_count, shape.hidden_count, self._inputs, self._hidden, self._chances)
        random = np.array([self.rng.integers(2**63)], np.uint64)
        return int(drawn_action(rules, state, self._chances, net.sizes.array(), random))

    def _strength(self, view: View) -> float:
        """Return the strength of the hand against all opponents still in."""
        public = view.public
        if public.variant.deck != DECK:
            return win_share(view, _ROLLOUTS, self.rng)
        board = np.zeros(5, np.int64)
        board[: len(public.board)] = public.board
        first, second = view.holding
        return table_strength(strength_tables(), first, second, board, len(public.board), opponent_count(view))

    def _write_models(self, player_count: int) -> None:
        nothing = np.zeros(TALLY_SIZE, np.int64)
        for chair in range(OPPONENT_CHAIRS):
            start = FIRST_MODEL + MODEL_SIZE * chair
            if chair + 1 < player_count:
                write_model(nothing, self._inputs[start : start + MODEL_SIZE])
            else:
                self._inputs[start : start + MODEL_SIZE] = UNKNOWN
