"""The kind of run `policy`: from a blueprint in the store to a policy there, whatever the model; what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from riverboat.blueprint.card import blueprint_card
from riverboat.blueprint.file_format import write_blueprint
from riverboat.blueprint.sampling import SelfPlayRecipe
from riverboat.errors import InvalidInput, NotFound
from riverboat.policies.network import read_network_policy
from riverboat.policies.policy import KINDS
from riverboat.policies.policy_files import read_policy, write_policy
from riverboat.services.trainer.artefacts import get_artefact, list_artefacts, put_artefact
from riverboat.services.trainer.policies.kind import PolicyRuns
from riverboat.services.trainer.policies.plan import PolicyPlan
from riverboat.services.trainer.policies.state import read_policy_state
from riverboat.services.trainer.rounds.checkpoints import put_result, read_state
from riverboat.services.trainer.rounds.kind import Artefact
from riverboat.services.trainer.rounds.loop import RoundsRun
from riverboat.services.trainer.store import ObjectStore
from riverboat.streets import STREETS
from riverboat.training.rounds import Round, read_settings, write_settings
from tests.unit.blueprint.games import random_blueprint

RUN = "0a1b2c3d"
SMALL = {"deals": "400", "lines": "2", "jobs": "3", "depth": "4", "trees": "3", "restarts": "2", "layers": "2",
         "width": "16", "passes": "2", "seed": "3"}  # fmt: skip


class Killed(BaseException):
    """Stands for SIGKILL: nothing catches it."""


def store_with_blueprint(path: Path) -> tuple[ObjectStore, str]:
    """Return a store with a blueprint of a small game, and its name."""
    store = ObjectStore(str(path))
    data = write_blueprint(random_blueprint("24"))
    card = blueprint_card(random_blueprint("24"), SelfPlayRecipe(), 0, 0, 0.0)
    return store, put_artefact(
        store, "blueprint", Artefact(label="24-2000", suffix=".blueprint", data=data, card=card), RUN
    )


def run_in(store: ObjectStore, plan: PolicyPlan, rounds: list[Round], kill_after: int = 0) -> str:
    """Return what a run makes, or stop it where it tells of a round; jobs are done as soon as they are sent."""
    kind = PolicyRuns()

    def tell(each: Round) -> None:
        rounds.append(each)
        if each.number == kill_after:
            raise Killed

    def do(number: int, job: int) -> None:
        put_result(store, RUN, number, job, kind.job(plan, read_state(store, RUN).state, number, job))

    return RoundsRun(
        run_id=RUN, kind=kind, plan=plan, store=store, send=do, tell=tell, say=lambda message: None, ahead=5,
        lost_seconds=60.0, threads=1,
    ).finish()  # fmt: skip


@pytest.mark.parametrize("model", KINDS)
def test_a_run_makes_a_policy_that_does_what_its_card_says(model: str, tmp_path: Path) -> None:
    store, blueprint = store_with_blueprint(tmp_path)
    plan = read_settings(PolicyPlan, {**SMALL, "blueprint": blueprint, "model": model})
    rounds: list[Round] = []
    name = run_in(store, plan, rounds)
    answer = next(answer for answer in list_artefacts(store) if answer.name == name)
    card = json.loads(answer.card)
    assert (card["kind"], card["model"], card["game"]["deck"], card["game"]["stack"]) == ("policy", model, "24", 2_000)
    data = get_artefact(store, name)
    policy = read_network_policy(data) if model == "neural" else read_policy(data)
    assert policy.kind == model
    state = read_policy_state(read_state(store, RUN).state)
    for street, (states, own) in enumerate(zip(state.held_out, policy.models, strict=True)):
        chances = own.chances(states.features)
        assert np.allclose(chances.sum(axis=1), 1, atol=1e-3)
        agreement = float((chances.argmax(axis=1) == states.chances.argmax(axis=1)).mean())
        assert card["streets"][STREETS[street]]["accuracy"] == pytest.approx(agreement, abs=0.1)
    assert [each.number for each in rounds] == [1, 2, 3, 4, 5]


def test_a_run_that_is_killed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole, blueprint = store_with_blueprint(tmp_path / "a")
    broken, _ = store_with_blueprint(tmp_path / "b")
    plan = read_settings(PolicyPlan, {**SMALL, "blueprint": blueprint, "model": "oct"})
    name = run_in(whole, plan, [])
    with pytest.raises(Killed):
        run_in(broken, plan, [], kill_after=3)
    assert run_in(broken, plan, []) == name
    assert write_policy(read_policy(get_artefact(whole, name))) == get_artefact(broken, name)


@pytest.mark.parametrize(("name", "error"), [("", InvalidInput), ("24-2000-00000000", NotFound)])
def test_a_blueprint_must_be_named_and_there(name: str, error: type[Exception], tmp_path: Path) -> None:
    store, _ = store_with_blueprint(tmp_path)
    with pytest.raises(error):
        run_in(store, read_settings(PolicyPlan, {**SMALL, "blueprint": name}), [])


@pytest.mark.parametrize(
    "change", [{"model": "forest"}, {"deals": "0"}, {"jobs": "1"}, {"explore": "2"}, {"depth": "31"}]
)
def test_nonsense_is_refused_before_anything_is_taken(change: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(change))):
        read_settings(PolicyPlan, {**SMALL, **change})


def test_settings_come_back_as_they_were_written() -> None:
    plan = read_settings(PolicyPlan, SMALL)
    assert read_settings(PolicyPlan, write_settings(plan)) == plan
