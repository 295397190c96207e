"""Reaching a trainer: one that runs somewhere, or one started just for this command, with a Redis and workers."""

import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import grpc
import typer

from riverboat.clients.console.completion import server_of
from riverboat.clients.console.settings import trainer_server
from riverboat.clients.console.views.output import waiting
from riverboat.clients.local.file_locks import lock
from riverboat.clients.local.processes import Child, child, private_settings, service_settings
from riverboat.clients.local.redis_server import check_redis, redis_in
from riverboat.clients.remote.refusals import Names, Refused, refusal_of, with_id
from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1.trainer_pb2_grpc import TrainerStub
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.connections.forwarding_channel import admin_metadata
from riverboat.rpc.connections.problems import connection_problem, tls_problem
from riverboat.rpc.convert import trainer as convert
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import ModelAnswer, RunStatus, Stage

_SECONDS = 30
_START_SECONDS = 120
_CONNECT_SECONDS = 5
_LOOK_SECONDS = 0.1
_ADDRESS = "address.json"  # in the folder, while a trainer works there
DATA_FOLDER = Path("riverboat-data")
_OPTIONS = (("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 2000))

TrainerServer = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        help="Ask this trainer instead of starting one; RIVERBOAT_TRAINER_SERVER does the same.",
        show_default=False,
        autocompletion=server_of("trainer"),
    ),
]
DataFolder = Annotated[
    Path, typer.Option("--folder", file_okay=False, help="Of a trainer that is started: where runs and samples are.")
]


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

    def plan(self, plan: TrainingPlan) -> RunStatus:
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


@contextmanager
def trainer(
    server: str | None, folder: Path, workers: int, names: Names, conducts: bool = True
) -> Iterator[TrainerLink]:
    """The trainer at `server` (or in the environment), or one of our own with so many workers; errors are `Refused`."""
    address = server or trainer_server()
    try:
        with _running(address) if address else _own(folder, workers, conducts) as link:
            yield link
    except grpc.RpcError as error:
        raise _refusal(error, address or "its socket", names) from None


def _refusal(error: grpc.RpcError, address: str, names: Names) -> Refused:
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE:
        said = details if "does not answer" in details else f"the trainer at {address} does not answer any more"
        return Refused(with_id(error, tls_problem(error, address) or said))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"what answers at {address} is not a trainer of this version ({details})")
    return refusal_of(error, address, names)


@contextmanager
def _running(address: str) -> Iterator[TrainerLink]:
    with open_channel(address, _OPTIONS) as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=_CONNECT_SECONDS)
        except grpc.FutureTimeoutError:
            raise Refused(
                connection_problem(channel, address)
                or f"no trainer answers at {address}; without --server and RIVERBOAT_TRAINER_SERVER this command "
                "starts one"
            ) from None
        yield TrainerLink(channel, address)


@contextmanager
def _own(folder: Path, workers: int, conducts: bool) -> Iterator[TrainerLink]:
    """The trainer of a folder: one that another command has started there, or a new one, which is stopped in the end.

    Only one works in a folder at a time: two would write the same files.
    """
    check_redis()  # before there is a folder, which others would take for a trainer's
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as file:
        other = _other_trainer(file, folder, conducts)
        with _running(other) if other else _started(folder, workers, conducts) as link:
            if other:
                yield link
                return
            place = folder / _ADDRESS
            place.write_text(json.dumps({"address": link.address, "conducts": conducts}))
            try:
                yield link
            finally:
                place.unlink(missing_ok=True)


def _other_trainer(file: IO[str], folder: Path, conducts: bool) -> str:
    """Where the trainer listens that another command has started in a folder; nothing if the folder is ours now."""
    if lock(file):
        return ""
    give_up = time.monotonic() + _START_SECONDS
    with waiting("another riverboat command works in this folder…"):
        while not lock(file):
            if address := _address_in(folder, conducts):
                return address
            if time.monotonic() > give_up:
                raise Refused(f"another riverboat command works in {folder}: wait for it, or give another --folder")
            time.sleep(_LOOK_SECONDS)
    return ""


def _address_in(folder: Path, conducts: bool) -> str:
    """Where the trainer of a folder listens, once it does; nothing if it only answers and runs are to go on."""
    try:
        found = json.loads((folder / _ADDRESS).read_text())
        return str(found["address"]) if found["conducts"] or not conducts else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


@contextmanager
def _started(folder: Path, workers: int, conducts: bool) -> Iterator[TrainerLink]:
    """Start a trainer with its data in a folder, a Redis and workers; stop all of them in the end."""
    with ExitStack() as stack:
        # Names of sockets must be short.
        socket = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="riverboat-"))) / "trainer.sock"
        address = f"unix:{socket}"
        with waiting("starting a Redis…") as say:
            redis = stack.enter_context(redis_in(folder / "redis"))
            shared = {"redis": redis, "store": str(folder.absolute())}
            settings = private_settings("trainer", address, conducts=str(conducts), **shared)
            children = [
                stack.enter_context(
                    child("a trainer", ["riverboat.services.trainer"], folder / "trainer.log", settings)
                )
            ]
            if workers:
                own = {"until_input_ends": "true", "log_format": "json", **shared}
                settings = service_settings("worker", processes=str(workers), **own)
                words = ["riverboat.services.trainer.worker"]
                children.append(stack.enter_context(child("workers", words, folder / "worker.log", settings)))
            channel = stack.enter_context(open_channel(address, _OPTIONS))
            link = TrainerLink(channel, address)
            say("starting a trainer, which loads torch…")
            _wait(link, children)
        yield link


def _wait(link: TrainerLink, children: Sequence[Child]) -> None:
    give_up = time.monotonic() + _START_SECONDS
    while not link.answers(1):
        for process in children:
            process.check()
        if time.monotonic() > give_up:
            raise Refused(f"the trainer was not ready after {_START_SECONDS} seconds")


def core_count() -> int:
    """How many workers this machine is good for."""
    return os.cpu_count() or 1
