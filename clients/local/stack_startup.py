"""The start of a whole stack: process by process, each once the previous one answers."""

import grpc

from riverboat.clients.local.readiness import Say, wait_until_ready
from riverboat.clients.local.services import AGENT_HOST
from riverboat.clients.local.stack import SERVICES, Running, Stack
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.connections.problems import connection_problem

_ANSWER_SECONDS = 1.0


def start_all(stack: Stack, addresses: dict[str, str], say: Say) -> None:
    """Start every process and wait until it answers; stop all of them if one does not."""
    try:
        for name in SERVICES:
            if name != AGENT_HOST.name:  # a host would look for its game manager in vain
                stack.start(name, addresses[name])
        for name in SERVICES:
            if name == AGENT_HOST.name:
                stack.start(name, addresses[name])
            _wait(stack, stack.known()[name], say)
    except BaseException:  # also Ctrl-C: no half-started stack stays behind
        stack.stop(say)
        raise


def start_ended(stack: Stack, say: Say) -> list[str]:
    """Start the processes again that have ended, at the same addresses; return their names."""
    known, alive = stack.known(), stack.alive()
    ended = [name for name in SERVICES if name in known and name not in alive]
    if not ended:
        names = ", ".join(f"{name} (process {running.pid})" for name, running in alive.items())
        raise Refused(f"already up in {stack.folder}: {names}; riverboat down --folder {stack.folder} stops it")
    for name in ended:
        _wait(stack, stack.start(name, known[name].address), say)
    return ended


def is_ready(running: Running, timeout: float = _ANSWER_SECONDS) -> bool:
    """Return whether a process does its work; an agent host does when agents are on offer."""
    with open_channel(running.address) as channel:
        try:
            return SERVICES[running.name].client(channel, running.address).answers(timeout)
        except grpc.RpcError:
            return False


def _wait(stack: Stack, running: Running, say: Say) -> None:
    service = SERVICES[running.name]

    def check() -> None:
        stack.check(running.name)
        with open_channel(running.address) as channel:  # waiting does not cure a wrong certificate
            if problem := connection_problem(channel, running.address):
                raise Refused(problem)

    wait_until_ready(
        service.definite,
        lambda timeout: is_ready(running, timeout),
        check,
        say,
        seconds=service.start_seconds,
        slow_start=service.slow_start,
        hint=f"; see {stack.log(running.name)}",
    )
