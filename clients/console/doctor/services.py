"""Services that run on this machine, and a Redis for training."""

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import grpc

from riverboat.clients.console.doctor.diagnosis import Diagnosis, improvable, optional, working
from riverboat.clients.local.redis_server import find_binary
from riverboat.clients.local.services import GAMEMANAGER, ORACLE, RESOLVER, TRAINER, Client, ServiceProgram
from riverboat.clients.local.settings import PORTS, redis_url
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.installation import how_to_install

_CONNECT_SECONDS = 1.0
_ANSWER_SECONDS = 3.0
_REDIS_PORT = 6379
_TRAINING = ("train", "runs")
_SERVICES: tuple[ServiceProgram[Client], ...] = (ORACLE, GAMEMANAGER, RESOLVER, TRAINER)


def check_ports() -> Iterator[Diagnosis]:
    """Check the ports at which services listen by default."""
    for service in _SERVICES:
        yield check_port(service, PORTS[service.name])


def check_port(service: ServiceProgram[Client], port: int) -> Diagnosis:
    """Say whether a port is free, or what listens there."""
    about, address = f"port {port}", f"127.0.0.1:{port}"
    if not _listens("127.0.0.1", port):
        return working(about, f"free for {service.definite}")
    with open_channel(address) as channel:
        try:
            if service.client(channel, address).answers(_ANSWER_SECONDS):
                return working(about, f"{service.definite} answers")
            says = f"a program listens, but does not answer like {service.definite}"
        except grpc.RpcError as error:
            says = f"a program other than {service.definite} listens ({error.code().name})"
    remedy = f"stop it, or use riverboat up --{service.name}-port 0" if service is not TRAINER else "stop it"
    return improvable(about, says, remedy)


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=_CONNECT_SECONDS).close()
    except OSError:
        return False
    return True


def check_redis() -> Diagnosis:
    """Check the Redis for training: the one that is named, or a server to start."""
    url = redis_url()
    if url:
        problem = _redis_problem(url)
        if not problem:
            return working("redis", "the one in RIVERBOAT_REDIS_URL answers")
        return optional("redis", f"RIVERBOAT_REDIS_URL: {problem}", "start it, or unset the variable", _TRAINING)
    try:
        return working("redis", f"{find_binary()} can be started")
    except Refused:
        remedy = f"only riverboat train needs one: {how_to_install('trainer')}, or set RIVERBOAT_REDIS_URL"
        return optional("redis", "no server is installed", remedy, _TRAINING)


def _redis_problem(url: str) -> str:
    """Return the problem with the Redis at an address; any reply is fine, also one that asks for a password."""
    try:
        parts = urlsplit(url)
        where = (parts.hostname or "", parts.port or _REDIS_PORT)
        if parts.scheme == "rediss":
            return "" if _listens(*where) else f"nothing listens at {where[0]}:{where[1]}"
        with socket.create_connection(where, timeout=_CONNECT_SECONDS) as wire:
            wire.sendall(b"PING\r\n")
            reply = wire.recv(64)
    except ValueError:
        return "not an address like redis://127.0.0.1:6379/0"
    except OSError:
        return f"nothing answers at {where[0]}:{where[1]}"
    return "" if reply.startswith((b"+PONG", b"-NOAUTH")) else "the program that answers is not a Redis"
