"""Reaching a resolver: one that runs somewhere, or one started just for this command, with what it needs."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer

from riverboat.clients.console.completion import server_of
from riverboat.clients.console.settings import resolver_server
from riverboat.clients.console.views.output import waiting
from riverboat.clients.local.processes import Child, child, private_settings
from riverboat.clients.remote.channels import open_resolver_channel
from riverboat.clients.remote.refusals import Names, Refused, refusal_of
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.rpc.connections.problems import connection_problem

# How to wait for something: what it is, and how to change that; either may raise to end it.
Waiting = Callable[[str], AbstractContextManager[Callable[[str], None]]]

_WAIT = "waiting for the resolver…"
_CONNECT_SECONDS = 5
_START_SECONDS = 300  # the first start compiles kernels
_SOON_SECONDS = 5

ResolverServer = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        help="Ask this resolver instead of starting one; RIVERBOAT_RESOLVER_SERVER does the same.",
        show_default=False,
        autocompletion=server_of("resolver"),
    ),
]


@contextmanager
def resolver(server: str | None, names: Names) -> Iterator[ResolverClient]:
    """The resolver at `server` (or in the environment), or one of our own; its errors come out as `Refused`."""
    address = server or resolver_server()
    try:
        with running_resolver(address) if address else own_resolver() as link:
            yield link
    except grpc.RpcError as error:
        raise refusal_of(error, service="resolver", address=address or "its socket", names=names) from None


@contextmanager
def running_resolver(address: str, wait: Waiting = waiting) -> Iterator[ResolverClient]:
    """A resolver that runs already."""
    with open_resolver_channel(address) as channel:
        if not _listens(channel, _CONNECT_SECONDS):
            raise Refused(
                connection_problem(channel, address)
                or f"no resolver answers at {address}; without --server and RIVERBOAT_RESOLVER_SERVER this command "
                "starts one itself"
            )
        link = ResolverClient(channel, address)
        with wait(f"waiting for the resolver at {address}…") as say:
            _wait_until_ready(link.answers, (), say)
        yield link


@contextmanager
def own_resolver(wait: Waiting = waiting) -> Iterator[ResolverClient]:
    """Start a resolver on a private socket, with an oracle and a game manager; stop all three in the end."""
    folder = Path(tempfile.mkdtemp(prefix="riverboat-"))
    where = {name: f"unix:{folder / name}.sock" for name in ("oracle", "gamemanager", "resolver")}
    more = {
        "gamemanager": {"journal": str(folder / "journal.jsonl")},
        "resolver": {"oracle_server": where["oracle"], "gamemanager_server": where["gamemanager"]},
    }
    try:
        with ExitStack() as stack:
            children = [
                stack.enter_context(_child(name, folder, address, more.get(name, {})))
                for name, address in where.items()
            ]
            *needed, channel = (stack.enter_context(open_resolver_channel(address)) for address in where.values())
            link = ResolverClient(channel, where["resolver"])
            with wait("starting a resolver…") as say:
                for other in needed:  # a resolver answers before what it asks does
                    _wait_until_ready(partial(_listens, other), children, say)
                _wait_until_ready(link.answers, children, say)
            yield link
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _child(name: str, folder: Path, address: str, more: dict[str, str]) -> Iterator[Child]:
    settings = private_settings(name, address, grace_seconds="0", **more)
    article = "an" if name[0] in "aeiou" else "a"
    with child(f"{article} {name}", [f"riverboat.services.{name}"], folder / f"{name}.log", settings) as process:
        yield process


def _listens(channel: Any, timeout: float) -> bool:
    """Whether somebody listens at the other end within `timeout` seconds."""
    try:
        grpc.channel_ready_future(channel).result(timeout=timeout)
    except grpc.FutureTimeoutError:
        return False
    return True


def _wait_until_ready(answers: Callable[[float], bool], children: Sequence[Child], say: Callable[[str], None]) -> None:
    start = time.monotonic()
    while time.monotonic() < start + _START_SECONDS:
        for process in children:
            process.check()
        if answers(1):
            return
        is_late = time.monotonic() > start + _SOON_SECONDS
        say("the resolver compiles its kernels, once, for about half a minute…" if is_late else _WAIT)
    raise Refused(f"the resolver was not ready after {_START_SECONDS} seconds")
