"""What is around the command: services that run, a Redis, the networks that came with Riverboat."""

import hashlib
import json
import socket
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc

from riverboat.clients.console.doctor.finding import Finding, better, broken, optional, works
from riverboat.clients.console.settings import PORTS, redis_url
from riverboat.clients.local.redis_server import find_binary
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.trainer import TrainerClient
from riverboat.errors import InvalidInput
from riverboat.installation import how_to_install
from riverboat.rpc.connections.channels import open_channel

_CONNECT_SECONDS = 1.0
_ANSWER_SECONDS = 3.0
_REDIS_PORT = 6379
_TRAINING = ("train", "runs")
_RESOLVING = ("solve", "explain", "review", "models")
_ASK: dict[str, Callable[[Any, str], bool]] = {
    "oracle": lambda channel, address: OracleClient(channel, address).answers(_ANSWER_SECONDS),
    "gamemanager": lambda channel, address: GameManagerClient(channel, address, is_own=False).answers(_ANSWER_SECONDS),
    "resolver": lambda channel, address: ResolverClient(channel, address).answers(_ANSWER_SECONDS),
    "trainer": lambda channel, address: TrainerClient(channel, address).answers(_ANSWER_SECONDS),
}


def check_ports() -> Iterator[Finding]:
    """The ports at which services listen by default."""
    for service, port in PORTS.items():
        yield check_port(service, port)


def check_port(service: str, port: int) -> Finding:
    """Whether a port is free, or what is there."""
    about, address = f"port {port}", f"127.0.0.1:{port}"
    if not _listens("127.0.0.1", port):
        return works(about, f"free, for the {service}")
    with open_channel(address) as channel:
        try:
            if _ASK[service](channel, address):
                return works(about, f"the {service} there answers")
            says = f"something listens there and does not answer as the {service} does"
        except grpc.RpcError as error:
            says = f"something else than the {service} listens there ({error.code().name})"
    mend = f"stop it, or riverboat up --{service}-port 0" if service != "trainer" else "stop it"
    return better(about, says, mend)


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=_CONNECT_SECONDS).close()
    except OSError:
        return False
    return True


def check_redis() -> Finding:
    """The Redis for training: the one that is named, or a server to start."""
    url = redis_url()
    if url:
        problem = _redis_problem(url)
        if not problem:
            return works("redis", "the one in RIVERBOAT_REDIS_URL answers")
        return optional("redis", f"RIVERBOAT_REDIS_URL: {problem}", "start it, or unset the variable", _TRAINING)
    try:
        return works("redis", f"{find_binary()} can be started")
    except Refused:
        mend = f"only riverboat train needs one: {how_to_install('trainer')}, or set RIVERBOAT_REDIS_URL"
        return optional("redis", "there is no server to start", mend, _TRAINING)


def _redis_problem(url: str) -> str:
    """What is wrong with the Redis at an address; a word with it is enough, also one about passwords."""
    try:
        parts = urlsplit(url)
        where = (parts.hostname or "", parts.port or _REDIS_PORT)
        if parts.scheme == "rediss":
            return "" if _listens(*where) else f"nothing listens at {where[0]}:{where[1]}"
        with socket.create_connection(where, timeout=_CONNECT_SECONDS) as wire:
            wire.sendall(b"PING\r\n")
            said = wire.recv(64)
    except ValueError:
        return "this is no address like redis://127.0.0.1:6379/0"
    except OSError:
        return f"nothing answers at {where[0]}:{where[1]}"
    return "" if said.startswith((b"+PONG", b"-NOAUTH")) else "what answers there is no Redis"


def check_networks() -> Iterator[Finding]:
    """The value networks that come with Riverboat."""
    spec = find_spec("services")
    places = (spec.submodule_search_locations or ()) if spec else ()
    files = sorted(file for place in places for file in (Path(place) / "resolver" / "trained").glob("*.onnx"))
    if not files:
        yield better("networks", "none came with this installation, so agents only estimate", "make install again")
        return
    try:
        from riverboat.nets.network import Network
    except ImportError:
        says = f"{len(files)} are there, and onnxruntime, which runs them, is not"
        yield broken("networks", says, how_to_install("resolver"), _RESOLVING)
        return
    good = 0
    for file in files:
        if problem := _network_problem(file, Network):
            yield better("networks", f"{file.name}: {problem}, so it is not used", "get the file again")
        else:
            good += 1
    if good == len(files):
        yield works("networks", f"{good} can be read: {', '.join(file.stem for file in files)}")


def _network_problem(file: Path, read: Callable[[bytes], object]) -> str:
    try:
        data = file.read_bytes()
        if hashlib.sha256(data).hexdigest() != json.loads(file.with_suffix(".json").read_text())["hash"]:
            return "it is not the file that its card is about"
        read(data)
    except InvalidInput as error:
        return str(error)[:120]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"it cannot be read: {str(error)[:120]}"
    return ""
