"""Reaching an oracle: one that runs somewhere, or one started just for this command."""

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

from clients.console.failures import Refused
from clients.console.oracle import OracleClient
from clients.console.output import waiting
from clients.console.settings import child_environment, oracle_server

_OPTIONS = (("grpc.max_receive_message_length", 16 * 1024 * 1024),)
_CONNECT_SECONDS = 5
_START_SECONDS = 300  # the first start compiles kernels


@contextmanager
def oracle(server: str | None) -> Iterator[OracleClient]:
    """A client of the oracle at `server` (or in the environment), or of one started for the occasion."""
    address = server or oracle_server()
    if address:
        with grpc.insecure_channel(address, options=_OPTIONS) as channel:
            _wait_for(channel, address)
            yield OracleClient(channel, address)
    else:
        with _own_oracle() as (channel, address):
            yield OracleClient(channel, address)


def _wait_for(channel: grpc.Channel, address: str) -> None:
    try:
        grpc.channel_ready_future(channel).result(timeout=_CONNECT_SECONDS)
    except grpc.FutureTimeoutError:
        raise Refused(f"no oracle answers at {address}; without --server this command starts one itself") from None


@contextmanager
def _own_oracle() -> Iterator[tuple[grpc.Channel, str]]:
    """Start an oracle on a private socket, and stop it in the end."""
    folder = Path(tempfile.mkdtemp(prefix="riverboat-"))
    address = f"unix:{folder / 'oracle.sock'}"
    log = folder / "oracle.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(  # our own module
            [sys.executable, "-m", "services.oracle"],
            env=child_environment({"RIVERBOAT_ORACLE_ADDRESS": address, "RIVERBOAT_ORACLE_LOG_FORMAT": "json"}),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            start_new_session=True,  # Ctrl-C is for us: we stop it in order
        )
    try:
        with grpc.insecure_channel(address, options=_OPTIONS) as channel:
            with waiting("starting an oracle (the first time it compiles for a minute; --server uses a running one)"):
                _wait_until_ready(channel, address, process, log)
            yield channel, address
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_ready(channel: grpc.Channel, address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    client = OracleClient(channel, address)
    give_up = time.monotonic() + _START_SECONDS
    while time.monotonic() < give_up:
        if process.poll() is not None:
            last = log.read_text(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            hint = "; pip install 'riverboat[oracle]'" if "ModuleNotFoundError" in last[0] else ""
            raise Refused(f"cannot start an oracle: {last[0]}{hint}")
        if client.answers(timeout=1):
            return
    raise Refused(f"the oracle was not ready after {_START_SECONDS} seconds")
