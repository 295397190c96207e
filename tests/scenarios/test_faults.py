"""A match goes on whatever is killed under it. With longer outages: python -m tests.scenarios.test_faults 30."""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from protos.gamemanager.v1 import tables_pb2 as pb
from protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from tests.boat import Boat
from tests.processes import ROOT
from tests.unit.bots.tables import moves_at

_STACK = 2_000
_WAIT_SECONDS = 240
_MOST_HANDS = 1000
_KILLED = ("oracle", "resolver", "gamemanager", "agents", "redis")


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds; while a server is away it does not."""
    give_up = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < give_up:
        try:
            if holds():
                return
        except grpc.RpcError:
            pass
        time.sleep(0.1)
    raise AssertionError("it never came to that")


class Match:
    """`riverboat match` in a process of its own, as somebody would see it."""

    def __init__(self, boat: Boat, log: Path) -> None:
        self._log = log
        words = ["match", "resolver", "rollout", "-n", str(_MOST_HANDS), "--duplicate", "--deck", "24"]
        words += ["--stack", str(_STACK), "--server", boat.addresses["gamemanager"]]
        with log.open("wb") as sink:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "clients.console.app", *words], cwd=ROOT, stdout=sink, stderr=sink
            )
        self._boat = boat
        until(lambda: "--id " in self.text)
        self.match_id = self.text.partition("--id ")[2].split()[0]

    @property
    def text(self) -> str:
        """What it has shown so far."""
        return self._log.read_text()

    def hands(self) -> list[pb.HandRecord]:
        """All hands that are over."""
        with grpc.insecure_channel(self._boat.addresses["gamemanager"]) as channel:
            request = pb.ListHandsRequest(table_id=self.match_id, hand_count=_MOST_HANDS)
            return list(TablesStub(channel).ListHands(request, timeout=20).hands)

    def goes_on(self) -> int:
        """Wait for two more hands; how many there are then."""
        before = len(self.hands())
        until(lambda: len(self.hands()) >= before + 2)
        return before + 2

    def stop(self) -> None:
        """Ctrl-C, which ends the match after its hand."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(_WAIT_SECONDS)


@contextmanager
def playing(folder: Path) -> Iterator[tuple[Boat, Match]]:
    """The whole stack with a match under way."""
    boat = Boat(folder)
    try:
        boat.start()
        address = boat.addresses["gamemanager"]
        with grpc.insecure_channel(address) as channel:
            hosts = AgentHostsStub(channel)
            until(lambda: "resolver" in hosts.ListAgents(hosts_pb.ListAgentsRequest(), timeout=20).agents)
        yield boat, Match(boat, folder / "match.log")
    finally:
        boat.end()


def check_hands(hands: list[pb.HandRecord]) -> None:
    """No hand is lost or there twice, no chip comes or goes, and everybody begins with the same stack."""
    assert [hand.events[0].hand_started.hand_number for hand in hands] == list(range(1, len(hands) + 1))
    for hand in hands:
        assert list(hand.events[0].hand_started.stacks) == [_STACK, _STACK]
        assert sum(hand.events[-1].hand_ended.payoffs) == 0


def run(folder: Path, outage_seconds: float, say: Callable[[str], None]) -> None:
    """Kill everything in turn under a match, each for some seconds."""
    with playing(folder) as (boat, match):
        for name in _KILLED:
            count = match.goes_on()
            boat.kill(name)
            time.sleep(outage_seconds)
            boat.bring_back(name)
            say(f"{name} was away for {outage_seconds:.0f} s after hand {count}")
        match.goes_on()
        match.stop()
        hands = match.hands()
        check_hands(hands)
        late = sum(move.timed_out for _, move in moves_at(boat.addresses["gamemanager"], match.match_id))
        say(f"{len(hands)} hands, no chip lost; the clock acted {late} times. What the player saw:\n{match.text}")
        assert match.process.returncode == 130, match.text
        assert "does not answer; waiting for it…" in match.text
        assert "it is back, and the match goes on" in match.text
        assert "of 1,000 hands" in match.text
        assert "Traceback" not in match.text + boat.log("agents").read_text()
        bugs = [line for line in boat.log("gamemanager").read_text().splitlines() if '"event": "bug"' in line]
        assert not bugs


@pytest.mark.slow
def test_a_match_goes_on_whatever_is_killed(tmp_path: Path) -> None:
    run(tmp_path, 1, lambda text: None)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        run(Path(name), float(sys.argv[1]), lambda text: print(text, flush=True))
