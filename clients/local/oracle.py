"""Reaching an oracle: one that runs somewhere, or one started just for this command."""

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

import grpc

from riverboat.clients.console.settings import child_environment, oracle_server
from riverboat.clients.console.views.output import waiting
from riverboat.clients.local.processes import private_settings
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import Names, Refused, refusal_of
from riverboat.installation import how_to_install
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.connections.problems import connection_problem

_OPTIONS = (("grpc.max_receive_message_length", 16 * 1024 * 1024),)
_CONNECT_SECONDS = 5
_START_SECONDS = 300  # the first start compiles kernels
_SOON_SECONDS = 3


@contextmanager
def oracle(server: str | None, names: Names) -> Iterator[OracleClient]:
    """A client of the oracle at `server` (or in the environment), or of one started for the occasion.

    Its errors come out as `Refused`, with fields called by `names`.
    """
    address = server or oracle_server()
    try:
        with _running_oracle(address) if address else _own_oracle() as client:
            yield client
    except grpc.RpcError as error:
        raise refusal_of(error, service="oracle", address=address or "its socket", names=names) from None


@contextmanager
def _running_oracle(address: str) -> Iterator[OracleClient]:
    with open_channel(address, _OPTIONS) as channel:
        _connect(channel, address)
        client = OracleClient(channel, address)
        with waiting(f"waiting for the oracle at {address}…") as say:
            _wait_until_ready(client, lambda: None, say)
        yield client


def _connect(channel: grpc.Channel, address: str) -> None:
    """Refuse at once if nobody listens there."""
    states: SimpleQueue[grpc.ChannelConnectivity] = SimpleQueue()
    channel.subscribe(states.put, try_to_connect=True)
    give_up = time.monotonic() + _CONNECT_SECONDS
    try:
        while True:
            state = states.get(timeout=max(0, give_up - time.monotonic()))
            if state is grpc.ChannelConnectivity.READY:
                return
            if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE:
                break
    except Empty:
        pass
    finally:
        channel.unsubscribe(states.put)
    raise Refused(
        connection_problem(channel, address)
        or f"no oracle answers at {address}; without --server and RIVERBOAT_ORACLE_SERVER this command starts one"
    )


@contextmanager
def _own_oracle() -> Iterator[OracleClient]:
    """Start an oracle on a private socket, and stop it in the end."""
    folder = Path(tempfile.mkdtemp(prefix="riverboat-"))
    address = f"unix:{folder / 'oracle.sock'}"
    log = folder / "oracle.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(  # our own module
            [sys.executable, "-m", "riverboat.services.oracle"],
            env=child_environment(private_settings("oracle", address)),
            stdin=subprocess.PIPE,  # closed when we are gone, however that happens
            stdout=sink,
            stderr=sink,
            start_new_session=True,  # Ctrl-C is for us: we stop it in order
        )

    def check() -> None:
        if process.poll() is not None:
            last = log.read_text(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            hint = f": {how_to_install('oracle')}" if "ModuleNotFoundError" in last[0] else ""
            raise Refused(f"cannot start an oracle: {last[0]}{hint}")

    try:
        with open_channel(address, _OPTIONS) as channel:
            client = OracleClient(channel, address)
            with waiting("starting an oracle…") as say:
                _wait_until_ready(client, check, say)
            yield client
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_ready(client: OracleClient, check: Callable[[], None], say: Callable[[str], None]) -> None:
    start = time.monotonic()
    while time.monotonic() < start + _START_SECONDS:
        check()
        if client.answers(timeout=1):
            return
        if time.monotonic() > start + _SOON_SECONDS:
            say("the oracle compiles its kernels, once, for about half a minute…")
    raise Refused(f"the oracle was not ready after {_START_SECONDS} seconds")
