"""Training runs for people and for programs."""

from dataclasses import asdict
from typing import Any

from rich.table import Table

from riverboat.clients.console.views.output import out, print_json, print_table
from riverboat.contracts.trainer import RunStatus
from riverboat.training.plans import RunPlan, TrainingPlan
from riverboat.training.progress import Stage
from riverboat.training.rounds import RoundsPlan, RunKind


def run_line(status: RunStatus) -> str:
    """Return a run in one line."""
    plan, words = status.plan, []
    if plan is None:
        return status.message or f"this version refuses its plan; riverboat runs --drop {status.run_id} forgets it"
    if status.stage is Stage.PAUSED:
        words.append(f"paused: riverboat runs --resume {status.run_id} continues it")
    if isinstance(plan, RoundsPlan):
        words += _rounds_words(status)
    elif status.stage in (Stage.GENERATING, Stage.PAUSED):
        words.append(f"{status.samples_done:,} of {plan.samples:,} situations solved")
    if status.stage is Stage.GENERATING and not status.jobs_done:
        words.append("no job is done yet; riverboat worker adds workers")
    elif status.epochs and isinstance(plan, TrainingPlan):
        best = min(status.epochs, key=lambda epoch: epoch.held_out_loss)
        words.append(f"epoch {len(status.epochs)} of {plan.recipe.epochs}, validation loss {best.held_out_loss:.4f}")
    if status.model:
        words.append(status.model)
    if status.jobs_retried:
        words.append(f"{status.jobs_retried} jobs retried")
    if status.jobs_dead:
        words.append(f"{status.jobs_dead} given up")
    if status.jobs_stale:
        words.append(f"{status.jobs_stale} stale shards replaced")
    if status.seconds_left is not None and status.stage is not Stage.PAUSED:
        words.append(f"{duration(status.seconds_left)} left")
    if status.message:
        words.append(status.message)
    return ", ".join(words) or status.stage.value


def _rounds_words(status: RunStatus) -> list[str]:
    words = [f"round {len(status.rounds)} of {status.round_count}"]
    if status.rounds:
        words += [f"{name} {value:.4g}" for name, value in status.rounds[-1].measures.items()]
    return words


def share_done(status: RunStatus) -> float:
    """Return which part of its stage a run has behind it."""
    match status.plan:
        case None:
            return 0.0
        case RoundsPlan():
            return len(status.rounds) / max(1, status.round_count)
        case plan if status.stage is Stage.LEARNING:
            return len(status.epochs) / plan.recipe.epochs
        case plan:
            return status.samples_done / plan.samples


def what_it_trains(plan: RunPlan | None) -> str:
    """Return the product of a run, in a word or two."""
    match plan:
        case None:
            return "?"
        case RoundsPlan():
            return plan.kind
        case _:
            return f"{plan.deck} {plan.street}"


def print_kinds(kinds: list[RunKind], as_json: bool) -> None:
    """Print kinds of runs with their settings."""
    if as_json:
        print_json([asdict(kind) for kind in kinds])
        return
    for kind in kinds:
        out.print(f"{kind.name}: {kind.makes}", markup=False, soft_wrap=True)
        table = Table("setting", "default", "", box=None, padding=(0, 2, 0, 2))
        for each in kind.settings:
            table.add_row(each.name, each.default, each.help)
        print_table(table)


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def run_as_dict(status: RunStatus) -> dict[str, Any]:
    """Return a run for programs."""
    job_count = status.plan.job_count if isinstance(status.plan, TrainingPlan) else 0
    return {**asdict(status), "stage": status.stage.value, "job_count": job_count}
