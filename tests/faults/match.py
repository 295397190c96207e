"""A match with a follower, and its state after every service was away in turn."""

import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from tests.faults.boat import Boat
from tests.faults.containers import Composed
from tests.launching.launch import start_module
from tests.unit.clients.bots.tables import moves_at

_STACK = 2_000
_WAIT_SECONDS = 240
_MOST_HANDS = 1000
_KILLED = ("oracle", "resolver", "gamemanager", "agents", "redis")


def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds; an unreachable server counts as not holding."""
    give_up = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < give_up:
        try:
            if holds():
                return
        except grpc.RpcError:
            pass
        time.sleep(0.1)
    raise AssertionError("the condition never held")


Hands = dict[str, list[pb.HandRecord]]  # by table


def hands_of(server: str, table_ids: Sequence[str]) -> Hands:
    """Return all finished hands of a match, by table."""
    with grpc.insecure_channel(server) as channel:
        stub = TablesStub(channel)
        requests = {table: pb.ListHandsRequest(table_id=table, hand_count=_MOST_HANDS) for table in table_ids}
        return {table: list(stub.ListHands(request, timeout=20).hands) for table, request in requests.items()}


def count_of(hands: Hands) -> int:
    """Return the number of hands at all tables together."""
    return sum(map(len, hands.values()))


class Match:
    """`riverboat match` in its own process, as a user sees it."""

    def __init__(self, boat: Boat | Composed, log: Path) -> None:
        self._log = log
        words = ["match", "resolver", "rollout", "-n", str(_MOST_HANDS), "--duplicate", "--deck", "24"]
        words += ["--stack", str(_STACK), "--server", boat.addresses["gamemanager"]]
        with log.open("wb") as sink:
            self.process = start_module("riverboat.clients.console.app", *words, stdout=sink, stderr=sink)
        self._boat = boat
        until(lambda: "--id " in self.text)
        self.table_ids = re.findall(r"riverboat watch (\w+) ", self.text)  # the sides of the match
        assert len(self.table_ids) == 2

    @property
    def text(self) -> str:
        """Return the output so far."""
        return self._log.read_text()

    def hands(self) -> Hands:
        """Return all finished hands."""
        return hands_of(self._boat.addresses["gamemanager"], self.table_ids)

    def goes_on(self) -> int:
        """Wait for two more hands; return their total number."""
        before = count_of(self.hands())
        until(lambda: count_of(self.hands()) >= before + 2)
        return before + 2

    def stop(self) -> int:
        """Press Ctrl-C, which ends the match after the current hand; return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(_WAIT_SECONDS)


@contextmanager
def playing(boat: Boat | Composed, folder: Path) -> Iterator[Match]:
    """Yield the whole stack with a match under way."""
    try:
        boat.start()
        address = boat.addresses["gamemanager"]
        with grpc.insecure_channel(address) as channel:
            hosts = AgentHostsStub(channel)
            until(lambda: "resolver" in hosts.ListAgents(hosts_pb.ListAgentsRequest(), timeout=20).agents)
        yield Match(boat, folder / "match.log")
    finally:
        boat.end()


def check_hands(hands: Sequence[pb.HandRecord]) -> None:
    """Require that no hand is lost or duplicated, no chip appears or vanishes, and stacks start equal."""
    assert [hand.events[0].hand_started.hand_number for hand in hands] == list(range(1, len(hands) + 1))
    for hand in hands:
        assert list(hand.events[0].hand_started.stacks) == [_STACK, _STACK]
        assert sum(hand.events[-1].hand_ended.payoffs) == 0


@dataclass(frozen=True)
class Ended:
    """A match that was stopped after the outages."""

    hands: Hands
    late: int  # decisions that the clock took
    code: int
    shown: str  # what the player saw
    logs: dict[str, str]  # by service


def disturbed(boat: Boat | Composed, folder: Path, outage_seconds: float, say: Callable[[str], None]) -> Ended:
    """Take every service away in turn during a match, each for some seconds."""
    with playing(boat, folder) as match:
        for name in _KILLED:
            count = match.goes_on()
            boat.kill(name)
            time.sleep(outage_seconds)
            if name == "redis":  # an agent that thinks longer does not notice the outage
                until(lambda: "the match is waiting" in match.text)
            boat.bring_back(name)
            say(f"{name} was away for {outage_seconds:.0f} s after hand {count}")
        match.goes_on()
        code = match.stop()
        address = boat.addresses["gamemanager"]
        late = sum(move.timed_out for table in match.table_ids for _, move in moves_at(address, table))
        logs = {name: boat.log(name) for name in ("agents", "gamemanager")}
        return Ended(match.hands(), late, code, match.text, logs)


def check_match(match: Ended) -> None:
    """Require that all hands are right, and that the follower read the expected sentences."""
    for hands in match.hands.values():
        check_hands(hands)
    assert match.code == 130, match.shown
    assert "does not answer; waiting for it…" in match.shown
    assert "it is back, and the match goes on" in match.shown
    assert (
        "the match is waiting: the journal cannot be written: its Redis does not answer\nthe match goes on"
        in match.shown
    )
    assert "of 1,000 hands" in match.shown
    assert "Traceback" not in match.shown + match.logs["agents"]
    assert '"event": "bug"' not in match.logs["gamemanager"]
