"""Agent hosts and matches, with a small host made for these tests."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from riverboat.dealing import commitment
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1 import matches_pb2 as pb
from riverboat.protos.gamemanager.v1 import tables_pb2
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from tests.contract.test_tables import CALL, FOLD, NL, code_of, config, decide
from tests.processes import ServiceProcess, free_port, running

Choose = Callable[[tables_pb2.View], Action]


def calls(_: tables_pb2.View) -> Action:
    return CALL


def folds(view: tables_pb2.View) -> Action:
    return FOLD if view.legal.can_fold else CALL


def until(holds: Callable[[], object]) -> None:
    give_up = time.monotonic() + 120  # only for what hangs
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.02)


class Host:
    """A host whose agents are functions; it plays every chair in a thread."""

    def __init__(
        self,
        address: str,
        agents: dict[str, Choose],
        memory: hosts_pb.Memory.ValueType = hosts_pb.MEMORY_NONE,
        mark: tables_pb2.Mark.ValueType = tables_pb2.MARK_UNSPECIFIED,
    ) -> None:
        self._memory, self._mark = memory, mark
        self.channel = grpc.insecure_channel(address)
        self.agents = agents
        self.taken: list[hosts_pb.AttendResponse] = []
        self._stop = threading.Event()
        threading.Thread(target=self._attend, daemon=True).start()
        until(lambda: set(agents) <= set(self.offered()))

    def offered(self) -> list[str]:
        return list(AgentHostsStub(self.channel).ListAgents(hosts_pb.ListAgentsRequest()).agents)

    def _attend(self) -> None:
        def requests() -> Iterator[hosts_pb.AttendRequest]:
            yield hosts_pb.AttendRequest(agents=list(self.agents), memory=self._memory)
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
                    decision = decide(answer.view, action)
                    decision.mark = self._mark
                    requests.put(tables_pb2.PlayRequest(decision=decision))
        except (grpc.RpcError, ValueError):
            pass
        requests.put(None)

    def close(self) -> None:
        self._stop.set()
        self.channel.close()


@pytest.fixture
def host(gamemanager_process: ServiceProcess) -> Iterator[Host]:
    host = Host(gamemanager_process.address, {"caller": calls, "folder": folds})
    yield host
    host.close()


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
        requests = [tables_pb2.ListHandsRequest(table_id=table_id) for table_id in begun.table_ids]
        sides = [TablesStub(channel).ListHands(request).hands for request in requests]
    assert [len(hands) for hands in sides] == [50, 50]
    for first, second in zip(*sides, strict=True):
        assert first.events[0].hand_started.commitment == second.events[0].hand_started.commitment
        assert list(first.events[0].hand_started.chairs) != list(second.events[0].hand_started.chairs)
        for hand in (first, second):
            seed = hand.events[-1].hand_ended.seed
            assert commitment(bytes.fromhex(seed)) == hand.events[0].hand_started.commitment
    raiser.close()


@pytest.mark.parametrize("memory", [hosts_pb.MEMORY_UNSPECIFIED, hosts_pb.MEMORY_KEPT])
def test_who_may_remember_plays_one_side_only(
    gamemanager_process: ServiceProcess, host: Host, memory: hosts_pb.Memory.ValueType
) -> None:
    address, name = gamemanager_process.address, f"elephant-{memory}"
    agents: dict[str, Choose] = {name: calls}
    first = Host(address, agents, memory)
    with pytest.raises(grpc.RpcError) as caught:
        start(address, agents=[name, "caller"], duplicate=True)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    details = caught.value.details() or ""
    assert f"{name} may remember hands: a duplicate match needs 2 processes" in details
    assert "1 process offers it" in details
    start(address, agents=[name, "caller"], deal_count=1)
    second = Host(address, {**agents, f"{name}-too": calls}, memory)  # a unique name shows when the host attends
    first.taken.clear()
    begun = start(address, agents=[name, "caller"], duplicate=True, deal_count=5)
    assert watch(address, begun.match_id)[-1].hand_count == 10
    played = [[chair.instance for chair in one.taken if chair.match_id == begun.match_id] for one in (first, second)]
    assert sorted(played) == [[0], [1]]
    first.close()
    second.close()


def test_hands_that_another_side_has_yet_to_play_are_withheld(gamemanager_process: ServiceProcess) -> None:
    address, go = gamemanager_process.address, threading.Event()
    waiting: list[int] = []

    def calls_later(view: tables_pb2.View) -> Action:
        waiting.append(view.hand_number)
        go.wait(60)
        return CALL

    # Two processes that remember, one of which has to wait: one side is ahead of the other.
    quick = Host(address, {"tied": calls}, hosts_pb.MEMORY_KEPT)
    slow = Host(address, {"tied": calls_later, "slow": calls_later}, hosts_pb.MEMORY_KEPT)
    begun = start(address, agents=["tied", "tied"], duplicate=True, deal_count=3)
    with grpc.insecure_channel(address) as channel:
        tables = TablesStub(channel)
        until(lambda: quick.taken)
        ahead = quick.taken[0].table_id
        watched = tables.Watch(tables_pb2.WatchRequest(table_id=ahead), timeout=60)
        opened = tables.Watch(tables_pb2.WatchRequest(table_id=ahead, dealer_token=begun.dealer_token), timeout=60)
        for update in opened:
            if update.table.status == tables_pb2.TABLE_STATUS_CLOSED:
                break
        assert len(tables.ListHands(tables_pb2.ListHandsRequest(table_id=ahead)).hands) == 0
        go.set()
        updates = list(watched)
        assert len(tables.ListHands(tables_pb2.ListHandsRequest(table_id=ahead)).hands) == 3
    kinds = [event.WhichOneof("kind") for event in updates[0].events]
    assert set(kinds) <= {"joined"}, "no hand is listed before the other side has played it"
    assert not updates[0].HasField("state")
    assert sum(event.HasField("hand_ended") for update in updates for event in update.events) == 3
    assert waiting
    quick.close()
    slow.close()


def test_marks_are_counted(gamemanager_process: ServiceProcess, host: Host) -> None:
    address = gamemanager_process.address
    lost = Host(address, {"lost": calls}, mark=tables_pb2.MARK_FALLBACK)
    begun = start(address, agents=["caller", "lost"], duplicate=True, deal_count=5)
    *_, last = watch(address, begun.match_id)
    # Everybody checks and calls: four streets with a decision of each.
    made = [score.decisions for score in last.scores]
    assert [(one.decision_count, one.partial_count, one.fallback_count) for one in made] == [(40, 0, 0), (40, 0, 40)]
    with grpc.insecure_channel(address) as channel:
        hands = TablesStub(channel).ListHands(tables_pb2.ListHandsRequest(table_id=begun.match_id)).hands
        info = TablesStub(channel).ListTables(tables_pb2.ListTablesRequest(table_id=begun.match_id)).tables[0]
    assert [chair.decisions.fallback_count for chair in info.chairs] == [0, 40]
    for hand in hands:
        marks = hand.events[-1].hand_ended.marks
        assert len(marks) == 4
        assert {hand.names[mark.seat] for mark in marks} == {"lost"}
        assert "_marks = [{action = " in hand.phh
    lost.close()


@pytest.mark.parametrize(
    ("mark", "reason"), [(3, ""), (-1, ""), (2, "x" * 101), (2, "two\nlines"), (0, "a reason without a mark")]
)
def test_impossible_marks(gamemanager_process: ServiceProcess, mark: Any, reason: str) -> None:
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        tables = TablesStub(channel)
        created = tables.CreateTable(tables_pb2.CreateTableRequest(config=config()))
        joins = (tables_pb2.JoinTableRequest(table_id=created.table.table_id, name=name) for name in "ab")
        token = next(tables.JoinTable(join).token for join in joins)
        decision = tables_pb2.Decision(request_id="x", action=CALL, mark=mark, mark_reason=reason)
        request = tables_pb2.TakeActionRequest(token=token, decision=decision)
        code, details = code_of(tables.TakeAction, request)
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert "mark" in details


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


@pytest.mark.slow
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
    assert updates[0].hand_count > 0, "hands played before still count"
    assert updates[-1].hand_count == 600
    assert updates[-1].timed_out_count == 0
    assert len(second.taken) == 4, "the new host was told about both chairs of both sides"
