"""Agent hosts and matches, with a small host of the tests' own."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from protos.gamemanager.v1 import matches_pb2 as pb
from protos.gamemanager.v1 import tables_pb2
from protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from protos.gamemanager.v1.state_manager_pb2 import Action
from protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.dealing import commitment
from tests.contract.test_tables import CALL, FOLD, NL, code_of, config, decide
from tests.processes import ServiceProcess, free_port, running

Choose = Callable[[tables_pb2.View], Action]


def calls(_: tables_pb2.View) -> Action:
    return CALL


def folds(found: tables_pb2.View) -> Action:
    return FOLD if found.legal.can_fold else CALL


class Host:
    """Offers agents that are functions, and plays every chair it is given in a thread."""

    def __init__(self, address: str, agents: dict[str, Choose]) -> None:
        self.channel = grpc.insecure_channel(address)
        self.agents = agents
        self.taken: list[hosts_pb.AttendResponse] = []
        self._stop = threading.Event()
        threading.Thread(target=self._attend, daemon=True).start()
        give_up = time.monotonic() + 20
        while not set(agents) <= set(self.offered()):
            assert time.monotonic() < give_up
            time.sleep(0.02)

    def offered(self) -> list[str]:
        return list(AgentHostsStub(self.channel).ListAgents(hosts_pb.ListAgentsRequest()).agents)

    def _attend(self) -> None:
        def requests() -> Iterator[hosts_pb.AttendRequest]:
            yield hosts_pb.AttendRequest(agents=list(self.agents))
            self._stop.wait()

        try:
            for chair in AgentHostsStub(self.channel).Attend(requests()):
                self.taken.append(chair)
                threading.Thread(target=self._play, args=(chair,), daemon=True).start()
        except (grpc.RpcError, ValueError):
            pass

    def _play(self, chair: hosts_pb.AttendResponse) -> None:
        requests: SimpleQueue[tables_pb2.PlayRequest | None] = SimpleQueue()
        requests.put(tables_pb2.PlayRequest(token=chair.token))
        try:
            for answer in TablesStub(self.channel).Play(iter(requests.get, None)):
                if answer.view.is_your_turn:
                    action = self.agents[chair.agent](answer.view)
                    requests.put(tables_pb2.PlayRequest(decision=decide(answer.view, action)))
        except (grpc.RpcError, ValueError):
            pass
        requests.put(None)

    def close(self) -> None:
        self._stop.set()
        self.channel.close()


@pytest.fixture
def host(gamemanager_process: ServiceProcess) -> Iterator[Host]:
    found = Host(gamemanager_process.address, {"caller": calls, "folder": folds})
    yield found
    found.close()


def start(address: str, **more: Any) -> pb.StartMatchResponse:
    with grpc.insecure_channel(address) as channel:
        request: dict[str, Any] = {"variant": NL, "stack": 10_000, "agents": ["caller", "folder"], "deal_count": 50}
        return MatchesStub(channel).StartMatch(pb.StartMatchRequest(**{**request, **more}), timeout=20)


def watch(address: str, match_id: str) -> list[pb.WatchMatchResponse]:
    with grpc.insecure_channel(address) as channel:
        return list(MatchesStub(channel).WatchMatch(pb.WatchMatchRequest(match_id=match_id), timeout=120))


def test_a_table_with_agents(gamemanager_process: ServiceProcess, host: Host) -> None:
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        tables = TablesStub(channel)
        setup = config(agents=["caller", "caller", "folder"], hand_limit=10, pause_ms=0)
        created = tables.CreateTable(tables_pb2.CreateTableRequest(config=setup))
        assert [chair.name for chair in created.table.chairs] == ["caller", "caller 2", "folder"]
        assert all(chair.is_agent for chair in created.table.chairs)
        updates = list(tables.Watch(tables_pb2.WatchRequest(table_id=created.table.table_id), timeout=60))
        assert updates[-1].table.status == tables_pb2.TABLE_STATUS_CLOSED
        assert updates[-1].table.hand_count == 10


def test_the_dealer_sees_all_cards_where_only_agents_play(gamemanager_process: ServiceProcess, host: Host) -> None:
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        tables = TablesStub(channel)
        setup = config(agents=["caller", "folder"], hand_limit=3, pause_ms=0, agents_only=True, chair_count=3)
        created = tables.CreateTable(tables_pb2.CreateTableRequest(config=setup))
        join = tables_pb2.JoinTableRequest(table_id=created.table.table_id, name="eve")
        assert code_of(tables.JoinTable, join)[0] is grpc.StatusCode.FAILED_PRECONDITION
        request = tables_pb2.WatchRequest(table_id=created.table.table_id, dealer_token=created.dealer_token)
        updates = list(tables.Watch(request, timeout=60))
        assert any(len(update.holdings) == 2 for update in updates)


def test_a_match_is_won_by_who_does_not_fold(gamemanager_process: ServiceProcess, host: Host) -> None:
    raiser = Host(
        gamemanager_process.address,
        {"raiser": lambda v: Action(raise_to=v.legal.min_raise_to) if v.legal.min_raise_to else CALL},
    )
    begun = start(gamemanager_process.address, agents=["raiser", "folder"], duplicate=True)
    *_, last = watch(gamemanager_process.address, begun.match_id)
    raised, folded = last.scores
    assert raised.mbb == 750  # 50 and 100 in turn, of a big blind of 100
    assert folded.mbb == -750
    assert raised.margin == 0
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        listed = tables_pb2.ListHandsRequest(table_id=begun.match_id)
        hands = TablesStub(channel).ListHands(listed).hands
    later = {hand.events[0].hand_started.commitment: hand for hand in hands[len(hands) // 2 :]}
    assert len(later) == len(hands) // 2
    for first in hands[: len(hands) // 2]:  # all deals once, then all again in another order
        second = later[first.events[0].hand_started.commitment]
        assert first.events[-1].hand_ended.seed == "", "it is played again"
        seed = second.events[-1].hand_ended.seed
        assert commitment(bytes.fromhex(seed)) == second.events[0].hand_started.commitment
        assert list(first.events[0].hand_started.chairs) != list(second.events[0].hand_started.chairs)
    raiser.close()


def test_a_match_can_be_cancelled(gamemanager_process: ServiceProcess, host: Host) -> None:
    begun = start(gamemanager_process.address, deal_count=100_000)
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        matches = MatchesStub(channel)
        updates = matches.WatchMatch(pb.WatchMatchRequest(match_id=begun.match_id), timeout=60)
        next(updates)
        wrong = pb.CancelMatchRequest(match_id=begun.match_id, dealer_token="x")
        assert code_of(matches.CancelMatch, wrong)[0] is grpc.StatusCode.PERMISSION_DENIED
        matches.CancelMatch(pb.CancelMatchRequest(match_id=begun.match_id, dealer_token=begun.dealer_token))
        *_, last = updates
    assert last.is_over
    assert 0 < last.hand_count < 100_000


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"agents": ["caller"]}, "INVALID_ARGUMENT"),
        ({"agents": ["caller"] * 11}, "INVALID_ARGUMENT"),
        ({"agents": ["caller", "nobody"]}, "NOT_FOUND"),
        ({"deal_count": 0}, "INVALID_ARGUMENT"),
        ({"deal_count": -5}, "INVALID_ARGUMENT"),
        ({"deal_count": 2**60}, "INVALID_ARGUMENT"),
        ({"stack": 0}, "INVALID_ARGUMENT"),
    ],
)
def test_impossible_matches(gamemanager_process: ServiceProcess, host: Host, more: dict[str, Any], code: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        start(gamemanager_process.address, **more)
    assert caught.value.code().name == code


def test_a_match_goes_on_after_a_kill(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"address": f"127.0.0.1:{free_port()}", "journal": str(tmp_path / "journal.jsonl")}
    with running("gamemanager", tmp_path, **settings) as process:
        process.wait_until_healthy()
        first = Host(process.address, {"caller": calls, "folder": folds})
        begun = start(process.address, deal_count=300, duplicate=True)
        time.sleep(0.5)
        process.process.kill()
        process.process.wait(timeout=10)
        first.close()
    with running("gamemanager", tmp_path, **settings) as process:
        process.wait_until_healthy()
        second = Host(process.address, {"caller": calls, "folder": folds})
        updates = watch(process.address, begun.match_id)
        second.close()
    assert updates[0].hand_count > 0, "what was played before counts"
    assert updates[-1].hand_count == 600
    assert updates[-1].timed_out_count == 0
    assert len(second.taken) == 2, "the new host was told about both chairs"
