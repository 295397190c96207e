"""The tables' contract, from a client's side, against a real process."""

import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from protos.gamemanager.v1 import tables_pb2 as pb
from protos.gamemanager.v1.state_manager_pb2 import Action
from protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.cards import DECKS, format_cards
from riverboat.dealing import commitment, deal_by_seed
from riverboat.rpc.convert import state_manager as convert
from riverboat.rules.variant import no_limit
from tests.processes import ServiceProcess

NL = convert.encode_variant(no_limit(50, 100))
BUY_IN = 100_000  # a thousand big blinds: nobody goes broke by chance while a test plays
FOLD, CALL = Action(fold=Action.Fold()), Action(call=Action.Call())


@pytest.fixture
def tables(gamemanager_process: ServiceProcess) -> Iterator[TablesStub]:
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        yield TablesStub(channel)


def config(**more: Any) -> pb.TableConfig:
    return pb.TableConfig(
        **{"name": "test", "variant": NL, "chair_count": 4, "buy_in": BUY_IN, "clock_ms": 60_000, **more}
    )


def new_table(tables: TablesStub, **more: Any) -> pb.CreateTableResponse:
    return tables.CreateTable(pb.CreateTableRequest(config=config(**more)))


def join(tables: TablesStub, table_id: str, name: str) -> str:
    return tables.JoinTable(pb.JoinTableRequest(table_id=table_id, name=name)).token


def view(tables: TablesStub, token: str) -> pb.View:
    return tables.GetView(pb.GetViewRequest(token=token)).view


def wait_for_turn(tables: TablesStub, tokens: list[str], hand: int = 0) -> tuple[str, pb.View]:
    """Who is to act, in this hand or a later one, and what it sees."""
    give_up = time.monotonic() + 20
    while time.monotonic() < give_up:
        for token in tokens:
            found = view(tables, token)
            if found.is_your_turn and found.hand_number >= hand:
                return token, found
        time.sleep(0.02)
    raise AssertionError("nobody is to act")


def decide(found: pb.View, action: Action, request_id: str = "") -> pb.Decision:
    return pb.Decision(
        request_id=request_id or f"{found.hand_number}-{found.action_number}-{found.chair}",
        hand_number=found.hand_number, action_number=found.action_number, action=action,
    )  # fmt: skip


def act(tables: TablesStub, token: str, found: pb.View, action: Action) -> pb.View:
    return tables.TakeAction(pb.TakeActionRequest(token=token, decision=decide(found, action))).view


def code_of(call: Any, request: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        list(call(request, timeout=20))
    return caught.value.code(), caught.value.details() or ""


def test_a_hand_by_unary_calls(tables: TablesStub) -> None:
    table_id = new_table(tables, pause_ms=60_000).table.table_id
    tokens = [join(tables, table_id, name) for name in ("ann", "bob")]
    token, found = wait_for_turn(tables, tokens)
    assert (found.legal.to_call, found.legal.min_raise_to, found.legal.max_raise_to) == (50, 200, BUY_IN)
    assert len(found.holding) == 4
    found = act(tables, token, found, Action(raise_to=300))
    assert not found.is_your_turn
    token, found = wait_for_turn(tables, tokens)
    act(tables, token, found, CALL)
    for _ in range(6):
        token, found = wait_for_turn(tables, tokens)
        act(tables, token, found, CALL)
    ended = view(tables, tokens[0])
    kinds = [event.WhichOneof("kind") for event in ended.events]
    assert kinds[0] == "hand_started"
    assert kinds[-1] == "hand_ended"
    assert kinds.count("board_dealt") == 3
    assert kinds.count("shown") == 2
    assert sum(chair.stack for chair in ended.chairs) == 2 * BUY_IN
    seed = bytes.fromhex(ended.events[-1].hand_ended.seed)
    started = ended.events[0].hand_started
    assert commitment(seed) == started.commitment
    dealt = deal_by_seed(DECKS["52"], 2, 5, seed)
    assert format_cards(dealt.board) == ended.state.board
    assert ended.holding == format_cards(dealt.holdings[ended.seat])


def test_refusals(tables: TablesStub) -> None:
    created = new_table(tables)
    table_id = created.table.table_id
    ann, bob = (join(tables, table_id, name) for name in ("ann", "bob"))
    token, found = wait_for_turn(tables, [ann, bob])
    other = bob if token == ann else ann

    def take(token: str, decision: pb.Decision) -> tuple[grpc.StatusCode, str]:
        return code_of(tables.TakeAction, pb.TakeActionRequest(token=token, decision=decision))

    assert take(other, decide(found, CALL))[0] is grpc.StatusCode.FAILED_PRECONDITION  # out of turn
    assert take(token, decide(found, Action(raise_to=101)))[0] is grpc.StatusCode.FAILED_PRECONDITION
    assert take(token, decide(found, Action()))[0] is grpc.StatusCode.INVALID_ARGUMENT
    assert take(token, pb.Decision())[0] is grpc.StatusCode.INVALID_ARGUMENT
    stale = decide(found, CALL)
    stale.action_number += 1
    code, details = take(token, stale)
    assert code is grpc.StatusCode.ABORTED
    assert "it is hand 1, action 0 now" in details
    assert take("nonsense", decide(found, CALL))[0] is grpc.StatusCode.NOT_FOUND
    assert take(f"{table_id}.{'0' * 64}", decide(found, CALL))[0] is grpc.StatusCode.PERMISSION_DENIED
    assert take(created.dealer_token, decide(found, CALL))[0] is grpc.StatusCode.PERMISSION_DENIED
    assert view(tables, token).action_number == 0, "nothing was taken"
    before = act(tables, token, found, CALL)
    again = act(tables, token, found, CALL)  # the same request id
    assert again.action_number == before.action_number == 1


@pytest.mark.parametrize(
    ("method", "request_", "code"),
    [
        ("CreateTable", pb.CreateTableRequest(), "INVALID_ARGUMENT"),
        ("CreateTable", pb.CreateTableRequest(config=config(chair_count=99)), "INVALID_ARGUMENT"),
        ("CreateTable", pb.CreateTableRequest(config=config(buy_in=-1)), "INVALID_ARGUMENT"),
        ("CreateTable", pb.CreateTableRequest(config=config(clock_ms=-1)), "INVALID_ARGUMENT"),
        ("CreateTable", pb.CreateTableRequest(config=config(agents=["nobody"])), "NOT_FOUND"),
        ("CreateTable", pb.CreateTableRequest(config=config(agents=["x"] * 5000)), "INVALID_ARGUMENT"),
        ("JoinTable", pb.JoinTableRequest(table_id="none", name="ann"), "NOT_FOUND"),
        ("JoinTable", pb.JoinTableRequest(table_id="none", name="\x1b[31m"), "INVALID_ARGUMENT"),
        ("GetView", pb.GetViewRequest(token="x" * 1_000_000), "NOT_FOUND"),
        ("LeaveTable", pb.LeaveTableRequest(), "NOT_FOUND"),
        ("Rebuy", pb.RebuyRequest(token="a.b"), "NOT_FOUND"),
        ("Watch", pb.WatchRequest(table_id="none"), "NOT_FOUND"),
        ("ListHands", pb.ListHandsRequest(table_id="none"), "NOT_FOUND"),
        ("CloseTable", pb.CloseTableRequest(table_id="none"), "NOT_FOUND"),
    ],
)
def test_bad_requests(tables: TablesStub, method: str, request_: Any, code: str) -> None:
    assert code_of(getattr(tables, method), request_)[0].name == code


def test_an_agent_s_chair_cannot_be_had_by_guessing(tables: TablesStub) -> None:
    """Tokens of agents come from requests that no player can make."""
    table_id = new_table(tables).table.table_id
    for request_id in ("agent 0", "0"):
        code, _ = code_of(tables.JoinTable, pb.JoinTableRequest(table_id=table_id, name="eve", request_id=request_id))
        assert code is grpc.StatusCode.INVALID_ARGUMENT
    first = tables.JoinTable(pb.JoinTableRequest(table_id=table_id, name="eve", request_id="0123456789abcdef"))
    again = tables.JoinTable(pb.JoinTableRequest(table_id=table_id, name="eve", request_id="0123456789abcdef"))
    assert first == again


def test_play_is_a_stream_of_views(tables: TablesStub) -> None:
    table_id = new_table(tables, pause_ms=0, hand_limit=20).table.table_id
    ann, bob = (join(tables, table_id, name) for name in ("ann", "bob"))
    results: dict[str, list[pb.PlayResponse]] = {ann: [], bob: []}

    def run(token: str) -> None:
        requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        requests.put(pb.PlayRequest(token=token))
        for answer in tables.Play(iter(requests.get, None), timeout=60):
            results[token].append(answer)
            if answer.view.is_your_turn:
                requests.put(pb.PlayRequest(decision=decide(answer.view, CALL)))
        requests.put(None)

    threads = [threading.Thread(target=run, args=(token,)) for token in (ann, bob)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    for token, answers in results.items():
        assert answers[-1].view.status == pb.TABLE_STATUS_CLOSED, token
        assert answers[-1].view.hand_number == 20
        assert sum(chair.stack for chair in answers[-1].view.chairs) == 200_000
        assert not any(answer.HasField("refusal") for answer in answers)
    records = tables.ListHands(pb.ListHandsRequest(table_id=table_id)).hands
    assert [record.hand_number for record in records] == list(range(1, 21))
    assert all("starting_stacks" in record.phh for record in records)


def test_refusals_in_a_stream_do_not_end_it(tables: TablesStub) -> None:
    table_id = new_table(tables).table.table_id
    tokens = [join(tables, table_id, name) for name in ("ann", "bob")]
    token, found = wait_for_turn(tables, tokens)
    requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
    requests.put(pb.PlayRequest(token=token))
    stream = tables.Play(iter(requests.get, None), timeout=30)
    assert next(stream).view.is_your_turn
    requests.put(pb.PlayRequest(decision=decide(found, Action(raise_to=101), "bad")))
    refusal = next(stream).refusal
    assert (refusal.request_id, refusal.code) == ("bad", grpc.StatusCode.FAILED_PRECONDITION.value[0])
    requests.put(pb.PlayRequest())
    assert next(stream).refusal.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    requests.put(pb.PlayRequest(decision=decide(found, FOLD)))
    assert not next(stream).view.is_your_turn
    requests.put(None)


def test_a_stream_must_begin_with_a_token(tables: TablesStub) -> None:
    for first in (pb.PlayRequest(), pb.PlayRequest(decision=pb.Decision()), pb.PlayRequest(token="x")):
        with pytest.raises(grpc.RpcError) as caught:
            list(tables.Play(iter([first]), timeout=10))
        assert caught.value.code() in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)


def test_watch_shows_public_events_only(tables: TablesStub) -> None:
    created = new_table(tables, pause_ms=60_000)
    table_id = created.table.table_id
    tokens = [join(tables, table_id, name) for name in ("ann", "bob")]
    stream = tables.Watch(pb.WatchRequest(table_id=table_id), timeout=30)
    token, found = wait_for_turn(tables, tokens)
    seen: list[pb.TableEvent] = []
    for update in stream:
        seen.extend(update.events)
        assert not update.holdings
        if seen and seen[-1].HasField("hand_started"):
            act(tables, token, found, FOLD)
        if seen and seen[-1].HasField("hand_ended"):
            break
    assert [event.number for event in seen] == list(range(len(seen)))
    code, _ = code_of(tables.Watch, pb.WatchRequest(table_id=table_id, dealer_token=created.dealer_token))
    assert code is grpc.StatusCode.PERMISSION_DENIED, "people play here"


def test_the_clock_acts_for_who_is_silent(tables: TablesStub) -> None:
    table_id = new_table(tables, clock_ms=200, pause_ms=60_000).table.table_id
    tokens = [join(tables, table_id, name) for name in ("ann", "bob")]
    give_up = time.monotonic() + 20
    while not (events := view(tables, tokens[0]).events) or not events[-1].HasField("hand_ended"):
        assert time.monotonic() < give_up
        time.sleep(0.05)
    assert [event.moved.timed_out for event in events if event.HasField("moved")] == [True]


def test_leave_rebuy_and_close(tables: TablesStub) -> None:
    created = new_table(tables, pause_ms=60_000)
    table_id = created.table.table_id
    ann, bob = (join(tables, table_id, name) for name in ("ann", "bob"))
    token, found = wait_for_turn(tables, [ann, bob])
    assert code_of(tables.Rebuy, pb.RebuyRequest(token=token, chips=5))[0] is grpc.StatusCode.FAILED_PRECONDITION
    assert not tables.LeaveTable(pb.LeaveTableRequest(token=token)).at_once
    act(tables, token, found, FOLD)
    assert code_of(tables.GetView, pb.GetViewRequest(token=token))[0] is grpc.StatusCode.PERMISSION_DENIED
    cat = join(tables, table_id, "cat")
    assert code_of(tables.Rebuy, pb.RebuyRequest(token=cat, chips=5))[0] is grpc.StatusCode.INVALID_ARGUMENT
    bad = pb.CloseTableRequest(table_id=table_id, dealer_token="x")
    assert code_of(tables.CloseTable, bad)[0] is grpc.StatusCode.PERMISSION_DENIED
    close = pb.CloseTableRequest(table_id=table_id, dealer_token=created.dealer_token)
    tables.CloseTable(close)
    listed = tables.ListTables(pb.ListTablesRequest(include_closed=True)).tables
    status = next(table.status for table in listed if table.table_id == table_id)
    assert status in (pb.TABLE_STATUS_CLOSED, pb.TABLE_STATUS_PLAYING)


def test_bytes_that_are_no_request_end_a_stream_with_the_right_code(gamemanager_process: ServiceProcess) -> None:
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        tables = TablesStub(channel)
        table_id = new_table(tables).table.table_id
        tokens = [join(tables, table_id, name) for name in ("ann", "bob")]
        token, found = wait_for_turn(tables, tokens)
        raw: Any = channel.stream_stream("/riverboat.gamemanager.v1.Tables/Play")
        requests: SimpleQueue[bytes | None] = SimpleQueue()
        requests.put(pb.PlayRequest(token=token).SerializeToString())
        stream = raw(iter(requests.get, None), timeout=60)
        next(stream)
        requests.put(b"\xff\xff\xff garbage")
        with pytest.raises(grpc.RpcError) as caught:
            list(stream)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        requests.put(None)
        assert act(tables, token, found, CALL).action_number == found.action_number + 1, "nothing is lost"
