"""Reaching a trainer: one that runs somewhere, or one started just for this command, with a Redis and workers."""

from collections.abc import Iterator
from typing import Any

import grpc

from riverboat.clients.remote.refusals import Names, Refused, refusal_of, with_id
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from riverboat.rpc.convert import trainer as convert
from riverboat.rpc.dialling.passing_channel import admin_metadata
from riverboat.rpc.dialling.problems import tls_problem
from riverboat.training.plans import Plan
from riverboat.training.progress import ModelAnswer, RunStatus, Stage

_SECONDS = 30


class TrainerLink:
    """One trainer."""

    def __init__(self, channel: Any, address: str) -> None:
        self.address = address
        self._stub: Any = TrainerStub(channel)

    def answers(self, timeout: float) -> bool:
        """Whether it answers within `timeout` seconds."""
        try:
            self._stub.ListModels(pb.ListModelsRequest(), timeout=timeout, wait_for_ready=True)
        except grpc.RpcError as error:
            if error.code() in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE):
                return False
            raise
        return True

    def plan(self, plan: Plan) -> RunStatus:
        """Begin a run."""
        request = pb.PlanRunRequest(plan=convert.encode_plan(plan))
        return convert.decode_run(
            self._stub.PlanRun(request, timeout=_SECONDS, metadata=admin_metadata(self.address)).run
        )

    def watch(self, run_id: str) -> Iterator[RunStatus]:
        """A run as it goes."""
        for answer in self._stub.WatchRun(pb.WatchRunRequest(run_id=run_id)):
            yield convert.decode_run(answer.run)

    def runs(self) -> list[RunStatus]:
        """All runs."""
        return [convert.decode_run(run) for run in self._stub.ListRuns(pb.ListRunsRequest(), timeout=_SECONDS).runs]

    def take_up(self, run_id: str) -> None:
        """Let a run go on that was paused or has failed; one that is under way or over stays as it is."""
        stages = {run.run_id: run.stage for run in self.runs()}
        if stages.get(run_id) in (Stage.PAUSED, Stage.FAILED):
            self.change("resume", run_id)

    def change(self, what: str, run_id: str) -> RunStatus:
        """Pause, resume, cancel or drop a run."""
        request = getattr(pb, f"{what.capitalize()}RunRequest")(run_id=run_id)
        call = getattr(self._stub, f"{what.capitalize()}Run")
        return convert.decode_run(call(request, timeout=_SECONDS, metadata=admin_metadata(self.address)).run)

    def models(self) -> list[ModelAnswer]:
        """All networks."""
        found = self._stub.ListModels(pb.ListModelsRequest(), timeout=_SECONDS).models
        return [convert.decode_model(model) for model in found]

    def fetch(self, name: str) -> bytes:
        """The file of a network."""
        return b"".join(answer.chunk for answer in self._stub.FetchModel(pb.FetchModelRequest(name=name)))


def trainer_refusal(error: grpc.RpcError, address: str, names: Names) -> Refused:
    """A trainer's error as one line."""
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE:
        said = details if "does not answer" in details else f"the trainer at {address} does not answer any more"
        return Refused(with_id(error, tls_problem(error, address) or said))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"what answers at {address} is not a trainer of this version ({details})")
    return refusal_of(error, address, names)
