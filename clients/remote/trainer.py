"""The trainer's contract with values instead of messages; errors are grpc.RpcError."""

from collections.abc import Iterator
from typing import Any

import grpc

from riverboat.clients.remote.channels import is_answered
from riverboat.contracts.trainer import ModelAnswer, RunStatus
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from riverboat.rpc.connections.forwarding_channel import admin_metadata
from riverboat.rpc.convert import trainer as convert
from riverboat.training.plans import RunPlan
from riverboat.training.progress import Stage
from riverboat.training.rounds import RunKind

_CALL_SECONDS = 30


class TrainerClient:
    """A client of one trainer."""

    def __init__(self, channel: Any, address: str) -> None:
        self.address = address
        self._stub: Any = TrainerStub(channel)

    def answers(self, timeout: float) -> bool:
        """Return whether the trainer answers within `timeout` seconds."""
        absent = (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE)
        return is_answered(self._stub.ListModels, pb.ListModelsRequest(), timeout, absent)

    def plan(self, plan: RunPlan) -> RunStatus:
        """Begin a run."""
        return self._change(self._stub.PlanRun, convert.encode_request(plan))

    def watch(self, run_id: str) -> Iterator[RunStatus]:
        """Yield the status of a run whenever it changes, until the run is over."""
        for answer in self._stub.WatchRun(pb.WatchRunRequest(run_id=run_id)):
            yield convert.decode_run(answer.run)

    def runs(self) -> list[RunStatus]:
        """Return all runs."""
        return [
            convert.decode_run(run) for run in self._stub.ListRuns(pb.ListRunsRequest(), timeout=_CALL_SECONDS).runs
        ]

    def take_up(self, run_id: str) -> None:
        """Resume a run that is paused or has failed; leave any other run as it is."""
        stages = {run.run_id: run.stage for run in self.runs()}
        if stages.get(run_id) in (Stage.PAUSED, Stage.FAILED):
            self.change("resume", run_id)

    def change(self, what: str, run_id: str) -> RunStatus:
        """Pause, resume, cancel or drop a run; `what` is one of these words."""
        calls = {
            "pause": (self._stub.PauseRun, pb.PauseRunRequest),
            "resume": (self._stub.ResumeRun, pb.ResumeRunRequest),
            "cancel": (self._stub.CancelRun, pb.CancelRunRequest),
            "drop": (self._stub.DropRun, pb.DropRunRequest),
        }
        call, request = calls[what]
        return self._change(call, request(run_id=run_id))

    def _change(self, call: Any, request: Any) -> RunStatus:
        """Make a call that only an administrator may make."""
        return convert.decode_run(call(request, timeout=_CALL_SECONDS, metadata=admin_metadata(self.address)).run)

    def kinds(self) -> list[RunKind]:
        """Return the kinds of runs in rounds, with their settings."""
        return convert.decode_kinds(self._stub.ListKinds(pb.ListKindsRequest(), timeout=_CALL_SECONDS))

    def models(self) -> list[ModelAnswer]:
        """Return all networks."""
        answer = self._stub.ListModels(pb.ListModelsRequest(), timeout=_CALL_SECONDS)
        return [convert.decode_model(model) for model in answer.models]

    def fetch(self, name: str) -> bytes:
        """Return the file of a network."""
        return b"".join(answer.chunk for answer in self._stub.FetchModel(pb.FetchModelRequest(name=name)))
