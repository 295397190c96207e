"""The trainer: starts, lists, pauses and ends runs, and returns networks."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Generator
from contextlib import suppress
from dataclasses import replace
from threading import Lock

from riverboat.contracts.trainer import ModelAnswer, RunStatus
from riverboat.errors import IllegalAction, InvalidInput, NotFound, TooLarge, Unavailable, in_field
from riverboat.rpc.work import Workers
from riverboat.services.trainer.artefacts import get_artefact, list_artefacts
from riverboat.services.trainer.conductor import Conductor
from riverboat.services.trainer.generation.ledger import RunLedger, first_stage
from riverboat.services.trainer.models import get_model, list_models
from riverboat.services.trainer.rounds.kinds import list_kinds, with_defaults
from riverboat.services.trainer.run_status import cannot_start
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.jobs import EXACT, STREET_AFTER
from riverboat.training.plans import RunPlan, TrainingPlan
from riverboat.training.progress import Stage
from riverboat.training.rounds import RoundsPlan, RunKind

_LOOK_SECONDS = 0.25
_CHUNK = 1_000_000  # bytes
_MOST_LISTED = 1_000
_JOB_STATES = ("done", "retried", "dead", "stale")


class Trainer:
    """Runs and networks."""

    def __init__(self, ledger: RunLedger, store: ObjectStore, conductor: Conductor, most_runs: int) -> None:
        self._ledger, self._store, self._conductor, self._most_runs = ledger, store, conductor, most_runs
        self._opening = Lock()  # one run is opened at a time, so that the limit holds

    def plan(self, plan: RunPlan) -> RunStatus:
        """Start a run."""
        if isinstance(plan, RoundsPlan):
            with in_field("rounds"):
                plan = with_defaults(plan)
        elif plan.leaf != EXACT:
            self._check_leaf(plan)
        with self._opening:
            self._check_room()
            run_id = self._ledger.open_run(plan)
            self._conductor.start(run_id)
        return self._conductor.status(run_id)

    def _check_room(self) -> None:
        """Raise TooLarge if no more runs may be under way: each takes a thread and polls Redis."""
        count = sum(not stage.is_over for stage, _ in self._ledger.summaries().values())
        if count >= self._most_runs:
            raise TooLarge(f"{count} runs are under way, which is the limit: wait for one, or cancel it")

    def _check_leaf(self, plan: TrainingPlan) -> None:
        known = {model.name: model for model in list_models(self._store)}
        model = known.get(plan.leaf)
        if model is None:
            raise InvalidInput(
                "plan.leaf", f"no network is called {plan.leaf!r}; known networks: {', '.join(known) or 'none'}"
            )
        if (model.deck, model.street) != (plan.deck, STREET_AFTER[plan.street]):
            raise InvalidInput(
                "plan.leaf", f"{plan.leaf} does not evaluate the street after the {plan.street} with {plan.deck} cards"
            )

    async def watch(self, run_id: str, workers: Workers) -> AsyncIterator[RunStatus]:
        """Yield a run after each change until it is over; while Redis is away, the message says so."""
        last = await workers.call_on_thread(lambda: self._conductor.status(run_id))
        yield last
        while not last.stage.is_over:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                status = await workers.call_on_thread(lambda: self._conductor.status(run_id))
            except Unavailable as error:
                status = replace(last, message=str(error))
            if status != last:
                yield status
                last = status

    def runs(self) -> list[RunStatus]:
        """Return the newest runs, oldest first."""
        statuses = []
        for run_id in self._ledger.run_ids()[-_MOST_LISTED:]:
            with suppress(NotFound):  # dropped meanwhile
                statuses.append(self._conductor.status(run_id))
        return statuses

    def jobs(self) -> dict[str, float]:
        """Return the numbers of jobs of all runs that are done, were retried, were given up, and had a stale shard."""
        all_counters = [counters for _, counters in self._ledger.summaries().values()]
        return {state: sum(counters[f"jobs_{state}"] for counters in all_counters) for state in _JOB_STATES}

    def samples(self) -> int:
        """Return the number of samples of all runs."""
        return sum(counters["samples_done"] for _, counters in self._ledger.summaries().values())

    def stages(self) -> dict[str, float]:
        """Return the number of runs at each stage."""
        stages = Counter(stage.value for stage, _ in self._ledger.summaries().values())
        return {**dict.fromkeys((stage.value for stage in Stage), 0), **stages}

    def pause(self, run_id: str) -> RunStatus:
        """Pause a run: send no new jobs."""
        return self._change(run_id, self._working_stage(run_id), Stage.PAUSED)

    def resume(self, run_id: str) -> RunStatus:
        """Resume a paused run, or retry a failed one, from its checkpoint if it was learning."""
        if self._ledger.stage(run_id) is Stage.FAILED:
            self._check_plan(run_id)
            with self._opening:
                self._check_room()
                self._ledger.tally.forgive(run_id)
                if self._ledger.change_stage(run_id, [Stage.FAILED], self._working_stage(run_id)):
                    self._conductor.start(run_id)
            return self._conductor.status(run_id)
        return self._change(run_id, Stage.PAUSED, self._working_stage(run_id))

    def _check_plan(self, run_id: str) -> None:
        try:
            self._ledger.plan(run_id)
        except InvalidInput as error:
            raise IllegalAction(f"run {run_id}: {cannot_start(run_id, error)}") from None

    def _working_stage(self, run_id: str) -> Stage:
        return first_stage(self._ledger.plan(run_id))

    def _change(self, run_id: str, before: Stage, after: Stage) -> RunStatus:
        if not self._ledger.change_stage(run_id, [before, after], after):
            stage = self._ledger.stage(run_id)
            raise IllegalAction(f"run {run_id} is {stage.value}: only one that is {before.value} can be {after.value}")
        return self._conductor.status(run_id)

    def cancel(self, run_id: str) -> RunStatus:
        """Cancel a run."""
        before = [stage for stage in Stage if not stage.is_over or stage is Stage.CANCELLED]
        if not self._ledger.change_stage(run_id, before, Stage.CANCELLED):
            raise IllegalAction(f"run {run_id} is {self._ledger.stage(run_id).value} already")
        return self._conductor.status(run_id)

    def drop(self, run_id: str) -> RunStatus:
        """Delete the record of a run that is over; return it as it was."""
        status = self._conductor.status(run_id)
        if not status.stage.is_over:
            raise IllegalAction(f"run {run_id} is {status.stage.value}: cancel it first")
        self._conductor.drop(run_id)
        return status

    def kinds(self) -> list[RunKind]:
        """Return the kinds of runs in rounds, with their settings."""
        return list_kinds()

    def models(self) -> list[ModelAnswer]:
        """Return all networks, and all artefacts of runs in rounds."""
        return [*list_models(self._store), *list_artefacts(self._store)]

    def fetch(self, name: str) -> Generator[tuple[bytes, int], None, None]:
        """Yield the file of a network in chunks, each with the file's size in bytes."""
        try:
            data = get_model(self._store, name)
        except NotFound:
            data = get_artefact(self._store, name)
        for start in range(0, len(data), _CHUNK):
            yield data[start : start + _CHUNK], len(data)
