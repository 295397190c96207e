"""An evolution over the queue: killed workers and a killed Redis change nothing but the time it takes."""

import hashlib
from collections.abc import Mapping

import pytest

from riverboat.policies.net_files import read_net
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.services.trainer.evolution.kind import KIND
from riverboat.services.trainer.evolution.plan import EvolutionPlan
from riverboat.training.rounds import read_settings
from tests.scenarios.test_training import Plant, last_word, plant

__all__ = ["plant"]  # a fixture
SETTINGS: Mapping[str, str] = {
    "generations": "6", "tournaments": "6", "series": "2", "structure": "sng-9", "entrants": "6", "hall": "2",
    "hidden": "2", "rollouts": "3", "elite": "0.3",
}  # fmt: skip


def undisturbed() -> bytes:
    """Return the file that a run makes when nothing goes wrong, job after job in this process."""
    plan = read_settings(EvolutionPlan, SETTINGS)
    state = KIND.begin(plan, print, lambda name: b"")
    for number in range(KIND.round_count(plan)):
        results = [KIND.job(plan, state, number, job) for job in range(KIND.job_count(plan, number))]
        state, _ = KIND.learn(plan, state, number, results, 1, print)
    return KIND.export(plan, state).data


@pytest.mark.slow
def test_kills_do_not_change_what_an_evolution_makes(plant: Plant) -> None:
    plan = pb.RoundsPlan(kind="evolution", settings=SETTINGS)
    run_id = plant.trainer.PlanRun(pb.PlanRunRequest(rounds=plan), timeout=30).run.run_id
    worker = plant.hire()
    for answer in plant.trainer.WatchRun(pb.WatchRunRequest(run_id=run_id), timeout=300):
        if len(answer.run.rounds) >= 2:
            break
    worker.kill()
    plant.redis.kill()
    plant.redis.start()
    plant.hire()
    last = last_word(plant, run_id)
    assert (last.stage, last.message) == (pb.STAGE_DONE, "")
    assert [each.number for each in last.rounds] == [1, 2, 3, 4, 5, 6]
    assert all(0 < each.measures["fitness"] < 1 for each in last.rounds)
    request = pb.FetchModelRequest(name=last.model)
    data = b"".join(answer.chunk for answer in plant.trainer.FetchModel(request, timeout=30))
    assert data == undisturbed()
    assert last.model.endswith(hashlib.sha256(data).hexdigest()[:8])
    assert read_net(data).shape.hidden_count == 2
