"""Training runs as a line and as JSON, including those with a plan that this version refuses."""

from dataclasses import replace

from riverboat.clients.console.views.runs import run_as_dict, run_line
from riverboat.contracts.trainer import RunStatus
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Epoch, Stage

RUN = RunStatus(
    run_id="3f2a91c0", plan=TrainingPlan(deck="24", street="river", samples=1000), stage=Stage.GENERATING,
    samples_done=500, jobs_done=5, jobs_retried=1, jobs_dead=2, jobs_stale=3, dead=(), epochs=(), seconds_left=30.0,
    model="", message="",
)  # fmt: skip


def test_counts_are_told() -> None:
    text = run_line(RUN)
    for part in ("500 of 1,000 situations solved", "1 jobs retried", "2 given up", "3 stale shards replaced"):
        assert part in text
    learning = replace(RUN, stage=Stage.LEARNING, epochs=(Epoch(1, 0.2, 0.3), Epoch(2, 0.1, 0.25)))
    assert "epoch 2 of 40, validation loss 0.2500" in run_line(learning)


def test_a_run_with_a_refused_plan_is_shown_and_says_what_to_do() -> None:
    refused = replace(RUN, plan=None, stage=Stage.FAILED, message="it cannot continue: too many jobs")
    assert run_line(refused) == "it cannot continue: too many jobs"
    assert "riverboat runs --drop 3f2a91c0" in run_line(replace(refused, message=""))
    assert (run_as_dict(refused)["plan"], run_as_dict(refused)["job_count"]) == (None, 0)
