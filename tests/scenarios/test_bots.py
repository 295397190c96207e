"""Bots as people start them, each in its own process, with a person at the same table."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.matches_pb2 import StartMatchRequest, WatchMatchRequest
from riverboat.protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import Street, no_limit
from tests.launching.launch import start_module
from tests.launching.process import Process
from tests.node import NEEDS_NODE, install_example
from tests.processes import ROOT, ServiceProcess, free_port, running
from tests.unit.clients.bots.tables import create_table, moves_at, table_info

EXAMPLES = ROOT / "clients" / "examples"
EXAMPLE = EXAMPLES / "ten_lines.py"
WAIT_SECONDS = 60
BUY_IN = 100_000  # enough for many hands of small bets
# Otherwise two bots with pairs would raise each other until one of them is bust.
CAPPED = encode_variant(replace(no_limit(50, 100), streets=tuple(Street(n, 100, 4) for n in (0, 3, 1, 1))))

HEAD = "from riverboat.clients.bots import CALL, FOLD, Bot\n\n"
CALLER = HEAD + "class Caller(Bot):\n    def act(self, view):\n        return CALL\n"
BROKEN = HEAD + "class Broken(Bot):\n    def act(self, view):\n        return view.no_such_thing\n"
STUCK = "import time\n" + HEAD + "class Stuck(Bot):\n    def act(self, view):\n        time.sleep(1000)\n"
ELEPHANT = (
    "import os\n"
    + HEAD
    + """
SEEN = {}

class Elephant(Bot):
    def act(self, view):
        board = view.public.board
        if len(board) == 5 and SEEN.setdefault(board, view.holding) != view.holding:
            os.write(1, b"the opponent's cards are known\\n")  # whole lines, whoever else writes
        os.write(1, f"process {os.getpid()} acts\\n".encode())
        return CALL
"""
)


class Child:
    """A process whose output goes to a file: any command, or -m and one of our modules."""

    def __init__(self, words: list[str], log: Path, **environment: str) -> None:
        self._log = log
        with log.open("wb") as sink:
            env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
            if words[0] == "-m":
                self.process: Process = start_module(*words[1:], env=env, stdout=sink, stderr=sink)
            else:
                self.process = subprocess.Popen(words, cwd=ROOT, env=env, stdout=sink, stderr=sink)

    @property
    def text(self) -> str:
        """Return the output so far."""
        return self._log.read_text()

    def wait(self) -> int:
        """Wait for the exit code."""
        return self.process.wait(WAIT_SECONDS)


class Starter:
    """A group of processes; those still running are killed at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._children: list[Child] = []

    def run(self, *words: str, **environment: str) -> Child:
        """Run any command."""
        self._children.append(Child(list(words), self._folder / f"child_{len(self._children)}.log", **environment))
        return self._children[-1]

    def bot(self, bot: Path | str, *words: str) -> Child:
        """Run `riverboat bot` with a file, given as its path or as its text."""
        path = bot
        if isinstance(path, str):
            path = self._folder / f"bot_{len(self._children)}.py"
            path.write_text(str(bot))
        return self.run("-m", "riverboat.clients.console.app", "bot", str(path), *words)

    def end(self) -> None:
        """Kill the processes that still run."""
        for child in self._children:
            if child.process.poll() is None:
                child.process.kill()
                child.process.wait()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    starter = Starter(tmp_path)
    yield starter
    starter.end()


def offered(server: str) -> list[str]:
    """Return the agents on offer."""
    with grpc.insecure_channel(server) as channel:
        return list(AgentHostsStub(channel).ListAgents(hosts_pb.ListAgentsRequest(), wait_for_ready=True).agents)


def until(holds: Callable[[], object], *children: Child) -> None:
    """Wait until a condition holds."""
    give_up = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < give_up, "\n".join(child.text for child in children)
        time.sleep(0.02)


class Person:
    """A person who checks, calls small bets and folds to large ones, and retries when the server is away."""

    def __init__(self, server: str, table_id: str, name: str = "Anna") -> None:
        self._server = server
        self.hands_seen: set[int] = set()
        request = pb.JoinTableRequest(table_id=table_id, name=name, request_id=uuid.uuid4().hex)
        self._token = self._call("JoinTable", request).token

    def _call(self, method: str, request: Any) -> Any:
        give_up = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                with grpc.insecure_channel(self._server) as channel:
                    return getattr(TablesStub(channel), method)(request, timeout=10, wait_for_ready=True)
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or time.monotonic() > give_up:
                    raise

    def view(self) -> pb.View:
        """Return the person's view."""
        return self._call("GetView", pb.GetViewRequest(token=self._token)).view  # type: ignore[no-any-return]

    def play_until(self, holds: Callable[[pb.View], bool]) -> pb.View:
        """Play until a condition holds; return the view."""
        give_up = time.monotonic() + WAIT_SECONDS
        while not holds(view := self.view()):
            assert time.monotonic() < give_up
            if view.is_your_turn:
                self.act(view)
            else:
                time.sleep(0.01)
        return view

    def act(self, view: pb.View) -> None:
        """Check, call or fold."""
        self.hands_seen.add(view.hand_number)
        kind = rules_pb.Action(call=rules_pb.Action.Call())
        if view.legal.to_call > 300:
            kind = rules_pb.Action(fold=rules_pb.Action.Fold())
        decision = pb.Decision(
            request_id=uuid.uuid4().hex, action=kind, hand_number=view.hand_number, action_number=view.action_number
        )
        self._call("TakeAction", pb.TakeActionRequest(token=self._token, decision=decision))


def check_chips(server: str, table_id: str, player_count: int) -> None:
    """Require that in every hand all winnings and losses add up to 0."""
    stacks: dict[str, int] = {}
    with grpc.insecure_channel(server) as channel:
        hands = TablesStub(channel).ListHands(pb.ListHandsRequest(table_id=table_id, hand_count=1000)).hands
    for hand in hands:
        started, ended = hand.events[0].hand_started, hand.events[-1].hand_ended
        assert sum(ended.payoffs) == 0
        before = dict(zip(hand.names, started.stacks, strict=True))
        assert before == {name: stacks.get(name, BUY_IN) for name in before}
        stacks |= {name: before[name] + won for name, won in zip(hand.names, ended.payoffs, strict=True)}
    chairs = {chair.name: chair.stack for chair in table_info(server, table_id).chairs}
    assert chairs == stacks
    assert sum(stacks.values()) == player_count * BUY_IN


@contextmanager
def manager(folder: Path, address: str) -> Iterator[ServiceProcess]:
    """Run a game manager at an address, with the existing journal."""
    with running("gamemanager", folder, address=address, journal=str(folder / "journal.jsonl")) as process:
        process.wait_until_healthy()
        yield process


@pytest.mark.slow
def test_two_remote_bots_and_a_person_through_kills(tmp_path: Path, start: Starter) -> None:
    """The game manager is killed twice: once at the person's turn, and once at another player's."""
    address = f"127.0.0.1:{free_port()}"
    with manager(tmp_path, address) as first:
        created = create_table(address, variant=CAPPED, buy_in=BUY_IN, hand_limit=24, players_to_start=3, pause_ms=20)
        table = created.table.table_id
        bots = [
            start.bot(EXAMPLE, "--server", address, "--table", table, "--name", "example", "--strict"),
            start.bot(CALLER, "--server", address, "--table", table, "--strict"),
        ]
        until(lambda: len(table_info(address, table).chairs) == 2, *bots)
        person = Person(address, table)
        before = person.play_until(lambda view: view.hand_number >= 6 and view.is_your_turn)
        first.process.kill()
        first.process.wait()
    with manager(tmp_path, address) as second:
        after = person.view()
        assert (after.holding, after.hand_number, after.action_number, after.seat) == (
            before.holding, before.hand_number, before.action_number, before.seat,
        )  # fmt: skip
        person.act(after)
        turn = person.play_until(lambda view: view.hand_number >= 12 and view.is_your_turn)
        person.act(turn)
        second.process.kill()
        second.process.wait()
    with manager(tmp_path, address):
        closed = person.play_until(lambda view: view.status == pb.TABLE_STATUS_CLOSED)
        assert closed.hand_number == 24
        assert [bot.wait() for bot in bots] == [0, 0], bots[0].text + bots[1].text
        for bot in bots:
            assert bot.text.count("connection_lost") == bot.text.count("connection_restored") == 2
            assert "refused" not in bot.text
        assert person.hands_seen == set(range(1, 25))
        check_chips(address, table, 3)
        moves = moves_at(address, table)
        assert not any(move.timed_out for _, move in moves)
        assert {name for name, _ in moves} == {"Anna", "example", "Caller"}


def test_a_bot_that_raises_folds_and_stays(tmp_path: Path, gamemanager_process: ServiceProcess, start: Starter) -> None:
    server = gamemanager_process.address
    table = create_table(server, variant=CAPPED, buy_in=BUY_IN, hand_limit=6, players_to_start=3).table.table_id
    broken = start.bot(BROKEN, "--server", server, "--table", table)
    caller = start.bot(CALLER, "--server", server, "--table", table, "--seed", "3")
    person = Person(server, table)
    person.play_until(lambda view: view.status == pb.TABLE_STATUS_CLOSED)
    assert (broken.wait(), caller.wait()) == (0, 0), broken.text
    assert "bot_failed bot=Broken hand=1 seat=" in broken.text
    assert "AttributeError: 'View' object has no attribute 'no_such_thing'" in broken.text
    actions = [move.action.WhichOneof("kind") for name, move in moves_at(server, table) if name == "Broken"]
    assert "fold" in actions
    assert set(actions) <= {"fold", "call"}
    check_chips(server, table, 3)


def test_a_strict_bot_that_raises_stops_with_one_line(gamemanager_process: ServiceProcess, start: Starter) -> None:
    server = gamemanager_process.address
    table = create_table(server, buy_in=BUY_IN, clock_ms=5000).table.table_id
    broken = start.bot(BROKEN, "--server", server, "--table", table, "--strict", "--name", "odd one")
    person = Person(server, table)
    person.play_until(lambda view: broken.process.poll() is not None)
    assert broken.wait() == 2
    assert "Traceback" not in broken.text
    *_, last = broken.text.splitlines()
    assert last.startswith("riverboat: bot 'odd one' failed in hand ")
    assert last.endswith("AttributeError: 'View' object has no attribute 'no_such_thing'")
    person.play_until(lambda view: [chair.name for chair in view.chairs] == ["Anna"])


def test_a_bot_on_offer_is_an_agent(gamemanager_process: ServiceProcess, start: Starter) -> None:
    server = gamemanager_process.address

    host = start.bot(EXAMPLE, "--server", server, "--host", "my-bot")
    until(lambda: "my-bot" in offered(server), host)
    agents = ["my-bot", "my-bot"]
    created = create_table(server, variant=CAPPED, buy_in=BUY_IN, agents=agents, hand_limit=5, players_to_start=3)
    table = created.table.table_id
    assert [(chair.name, chair.is_agent) for chair in created.table.chairs] == [("my-bot", True), ("my-bot 2", True)]
    Person(server, table).play_until(lambda view: view.status == pb.TABLE_STATUS_CLOSED)
    check_chips(server, table, 3)
    assert not any(move.timed_out for _, move in moves_at(server, table))
    host.process.send_signal(signal.SIGINT)
    assert host.wait() == 130
    assert host.text.splitlines()[-1] == "riverboat: stopped"
    until(lambda: "my-bot" not in offered(server))


@pytest.mark.slow
def test_a_bot_that_remembers_does_not_see_a_deal_twice(gamemanager_process: ServiceProcess, start: Starter) -> None:
    """The bot's module keeps every board with its own cards: seeing a deal from both sides reveals the opponent's."""
    server, deals = gamemanager_process.address, 60
    start.run(sys.executable, "-m", "riverboat.clients.bots.host", "--server", server, "--agents", "always-call")

    def play(instances: int, name: str) -> Child:
        host = start.bot(ELEPHANT, "--server", server, "--host", name, "--instances", str(instances))
        until(lambda: host.text.count(f"agents_offered agents={name}") == instances, host)
        until(lambda: {name, "always-call"} <= set(offered(server)), host)
        request = StartMatchRequest(
            variant=encode_variant(no_limit(50, 100)),
            stack=BUY_IN,
            agents=[name, "always-call"],
            deal_count=deals,
            duplicate=True,
        )
        with grpc.insecure_channel(server) as channel:
            begun = MatchesStub(channel).StartMatch(request)
            *_, last = MatchesStub(channel).WatchMatch(WatchMatchRequest(match_id=begun.match_id), timeout=120)
        assert (last.hand_count, last.timed_out_count) == (2 * deals, 0), host.text
        return host

    with pytest.raises(grpc.RpcError, match="elephant may remember hands: a duplicate match needs 2 processes"):
        play(1, "elephant")
    host = play(2, "elephants")
    acting = {line for line in host.text.splitlines() if line.endswith(" acts")}
    assert len(acting) == 2, "each side in its own process"
    assert "the opponent's cards are known" not in host.text
    host.process.send_signal(signal.SIGTERM)
    assert host.wait() == 143
    until(lambda: "elephants" not in offered(server), host)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_bot_that_is_stopped_gives_its_chair_back(
    gamemanager_process: ServiceProcess, start: Starter, number: signal.Signals, code: int
) -> None:
    """Even while the bot never answers."""
    server = gamemanager_process.address
    table = create_table(server, buy_in=BUY_IN, clock_ms=5000).table.table_id
    stuck = start.bot(STUCK, "--server", server, "--table", table)
    until(lambda: table_info(server, table).chairs, stuck)
    person = Person(server, table)
    person.play_until(lambda view: view.status == pb.TABLE_STATUS_PLAYING and not view.is_your_turn)
    stuck.process.send_signal(number)
    person.play_until(lambda view: stuck.process.poll() is not None)
    assert stuck.wait() == code, stuck.text
    person.play_until(lambda view: [chair.name for chair in view.chairs] == ["Anna"])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "give either --table ID, to join a table, or --host NAME"),
        (["--table", "x", "--host", "y"], "give either --table ID, to join a table, or --host NAME"),
        (["--host", "x", "--seed", "3"], "--name and --seed are for a bot at a table"),
        (["--table", "nonsense"], "there is no table 'nonsense'"),
        (["--host", "a name"], "agents: must be 1 to 100 names of at most 30 letters"),
        (["--table", "x", "--class", "Other"], "no bot is called 'Other'; it contains Caller"),
    ],
)
def test_errors_are_one_line(
    gamemanager_process: ServiceProcess, start: Starter, words: list[str], reason: str
) -> None:
    refused = start.bot(CALLER, "--server", gamemanager_process.address, *words)
    assert refused.wait() == 2, refused.text
    assert "Traceback" not in refused.text
    *_, last = refused.text.splitlines()
    assert last.startswith("riverboat: ")
    assert reason in last


def test_nobody_at_the_server(start: Starter) -> None:
    alone = start.bot(CALLER, "--server", f"127.0.0.1:{free_port()}", "--table", "x")
    assert alone.wait() == 2
    assert "riverboat: no game manager answers at 127.0.0.1:" in alone.text


@pytest.mark.parametrize("name", ["plain", "fair"])
def test_a_bot_without_the_sdk(gamemanager_process: ServiceProcess, start: Starter, name: str) -> None:
    server = gamemanager_process.address
    table = create_table(server, variant=CAPPED, buy_in=BUY_IN, hand_limit=5, players_to_start=3).table.table_id
    plain = start.run(sys.executable, str(EXAMPLES / f"{name}_grpc.py"), server, table)
    start.bot(CALLER, "--server", server, "--table", table)
    Person(server, table).play_until(lambda view: view.status == pb.TABLE_STATUS_CLOSED)
    assert plain.wait() == 0, plain.text
    assert name in {who for who, move in moves_at(server, table) if not move.timed_out}
    assert "PROBLEM" not in plain.text
    assert ("PROVED" in plain.text) == (name == "fair")


@pytest.mark.slow
@NEEDS_NODE
def test_bots_in_javascript(tmp_path: Path, start: Starter) -> None:
    """Installed from package.json alone, against an agent and a person; one continues after a kill of the server."""
    install_example("javascript", tmp_path)
    address = f"127.0.0.1:{free_port()}"
    with manager(tmp_path, address) as first:
        start.bot(EXAMPLE, "--server", address, "--host", "careful")
        until(lambda: "careful" in offered(address))
        config = {"buy_in": BUY_IN, "players_to_start": 3, "agents": ["careful"], "pause_ms": 20}
        short = create_table(address, hand_limit=5, **config).table.table_id
        shortest = start.run("node", str(tmp_path / "ten_lines.js"), address, short, RIVERBOAT_ROOT=str(ROOT))
        Person(address, short).play_until(lambda view: view.status == pb.TABLE_STATUS_CLOSED)
        assert shortest.wait() == 0, shortest.text
        assert "shortest" in {name for name, move in moves_at(address, short) if not move.timed_out}
        lost = start.run("node", str(tmp_path / "ten_lines.js"), address, "nowhere", RIVERBOAT_ROOT=str(ROOT))
        assert lost.wait() == 1
        assert lost.text.strip() == "there is no table 'nowhere'"
        table = create_table(address, hand_limit=30, **config).table.table_id
        javascript = start.run("node", str(tmp_path / "bot.js"), address, table, "js", RIVERBOAT_ROOT=str(ROOT))
        person = Person(address, table)
        person.play_until(lambda view: view.hand_number >= 10)
        first.process.kill()
        first.process.wait()
    with manager(tmp_path, address):
        person.play_until(lambda view: view.status == pb.TABLE_STATUS_CLOSED)
        assert javascript.wait() == 0, javascript.text
        check_chips(address, table, 3)
        own = [move for name, move in moves_at(address, table) if name == "js"]
        with grpc.insecure_channel(address) as channel:
            hands = TablesStub(channel).ListHands(pb.ListHandsRequest(table_id=table)).hands
        started = [(hand.names, hand.events[0].hand_started.secrets) for hand in hands]
        contributed = sum(bool(secrets[list(names).index("js")]) for names, secrets in started if "js" in names)
    assert "js sits in chair " in javascript.text
    assert javascript.text.splitlines()[-1] == "the table closed after 30 hands"
    assert "THE DEAL" not in javascript.text
    assert contributed > 20
    assert own
    assert not any(move.timed_out for move in own)
