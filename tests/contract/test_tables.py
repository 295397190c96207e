"""The tables' contract, from a client's side, against a real process."""

import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
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
    """Return the acting player's token and view, in this hand or a later one."""
    give_up = time.monotonic() + 20
    while time.monotonic() < give_up:
        for token in tokens:
            seen = view(tables, token)
            if seen.is_your_turn and seen.hand_number >= hand:
                return token, seen
        time.sleep(0.02)
    raise AssertionError("nobody is to act")


def decide(seen: pb.View, action: Action, request_id: str = "") -> pb.Decision:
    return pb.Decision(
        request_id=request_id or f"{seen.hand_number}-{seen.action_number}-{seen.chair}",
        hand_number=seen.hand_number, action_number=seen.action_number, action=action,
    )  # fmt: skip


def act(tables: TablesStub, token: str, seen: pb.View, action: Action) -> pb.View:
    return tables.TakeAction(pb.TakeActionRequest(token=token, decision=decide(seen, action))).view


def code_of(call: Any, request: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        list(call(request, timeout=20))
    return caught.value.code(), caught.value.details() or ""


def test_refusals(tables: TablesStub) -> None:
    created = new_table(tables)
    table_id = created.table.table_id
    ann, bob = (join(tables, table_id, name) for name in ("ann", "bob"))
    token, seen = wait_for_turn(tables, [ann, bob])
    other = bob if token == ann else ann

    def take(token: str, decision: pb.Decision) -> tuple[grpc.StatusCode, str]:
        return code_of(tables.TakeAction, pb.TakeActionRequest(token=token, decision=decision))

    assert take(other, decide(seen, CALL))[0] is grpc.StatusCode.FAILED_PRECONDITION  # out of turn
    assert take(token, decide(seen, Action(raise_to=101)))[0] is grpc.StatusCode.FAILED_PRECONDITION
    assert take(token, decide(seen, Action()))[0] is grpc.StatusCode.INVALID_ARGUMENT
    assert take(token, pb.Decision())[0] is grpc.StatusCode.INVALID_ARGUMENT
    stale = decide(seen, CALL)
    stale.action_number += 1
    code, details = take(token, stale)
    assert code is grpc.StatusCode.ABORTED
    assert "it is hand 1, action 0 now" in details
    assert take("nonsense", decide(seen, CALL))[0] is grpc.StatusCode.NOT_FOUND
    assert take(f"{table_id}.{'0' * 64}", decide(seen, CALL))[0] is grpc.StatusCode.PERMISSION_DENIED
    assert take(created.dealer_token, decide(seen, CALL))[0] is grpc.StatusCode.PERMISSION_DENIED
    assert view(tables, token).action_number == 0, "no action was accepted"
    before = act(tables, token, seen, CALL)
    again = act(tables, token, seen, CALL)  # the same request id
    assert again.action_number == before.action_number == 1


def test_an_agent_s_chair_cannot_be_had_by_guessing(tables: TablesStub) -> None:
    """Agents' tokens come from requests that no player can make."""
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


def test_leave_rebuy_and_close(tables: TablesStub) -> None:
    created = new_table(tables, pause_ms=60_000)
    table_id = created.table.table_id
    ann, bob = (join(tables, table_id, name) for name in ("ann", "bob"))
    token, seen = wait_for_turn(tables, [ann, bob])
    assert code_of(tables.Rebuy, pb.RebuyRequest(token=token, chips=5))[0] is grpc.StatusCode.FAILED_PRECONDITION
    assert not tables.LeaveTable(pb.LeaveTableRequest(token=token)).at_once
    act(tables, token, seen, FOLD)
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
        token, seen = wait_for_turn(tables, tokens)
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
        assert act(tables, token, seen, CALL).action_number == seen.action_number + 1, "nothing is lost"
