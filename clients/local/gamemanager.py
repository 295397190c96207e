"""Reaching a game manager: one that runs somewhere, or one started just for this command, with an agent host."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import grpc

from riverboat.clients.bots.agents.registry import AGENTS, find_agent, needs_resolver
from riverboat.clients.bots.settings import DEFAULT_SERVER
from riverboat.clients.console.settings import gamemanager_server
from riverboat.clients.console.views.output import note, waiting
from riverboat.clients.local.processes import child, private_settings
from riverboat.clients.local.resolver import resolver
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Names, Refused, refusal_of
from riverboat.errors import InvalidInput, NotFound
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.connections.problems import tls_problem
from riverboat.tables.agent_names import split_agent_name

_OPTIONS = (("grpc.max_receive_message_length", 16 * 1024 * 1024), ("grpc.max_reconnect_backoff_ms", 2000))
_CONNECT_SECONDS = 5
_START_SECONDS = 300  # the first start compiles kernels
_SOON_SECONDS = 3
_AGENTS_SECONDS = 60
_CLOSE_SECONDS = 2


@contextmanager
def game_manager(server: str | None, names: Names, agents: Sequence[str]) -> Iterator[GameManagerClient]:
    """The game manager at `server` (or in the environment), or one of our own whose host offers `agents`."""
    address = server or gamemanager_server()
    try:
        with _running(address) if address else _own(agents) as link:
            yield link
    except grpc.RpcError as error:
        raise refusal_of(error, service="game manager", address=address or "its socket", names=names) from None


@contextmanager
def running_game_manager(server: str | None, names: Names) -> Iterator[GameManagerClient]:
    """A game manager that runs already."""
    with game_manager(server or gamemanager_server() or DEFAULT_SERVER, names, ()) as link:
        yield link


@contextmanager
def new_table(link: GameManagerClient, config: pb.TableConfig) -> Iterator[pb.CreateTableResponse]:
    """A table of ours, which is closed in the end."""
    made = link.tables.CreateTable(pb.CreateTableRequest(config=config))
    try:
        yield made
    finally:
        if not link.is_own:  # one of our own goes away as a whole
            request = pb.CloseTableRequest(table_id=made.table.table_id, dealer_token=made.dealer_token)
            try:
                link.tables.CloseTable(request, timeout=_CLOSE_SECONDS)
            except grpc.RpcError:
                note(f"table {made.table.table_id} could not be closed")


@contextmanager
def _running(address: str) -> Iterator[GameManagerClient]:
    with open_channel(address, _OPTIONS) as channel:
        link = GameManagerClient(channel, address, is_own=False)
        try:
            link.tables.ListTables(pb.ListTablesRequest(), timeout=_CONNECT_SECONDS)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.UNAVAILABLE:
                unreached = f"no game manager answers at {address}; riverboat up starts one"
                raise Refused(tls_problem(error, address) or unreached) from None
            if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise
        with waiting(f"waiting for the game manager at {address}…") as say:
            _wait_until_ready(link, lambda: None, say)
        yield link


@contextmanager
def _own(agents: Sequence[str]) -> Iterator[GameManagerClient]:
    """A game manager and a host of agents of our own, with a resolver if one of them asks it."""
    check_own_agents(agents)
    if any(map(needs_resolver, agents)):
        with (
            resolver(None, {}) as found,
            own_game_manager(agents, {"RIVERBOAT_RESOLVER_SERVER": found.address}) as link,
        ):
            yield link
    else:
        with own_game_manager(agents, {}) as link:
            yield link


@contextmanager
def own_game_manager(agents: Sequence[str], host_environment: dict[str, str]) -> Iterator[GameManagerClient]:
    """Start a game manager on a private socket, and a host of agents; stop both in the end."""
    folder = Path(tempfile.mkdtemp(prefix="riverboat-"))
    address = f"unix:{folder / 'game.sock'}"
    settings = private_settings("gamemanager", address, journal=str(folder / "journal.jsonl"), grace_seconds="0")
    host_words = [
        "riverboat.clients.bots.host",
        "--server",
        address,
        "--until-input-ends",
        "--agents",
        _offered(agents),
    ]
    try:
        with (
            child(
                "a game manager", ["riverboat.services.gamemanager"], folder / "gamemanager.log", settings
            ) as manager,
            child("an agent host", host_words, folder / "host.log", host_environment) as host,
            open_channel(address, _OPTIONS) as channel,
        ):
            link = GameManagerClient(channel, address, is_own=True)
            with waiting("starting a game manager…") as say:
                _wait_until_ready(link, manager.check, say)
                say("waiting for the agents…")
                wait_for_agents(link, agents, host.check)
            yield link
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_own_agents(wanted: Sequence[str]) -> None:
    """Refuse what a host of our own cannot play, before anything is started."""
    for name in wanted:
        try:
            find_agent(name)
        except (NotFound, InvalidInput) as error:
            raise Refused(str(error)) from None


def _offered(wanted: Sequence[str]) -> str:
    """What a host of our own offers: agents that need nobody else, and those that are wanted."""
    words = (split_agent_name(name)[0] for name in wanted)
    return ",".join(dict.fromkeys([*(name for name in AGENTS if not needs_resolver(name)), *words]))


def note_rollouts(agents: Sequence[str], player_count: int) -> None:
    """Say so where agents that are named for re-solving cannot do it."""
    asking = sorted({name for name in agents if needs_resolver(name)})
    if asking and player_count > 2:
        verb = "decides" if len(asking) == 1 else "decide"
        note(
            f"{' and '.join(asking)} {verb} by rollouts where more than two are dealt in, also when all but two have "
            "folded, and the result counts such decisions as fallbacks: re-solving is for two players"
        )


def _wait_until_ready(link: GameManagerClient, check: Callable[[], None], say: Callable[[str], None]) -> None:
    start = time.monotonic()
    while time.monotonic() < start + _START_SECONDS:
        check()
        if link.answers(timeout=1):
            return
        if time.monotonic() > start + _SOON_SECONDS:
            say("the game manager compiles its kernels, once, for about half a minute…")
    raise Refused(f"the game manager was not ready after {_START_SECONDS} seconds")


def wait_for_agents(link: GameManagerClient, agents: Sequence[str], check: Callable[[], None]) -> None:
    """Block until a host offers these agents; at once if there is something wrong with a name."""
    start = time.monotonic()
    while time.monotonic() < start + _AGENTS_SECONDS:
        check()
        offered = link.agents()
        missing = sorted(name for name in set(agents) if not {name, split_agent_name(name)[0]} & set(offered))
        if offered and missing:
            raise Refused(f"no agent is called {missing[0][:30]!r}; there are {', '.join(offered)}")
        if offered:
            return
        time.sleep(0.05)
    raise Refused(f"no agent host came within {_AGENTS_SECONDS} seconds")
