"""The kind of run `policy`: states from a blueprint's self-play, then a model for each street.

The first round draws states, in jobs for the workers; each later round learns the model of one street. Learners are
imported when they learn: the trainer and its workers run without them.
"""

import time
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.file_format import read_blueprint
from riverboat.errors import InvalidInput
from riverboat.features.preflop import class_features
from riverboat.policies.game_states import StateSource
from riverboat.policies.menus import menus_of
from riverboat.policies.policy import LearnedPolicy
from riverboat.policies.trees import LEAF, TreeShape, tree_of_leaves
from riverboat.services.trainer.policies.learner import Learner, StreetLesson, fidelity
from riverboat.services.trainer.policies.plan import PolicyPlan
from riverboat.services.trainer.policies.state import (
    PolicyState,
    read_policy_state,
    read_states,
    write_policy_state,
    write_states,
)
from riverboat.services.trainer.rounds.kind import Artefact, FetchArtefact, TellMessage
from riverboat.streets import STREETS
from riverboat.training.rounds import write_settings

_HELD_OUT = 10  # one job in so many is not learnt from
_HOUR = 3600


class PolicyRuns:
    """The kind of run that learns a policy which imitates a blueprint."""

    name = "policy"
    makes = "trees or networks that play like a blueprint"
    plan = PolicyPlan

    def round_count(self, plan: PolicyPlan) -> int:
        """Return the number of rounds: one that draws states, and one for each street."""
        return 1 + len(STREETS)

    def begin(self, plan: PolicyPlan, tell: TellMessage, fetch: FetchArtefact) -> bytes:
        """Return the state with the blueprint and the card features before the flop."""
        if not plan.blueprint:
            raise InvalidInput("blueprint", "name one of the trainer's blueprints: riverboat models lists them")
        learner_of(plan.model)  # raises now if a library is missing
        data = fetch(plan.blueprint)
        deck = read_blueprint(data).game.variant.deck
        if not deck.is_holdem:
            raise InvalidInput("blueprint", "policies are learnt from blueprints of hold'em")
        preflop = class_features(deck, lambda done: tell(f"features before the flop: {done:.0%}"))
        return write_policy_state(PolicyState(blueprint=data, preflop=preflop))

    def job_count(self, plan: PolicyPlan, number: int) -> int:
        """Return the number of jobs that draw states; later rounds have none."""
        return plan.jobs if number == 0 else 0

    def job(self, plan: PolicyPlan, state: bytes, number: int, job: int) -> bytes:
        """Return the states of a part of the deals."""
        begun = read_policy_state(state)
        deals = plan.deals * (job + 1) // plan.jobs - plan.deals * job // plan.jobs
        rng = np.random.default_rng([plan.seed, job])
        source = StateSource(_blueprint(begun.blueprint), begun.preflop)
        return write_states(source.draw(deals, plan.lines, plan.explore, rng))

    def learn(
        self, plan: PolicyPlan, state: bytes, number: int, results: Sequence[bytes], threads: int, tell: TellMessage
    ) -> tuple[bytes, Mapping[str, float]]:
        """Collect the states, or learn the model of a street."""
        before = read_policy_state(state)
        if number == 0:
            return self._collected(before, list(results))
        street, begun = number - 1, time.perf_counter()
        tell(f"learning the {STREETS[street]}")
        states, held_out = before.learnt_from[street], before.held_out[street]
        if not len(states) or not len(held_out):
            raise InvalidInput("deals", f"too few deals reached the {STREETS[street]}: draw more")
        lesson = StreetLesson(plan=plan, street=street, states=states, held_out=held_out, threads=threads)
        learnt = learner_of(plan.model).learn(lesson, tell)
        measures = {**fidelity(learnt.held_out, held_out.chances), **learnt.facts}
        tell("")
        facts = {"street": float(street), "states": float(len(states)), "held_out": float(len(held_out)), **measures}
        following = PolicyState(
            blueprint=before.blueprint,
            preflop=before.preflop,
            learnt_from=before.learnt_from,
            held_out=before.held_out,
            models=(*before.models, learnt.data),
            facts=[*before.facts, facts],
            seconds=before.seconds + time.perf_counter() - begun,
        )
        return write_policy_state(following), facts

    def export(self, plan: PolicyPlan, state: bytes) -> Artefact:
        """Return the policy with its card."""
        end = read_policy_state(state)
        blueprint, learner = _blueprint(end.blueprint), learner_of(plan.model)
        game = blueprint.game
        about = _without_models(plan.model, blueprint, end)
        card = {
            "model": plan.model,
            "game": {"deck": game.deck, "stack": game.stack, "choices": [menu.names for menu in about.menus]},
            "settings": write_settings(plan),
            "streets": {STREETS[int(each["street"])]: _rounded(each) for each in end.facts},
            "hours": round(end.seconds / _HOUR, 3),
            "results": {},
        }
        label = f"{plan.model}-{game.deck}-{game.stack}"
        return Artefact(label=label, suffix=learner.suffix, data=learner.file(about, list(end.models)), card=card)

    def _collected(self, before: PolicyState, results: list[bytes]) -> tuple[bytes, Mapping[str, float]]:
        held_out = max(1, len(results) // _HELD_OUT)
        learnt_from = read_states(results[held_out:], len(STREETS))
        following = PolicyState(
            blueprint=before.blueprint,
            preflop=before.preflop,
            learnt_from=learnt_from,
            held_out=read_states(results[:held_out], len(STREETS)),
        )
        return write_policy_state(following), {
            f"{name}_states": float(len(states)) for name, states in zip(STREETS, learnt_from, strict=True)
        }


def learner_of(model: str) -> Learner:
    """Return the learner of a kind of model; InvalidInput if its library is not installed."""
    try:
        if model == "cart":
            from riverboat.services.trainer.policies.cart import Cart

            return Cart()
        if model == "oct":
            from riverboat.services.trainer.policies.optimal_trees import OptimalTrees

            return OptimalTrees()
        if model == "boosted":
            from riverboat.services.trainer.policies.boosting import Boosting

            return Boosting()
        from riverboat.services.trainer.policies.networks import NetworkLearner
    except ImportError as error:
        raise InvalidInput("model", f"{model} needs {error.name}, which comes with riverboat[trainer]") from None
    return NetworkLearner()


@cache  # all jobs of a run in one process have the same
def _blueprint(data: bytes) -> Blueprint:
    return read_blueprint(data)


def _without_models(model: str, blueprint: Blueprint, state: PolicyState) -> LearnedPolicy:
    """Return a policy of the right game with placeholders for models."""
    game = blueprint.game
    shape = TreeShape(np.array([LEAF], np.int16), np.zeros(1, np.float32), np.zeros(1, np.int32))
    nothing = tree_of_leaves(shape, np.ones(1, np.float32), np.ones((1, 1), np.float32))
    return LearnedPolicy(
        kind=model,
        deck=game.variant.deck,
        stack=game.stack,
        preflop=state.preflop,
        menus=menus_of(game.sizes, len(STREETS)),
        models=(nothing,) * len(STREETS),
    )


def _rounded(facts: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 5) for name, value in facts.items() if name != "street"}


KIND = PolicyRuns()
