"""The trainer's contract. Nothing is trained: runs are planned, paused, resumed and cancelled before they get far."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc
from google.protobuf.message import Message

from riverboat.clients.conformance.check import Check, Checks, Run
from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.server import Server
from riverboat.clients.conformance.vitals import add_vitals
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1.trainer_pb2_grpc import TrainerStub

CONTRACT = pb.DESCRIPTOR.services_by_name["Trainer"]
TRAINER = Checks(CONTRACT.full_name)
add_vitals(TRAINER, CONTRACT, pb.ListModelsRequest(), "ListModels")
_SAMPLES = 1_000_000  # more than workers can make before the run is cancelled


def _plan(**changes: Any) -> pb.Plan:
    return pb.Plan(**{"deck": "24", "street": "river", "samples": _SAMPLES, "seed": 7, "job_size": 10, **changes})


INVALID: tuple[tuple[str, pb.Plan, str], ...] = (
    ("no plan", pb.Plan(), "plan.deck"),
    ("an unknown deck", _plan(deck="99"), "plan.deck"),
    ("an unknown street", _plan(street="showdown"), "plan.street"),
    ("preflop without a network below", _plan(street="preflop"), "plan.leaf"),
    ("a flop without a network below", _plan(street="flop"), "plan.leaf"),
    ("no samples", _plan(samples=0), "plan.samples"),
    ("too few samples to hold some out", _plan(samples=99), "plan.samples"),
    ("a negative number of samples", _plan(samples=-5), "plan.samples"),
    ("a negative job size", _plan(job_size=-1), "plan.job_size"),
    ("more jobs than a run may have", _plan(samples=100_000_000, job_size=1), "plan.job_size"),
    ("a network below the river", _plan(leaf="24-turn-1"), "plan.leaf"),
    ("an unknown network", _plan(street="turn", leaf="nobody"), "plan.leaf"),
    ("a negative seed", _plan(seed=-1), "plan.seed"),
    ("a negative number of epochs", _plan(recipe=pb.Recipe(epochs=-1)), "plan.recipe.epochs"),
    ("a learning rate of 7", _plan(recipe=pb.Recipe(rate=7.0)), "plan.recipe.rate"),
    ("a network of width 1,000,000", _plan(recipe=pb.Recipe(width=10**6)), "plan.recipe.width"),
)
MISSING: tuple[tuple[str, Message], ...] = (
    ("WatchRun", pb.WatchRunRequest(run_id="nobody")),
    ("PauseRun", pb.PauseRunRequest(run_id="nobody")),
    ("ResumeRun", pb.ResumeRunRequest(run_id="nobody")),
    ("CancelRun", pb.CancelRunRequest(run_id="nobody")),
    ("CancelRun", pb.CancelRunRequest(run_id="../shards/x")),
    ("DropRun", pb.DropRunRequest(run_id="nobody")),
    ("FetchModel", pb.FetchModelRequest(name="nobody")),
    ("FetchModel", pb.FetchModelRequest(name="../nobody")),
)


def _stub(server: Server) -> TrainerStub:
    return TrainerStub(server.channel)


@contextmanager
def _run(server: Server) -> Iterator[pb.Run]:
    """Plan a run, and cancel it at the end of the block."""
    run = _stub(server).PlanRun(pb.PlanRunRequest(plan=_plan())).run
    try:
        yield run
    finally:
        with suppress(grpc.RpcError):
            _stub(server).CancelRun(pb.CancelRunRequest(run_id=run.run_id))


def _stage(run: pb.Run) -> str:
    return pb.Stage.Name(run.stage)


@TRAINER("PlanRun", "a run has its plan, with defaults for fields that were 0")
def planned(server: Server) -> None:
    with _run(server) as run:
        same("PlanRun, the stage", _stage(run), "STAGE_GENERATING")
        got = run.plan.deck, run.plan.street, run.plan.samples, run.plan.seed, run.job_count
        asked = f"PlanRun of {_SAMPLES:,} samples in jobs of 10: deck, street, samples, seed, jobs"
        same(asked, got, ("24", "river", _SAMPLES, 7, _SAMPLES // 10))
        require(run.plan.recipe.epochs > 0, "PlanRun without a recipe: the plan in the answer has no number of epochs")


@TRAINER("ListRuns", "lists runs, oldest first")
def listed(server: Server) -> None:
    with _run(server) as first, _run(server) as second:
        run_ids = [run.run_id for run in _stub(server).ListRuns(pb.ListRunsRequest()).runs]
        places = [run_ids.index(run.run_id) if run.run_id in run_ids else -1 for run in (first, second)]
        require(
            0 <= places[0] < places[1],
            f"ListRuns: two new runs are at places {places} of the list; expected the older one first",
        )


@TRAINER("WatchRun", "sends a message at once, and the last one when the run ends")
def watched(server: Server) -> None:
    with _run(server) as run:
        stream: Any = _stub(server).WatchRun(pb.WatchRunRequest(run_id=run.run_id))
        same("WatchRun, the run in the first message", next(stream).run.run_id, run.run_id)
        _stub(server).CancelRun(pb.CancelRunRequest(run_id=run.run_id))
        *_, last = stream
        same("WatchRun of a cancelled run, the last stage", _stage(last.run), "STAGE_CANCELLED")


@TRAINER("PauseRun", "pauses a run")
def paused(server: Server) -> None:
    with _run(server) as run:
        same("PauseRun", _stage(_stub(server).PauseRun(pb.PauseRunRequest(run_id=run.run_id)).run), "STAGE_PAUSED")


@TRAINER("ResumeRun", "resumes a paused run")
def resumed(server: Server) -> None:
    with _run(server) as run:
        _stub(server).PauseRun(pb.PauseRunRequest(run_id=run.run_id))
        same(
            "ResumeRun", _stage(_stub(server).ResumeRun(pb.ResumeRunRequest(run_id=run.run_id)).run), "STAGE_GENERATING"
        )


@TRAINER("CancelRun", "a cancelled run is over, and cannot be paused or resumed")
def cancelled(server: Server) -> None:
    with _run(server) as run:
        answer = _stub(server).CancelRun(pb.CancelRunRequest(run_id=run.run_id)).run
        same("CancelRun", _stage(answer), "STAGE_CANCELLED")
        refused(_stub(server).PauseRun, pb.PauseRunRequest(run_id=run.run_id), "FAILED_PRECONDITION")
        refused(_stub(server).ResumeRun, pb.ResumeRunRequest(run_id=run.run_id), "FAILED_PRECONDITION")


@TRAINER("DropRun", "drops a finished run, and refuses to drop a running one")
def dropped(server: Server) -> None:
    with _run(server) as run:
        refused(_stub(server).DropRun, pb.DropRunRequest(run_id=run.run_id), "FAILED_PRECONDITION")
        _stub(server).CancelRun(pb.CancelRunRequest(run_id=run.run_id))
        _stub(server).DropRun(pb.DropRunRequest(run_id=run.run_id))
        refused(_stub(server).DropRun, pb.DropRunRequest(run_id=run.run_id), "NOT_FOUND")
        listed = [other.run_id for other in _stub(server).ListRuns(pb.ListRunsRequest()).runs]
        require(run.run_id not in listed, f"ListRuns: run {run.run_id} was dropped but is still listed")


@TRAINER("ListModels", "networks have a name, a hash and a card; the smallest can be fetched whole", 120)
def models(server: Server) -> None:
    listed = _stub(server).ListModels(pb.ListModelsRequest()).models
    for model in listed:
        same(f"ListModels, {model.name}: number of digits in the hash", len(model.hash), 64)
        require(model.card.startswith("{"), f"ListModels: the card of {model.name} is not JSON")
    if listed:
        smallest = min(listed, key=lambda model: model.byte_count)
        parts = list(_stub(server).FetchModel(pb.FetchModelRequest(name=smallest.name)))
        same(f"FetchModel of {smallest.name}, bytes", sum(len(part.chunk) for part in parts), smallest.byte_count)


@TRAINER("ListKinds", "kinds have a name, say what they make, and have settings with help")
def kinds(server: Server) -> None:
    for kind in _stub(server).ListKinds(pb.ListKindsRequest()).kinds:
        require(bool(kind.name and kind.makes), f"ListKinds: a kind lacks a name or what it makes: {kind}")
        for setting in kind.settings:
            require(bool(setting.name and setting.help), f"ListKinds, {kind.name}: a setting lacks a name or help")


@TRAINER("PlanRun", "refuses a run in rounds of an unknown kind, with unknown settings, or beside a plan")
def rounds(server: Server) -> None:
    plan = _stub(server).PlanRun
    refused(plan, pb.PlanRunRequest(rounds=pb.RoundsPlan(kind="nothing")), "INVALID_ARGUMENT", "rounds.kind")
    refused(plan, pb.PlanRunRequest(plan=_plan(), rounds=pb.RoundsPlan()), "INVALID_ARGUMENT", "rounds")
    for kind in _stub(server).ListKinds(pb.ListKindsRequest()).kinds:
        wrong = pb.RoundsPlan(kind=kind.name, settings={"nothing": "1"})
        refused(plan, pb.PlanRunRequest(rounds=wrong), "INVALID_ARGUMENT", "rounds.settings.nothing")


def _refuses_plan(plan: pb.Plan, field: str) -> Run:
    return lambda server: refused(_stub(server).PlanRun, pb.PlanRunRequest(plan=plan), "INVALID_ARGUMENT", field)


def _refuses_name(method: str, request: Message) -> Run:
    return lambda server: refused(getattr(_stub(server), method), request, "NOT_FOUND")


for _words, _bad, _field in INVALID:
    TRAINER.add("PlanRun", f"refuses {_words}, naming {_field}", _refuses_plan(_bad, _field))
for _method, _request in MISSING:
    TRAINER.add(
        _method, f"refuses an unknown name with NOT_FOUND ({str(_request).strip()})", _refuses_name(_method, _request)
    )

CHECKS: tuple[Check, ...] = tuple(TRAINER.all)
