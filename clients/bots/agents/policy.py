"""Agents that play policies learnt from a blueprint: trees, boosted trees and networks."""

from functools import partial

from riverboat.arena.bot import MakeBot, Strategy
from riverboat.clients.bots.agents.shelved_agent import ShelvedAgent
from riverboat.clients.bots.policies.shelf import fitting_policy, policy_named, policy_of, why_not
from riverboat.clients.bots.shelf_files import ShelfFile
from riverboat.marks import fallback
from riverboat.policies.policy import LearnedPolicy
from riverboat.rules.state import View


class PolicyAgent(ShelvedAgent):
    """Draws from a policy's strategy.

    It decides by rollouts, and marks the decision as a fallback, in a game or at a stack that no policy covers.
    """

    kind = ""

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents that play the policy of this name, like "oct-52-20000-1a2b3c4d"."""
        return partial(cls, shelved=policy_named(cls.kind, parameter))

    def act(self, view: View) -> int:
        """Return an action drawn from the policy, or by rollouts."""
        shelved, reason = self._fitting(view)
        if shelved is None or reason:
            return fallback(self._rollout.act(view), reason)
        policy = policy_of(shelved)
        actions, chances = policy.decide(view, policy.situation(view)[None])
        return int(actions[int(self.rng.choice(len(actions), p=chances[:, 0]))])

    def strategy(self, view: View) -> Strategy | None:
        """Return the policy's strategy, or that of the rollouts that decide in its place."""
        shelved, reason = self._fitting(view)
        if shelved is None or reason:
            return self._rollout.strategy(view)
        policy = policy_of(shelved)
        return Strategy(*policy.decide(view, policy.situations(view)))

    def policy(self, view: View) -> LearnedPolicy | None:
        """Return the policy that decides in a hand; None where rollouts do."""
        shelved, reason = self._fitting(view)
        return None if shelved is None or reason else policy_of(shelved)

    def _fitting(self, view: View) -> tuple[ShelfFile | None, str]:
        """Return the policy for a hand, and the reason why it cannot play it; "" if it can."""
        shelved = self._shelved or fitting_policy(self.kind, view.public)
        return shelved, why_not(shelved, view.public)


class CartAgent(PolicyAgent):
    """Plays by four trees that grew greedily: each question was the best one at its place."""

    kind = "cart"


class OctAgent(PolicyAgent):
    """Plays by four trees, each optimised as a whole."""

    kind = "oct"


class BoostedAgent(PolicyAgent):
    """Plays by boosted trees."""

    kind = "boosted"


class NeuralAgent(PolicyAgent):
    """Plays by four networks."""

    kind = "neural"
