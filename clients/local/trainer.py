"""Reaching a trainer: one that runs somewhere, or one started just for this command, with a Redis and workers."""

import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Annotated

import grpc
import typer

from riverboat.clients.console.completion import server_of
from riverboat.clients.console.settings import trainer_server
from riverboat.clients.console.views.output import waiting
from riverboat.clients.local.file_locks import lock
from riverboat.clients.local.processes import Child, child, private_settings, service_settings
from riverboat.clients.local.redis_server import check_redis, redis_in
from riverboat.clients.remote.refusals import Names, Refused, refusal_of
from riverboat.clients.remote.trainer import TrainerClient
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.connections.problems import connection_problem

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


@contextmanager
def trainer(
    server: str | None, folder: Path, workers: int, names: Names, conducts: bool = True
) -> Iterator[TrainerClient]:
    """The trainer at `server` (or in the environment), or one of our own with so many workers; errors are `Refused`."""
    address = server or trainer_server()
    try:
        with _running(address) if address else _own(folder, workers, conducts) as link:
            yield link
    except grpc.RpcError as error:
        raise refusal_of(error, service="trainer", address=address or "its socket", names=names) from None


@contextmanager
def _running(address: str) -> Iterator[TrainerClient]:
    with open_channel(address, _OPTIONS) as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=_CONNECT_SECONDS)
        except grpc.FutureTimeoutError:
            raise Refused(
                connection_problem(channel, address)
                or f"no trainer answers at {address}; without --server and RIVERBOAT_TRAINER_SERVER this command "
                "starts one"
            ) from None
        yield TrainerClient(channel, address)


@contextmanager
def _own(folder: Path, workers: int, conducts: bool) -> Iterator[TrainerClient]:
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
def _started(folder: Path, workers: int, conducts: bool) -> Iterator[TrainerClient]:
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
            link = TrainerClient(channel, address)
            say("starting a trainer, which loads torch…")
            _wait(link, children)
        yield link


def _wait(link: TrainerClient, children: Sequence[Child]) -> None:
    give_up = time.monotonic() + _START_SECONDS
    while not link.answers(1):
        for process in children:
            process.check()
        if time.monotonic() > give_up:
            raise Refused(f"the trainer was not ready after {_START_SECONDS} seconds")


def core_count() -> int:
    """How many workers this machine is good for."""
    return os.cpu_count() or 1
