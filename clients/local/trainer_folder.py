"""The trainer of a folder: only one works there at a time, because two would write the same files."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from riverboat.clients.local.file_locks import lock
from riverboat.clients.local.private_services import private_trainer
from riverboat.clients.local.readiness import Waiting
from riverboat.clients.local.redis_server import check_redis
from riverboat.clients.local.running_services import running_service
from riverboat.clients.local.services import TRAINER
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.trainer import TrainerClient

_ADDRESS = "address.json"  # in the folder, while a trainer works there
_LOOK_SECONDS = 0.1


@contextmanager
def trainer_in(folder: Path, worker_count: int, conducts: bool, waiting: Waiting) -> Iterator[TrainerClient]:
    """Yield a client of a trainer that already runs in the folder, or of a private one that is stopped on exit."""
    check_redis()  # before the folder is made: an empty one would look like a trainer's
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as file:
        if other := _other_trainer(file, folder, conducts, waiting):
            with running_service(TRAINER, other, waiting) as client:
                yield client
            return
        with private_trainer(folder, worker_count, conducts, waiting) as client:
            place = folder / _ADDRESS
            place.write_text(json.dumps({"address": client.address, "conducts": conducts}))
            try:
                yield client
            finally:
                place.unlink(missing_ok=True)


def _other_trainer(file: IO[str], folder: Path, conducts: bool, waiting: Waiting) -> str:
    """Return the address of another command's trainer; "" if the folder is ours now."""
    if lock(file):
        return ""
    give_up = time.monotonic() + TRAINER.start_seconds
    with waiting("another riverboat command works in this folder…"):
        while not lock(file):
            if address := _address_in(folder, conducts):
                return address
            if time.monotonic() > give_up:
                raise Refused(f"another riverboat command works in {folder}: wait for it, or give another --folder")
            time.sleep(_LOOK_SECONDS)
    return ""


def _address_in(folder: Path, conducts: bool) -> str:
    """Return the address of the folder's trainer; "" if it has none yet, or conducts no runs where runs are needed."""
    try:
        written = json.loads((folder / _ADDRESS).read_text())
        return str(written["address"]) if written["conducts"] or not conducts else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
