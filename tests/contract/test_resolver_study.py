"""Solutions to study: nodes, continuing, saving, loading, and limits of time and memory."""

import hashlib
import json
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from riverboat.spots.spot import Spot
from riverboat.utility import runout_utility
from tests.conftest import LARGE
from tests.contract.test_resolver import CALL, asked, floats
from tests.processes import ROOT, ServiceProcess, running
from tests.unit.solving.games import golden, spot

StartResolver = Callable[..., ResolverStub]


@pytest.fixture(scope="module")
def start(
    oracle_process: ServiceProcess, gamemanager_process: ServiceProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StartResolver]:
    """Start resolvers with their own settings."""
    stack = []

    def begin(**settings: str) -> ResolverStub:
        settings |= {"oracle_server": oracle_process.address, "gamemanager_server": gamemanager_process.address}
        context = running("resolver", tmp_path_factory.mktemp("resolver"), ROOT, None, False, **settings)
        process = context.__enter__()
        stack.append(context)
        process.wait_until_healthy()
        return ResolverStub(grpc.insecure_channel(process.address, options=LARGE))

    yield begin
    for context in stack:
        context.__exit__(None, None, None)


@pytest.fixture(scope="module")
def resolver(start: StartResolver) -> ResolverStub:
    return start()


def request_of(where: Spot, iterations: int, **more: Any) -> pb.SolveRequest:
    ranges = where.weights.astype("<f4").tobytes()
    return pb.SolveRequest(spot=asked(where), ranges=ranges, budget=pb.Budget(iterations=iterations), **more)


def solved(resolver: ResolverStub, request: pb.SolveRequest, timeout: float = 120) -> pb.SolveResponse:
    *_, last = resolver.Solve(request, timeout=timeout)
    assert last.handle
    return last


def turn() -> Spot:
    return spot("TsTh9sKd", 60, 120, "/ / 1p all-in / 1p all-in", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))


def node(resolver: ResolverStub, handle: str, *steps: pb.Step) -> pb.GetNodeResponse:
    return resolver.GetNode(pb.GetNodeRequest(handle=handle, path=steps), timeout=60)


def test_equity_is_what_a_slow_loop_finds(resolver: ResolverStub) -> None:
    where = turn()
    answer = node(resolver, solved(resolver, request_of(where, 20)).handle)
    equity, reach = floats(answer.equity, 2), floats(answer.reach, 2)
    deck, masks = where.public.variant.deck, holdings_of(where.public.variant.deck).masks
    live = np.flatnonzero(live_holdings(deck, where.public.board)).astype(np.int32)
    utility = runout_utility(deck, where.public.board, live, live)
    for mine in range(0, len(live), 7):
        if reach[0, live[mine]] == 0:
            assert np.isnan(equity[0, live[mine]])
            continue
        won = total = 0.0
        for other in range(len(live)):
            if not masks[live[mine]] & masks[live[other]]:
                won += reach[1, live[other]] * (1 + utility[mine, other]) / 2
                total += reach[1, live[other]]
        assert equity[0, live[mine]] == pytest.approx(won / total, abs=1e-5)


def test_evs_of_both_players_add_up_to_the_pot_at_every_node(resolver: ResolverStub) -> None:
    where = turn()
    last = solved(resolver, request_of(where, 50))
    assert sum(last.evs) == pytest.approx(where.public.pot)
    for steps in ([], [pb.Step(action=CALL)], [pb.Step(action=CALL), pb.Step(action=CALL), pb.Step(cards="Qc")]):
        answer = node(resolver, last.handle, *steps)
        evs, reach = np.nan_to_num(floats(answer.evs, 2)), floats(answer.reach, 2)
        assert answer.pot == where.public.pot
        shares = [_mean(where, evs[player], reach[player], reach[1 - player]) for player in (0, 1)]
        assert sum(shares) == pytest.approx(answer.pot, abs=0.01)


def _mean(where: Spot, values: np.ndarray, own: np.ndarray, other: np.ndarray) -> float:
    masks = holdings_of(where.public.variant.deck).masks
    pairs = ((masks[:, None] & masks[None, :]) == 0) @ other * own
    return float((pairs * values).sum() / pairs.sum())


def test_solving_goes_on_where_it_stopped(resolver: ResolverStub) -> None:
    once = solved(resolver, request_of(turn(), 60))
    first = solved(resolver, request_of(turn(), 20))
    again = solved(resolver, pb.SolveRequest(handle=first.handle, budget=pb.Budget(iterations=40)))
    assert again.handle == first.handle
    assert again.cost.iterations == 60
    assert node(resolver, again.handle).strategy == node(resolver, once.handle).strategy


def chunks(data: bytes, size: int = 300_000) -> Iterator[pb.LoadSolutionRequest]:
    for begin in range(0, len(data), size):
        yield pb.LoadSolutionRequest(chunk=data[begin : begin + size])


def test_a_saved_solution_comes_back_in_another_process(resolver: ResolverStub, start: StartResolver) -> None:
    lock = pb.Lock(path=[pb.Step(action=CALL)], strategy=np.full((3, 276), 1 / 3, "<f4").tobytes())
    last = solved(resolver, request_of(turn(), 30, locks=[lock], short_storage=True))
    data = b"".join(part.chunk for part in resolver.SaveSolution(pb.SaveSolutionRequest(handle=last.handle)))
    other = start()
    loaded = other.LoadSolution(chunks(data), timeout=60)
    assert loaded.solved.cost.iterations == 30
    assert loaded.solved.cost.exploitability == pytest.approx(last.cost.exploitability)
    assert loaded.solved.evs == pytest.approx(last.evs)
    assert loaded.request.spot == asked(turn())
    for steps in ([], [pb.Step(action=CALL)]):
        assert node(other, loaded.solved.handle, *steps).strategy == node(resolver, last.handle, *steps).strategy
    locked = floats(node(other, loaded.solved.handle, pb.Step(action=CALL)).strategy, 3)
    assert locked[locked > 0] == pytest.approx(1 / 3, abs=1e-3)


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:5], lambda data: b"", None])
def test_a_damaged_solution_is_refused(resolver: ResolverStub, damage: Callable[[bytes], bytes] | None) -> None:
    last = solved(resolver, request_of(turn(), 5))
    data = b"".join(part.chunk for part in resolver.SaveSolution(pb.SaveSolutionRequest(handle=last.handle)))
    hurt = damage(data) if damage else data[:5000] + bytes([data[5000] ^ 1]) + data[5001:]
    with pytest.raises(grpc.RpcError) as caught:
        resolver.LoadSolution(chunks(hurt), timeout=60)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "solution" in (caught.value.details() or "")


@pytest.mark.slow
def test_a_deadline_ends_solving_with_what_there_is(resolver: ResolverStub) -> None:
    where, _ = golden("river_uniform")  # its iterations are short, so the one under way at the deadline ends soon
    last = solved(resolver, request_of(where, 10_000_000), timeout=6)
    assert last.cost.is_partial
    assert 0 < last.cost.iterations < 10_000_000
    assert len(node(resolver, last.handle).actions) == 4


def test_a_spot_that_does_not_fit_is_refused_with_its_size(start: StartResolver) -> None:
    small = start(memory_megabytes="2")
    where, _ = golden("turn_srp")
    with pytest.raises(grpc.RpcError) as caught:
        list(small.Solve(request_of(where, 1), timeout=60))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "bytes); the limit is 2,000,000" in (caught.value.details() or "")
    assert solved(small, request_of(golden("river_srp")[0], 5)).cost.bytes < 2_000_000


def test_older_solutions_make_room(start: StartResolver) -> None:
    small = start(memory_megabytes="2", solutions="100")
    where, _ = golden("river_srp")
    handles = [solved(small, request_of(where, 1)).handle for _ in range(12)]
    assert node(small, handles[-1]).actions
    with pytest.raises(grpc.RpcError) as caught:
        node(small, handles[0])
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


def test_handles_expire(start: StartResolver) -> None:
    hasty = start(expire_minutes="0.002")
    last = solved(hasty, request_of(turn(), 1))
    assert last.expires_seconds == 0
    with pytest.raises(grpc.RpcError) as caught:
        node(hasty, last.handle)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    assert "expired" in (caught.value.details() or "")


def test_ten_at_once_are_all_served_or_refused_cleanly(start: StartResolver) -> None:
    crowded = start(long_calls="4")
    where, _ = golden("river_srp")

    def one(_: int) -> str:
        try:
            return str(len(node(crowded, solved(crowded, request_of(where, 300)).handle).actions))
        except grpc.RpcError as error:
            return str(error.code().name)

    with ThreadPoolExecutor(10) as pool:
        outcomes = list(pool.map(one, range(10)))
    assert set(outcomes) <= {"4", "RESOURCE_EXHAUSTED"}
    assert outcomes.count("4") >= 4
    assert one(0) == "4"  # and there is room again


def test_a_long_solve_does_not_keep_a_short_one_waiting(resolver: ResolverStub) -> None:
    where, _ = golden("turn_srp")
    long = resolver.Solve(request_of(where, 1_000_000), timeout=60)
    next(iter(long))
    assert solved(resolver, request_of(golden("river_srp")[0], 50), timeout=30).cost.iterations == 50
    assert long.is_active()
    long.cancel()


def test_a_cancelled_solve_makes_room_for_another(start: StartResolver) -> None:
    narrow = start(long_calls="1")
    where, _ = golden("turn_srp")
    long = narrow.Solve(request_of(where, 1_000_000), timeout=60)
    next(iter(long))
    with pytest.raises(grpc.RpcError) as caught:
        solved(narrow, request_of(golden("river_srp")[0], 5))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    long.cancel()
    assert _retried(narrow, request_of(golden("river_srp")[0], 5), grpc.StatusCode.RESOURCE_EXHAUSTED).handle


@pytest.mark.parametrize(("gone", "who"), [("oracle", "oracle"), ("gamemanager", "state manager")])
@pytest.mark.slow
def test_what_it_needs_may_go_and_come_back(tmp_path: Path, gone: str, who: str) -> None:
    with running("oracle", tmp_path) as oracle, running("gamemanager", tmp_path) as states:
        needed = {"oracle": oracle, "gamemanager": states}
        both = (oracle.address, states.address)
        with running("resolver", tmp_path, oracle_server=both[0], gamemanager_server=both[1]) as own:
            for process in (oracle, states, own):
                process.wait_until_healthy()
            resolver = ResolverStub(grpc.insecure_channel(own.address, options=LARGE))
            assert solved(resolver, request_of(turn(), 5)).handle
            needed[gone].process.kill()
            needed[gone].process.wait()
            other = spot("TsTh9sKdAc", 60, 120, "all-in", deck="24")
            with pytest.raises(grpc.RpcError) as caught:
                solved(resolver, request_of(other, 5))
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert f"the {who} does not answer" in (caught.value.details() or "")
            with running(gone, tmp_path, address=needed[gone].address) as again:
                again.wait_until_healthy()
                assert _retried(resolver, request_of(other, 5), grpc.StatusCode.UNAVAILABLE).handle


def _retried(resolver: ResolverStub, request: pb.SolveRequest, passing: grpc.StatusCode) -> pb.SolveResponse:
    """Return the codes that a retrying client gets."""
    codes = []
    for _ in range(100):
        try:
            return solved(resolver, request)
        except grpc.RpcError as error:
            codes.append(error.code())
            if error.code() is not passing:
                break
            time.sleep(0.1)
    raise AssertionError(f"no recovery: got {set(codes)}, expected only {passing} for a while")


def test_a_state_manager_that_is_not_there(tmp_path: Path, oracle_process: ServiceProcess) -> None:
    nobody = "127.0.0.1:1"
    with running("resolver", tmp_path, oracle_server=oracle_process.address, gamemanager_server=nobody) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel, pytest.raises(grpc.RpcError) as caught:
            list(ResolverStub(channel).Solve(request_of(turn(), 5), timeout=60))
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert "the state manager does not answer" in (caught.value.details() or "")


def test_an_action_that_is_not_in_the_tree(resolver: ResolverStub) -> None:
    last = solved(resolver, request_of(turn(), 5))
    with pytest.raises(grpc.RpcError) as caught:
        node(resolver, last.handle, pb.Step(action=rules_pb.Action(raise_to=7)))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (caught.value.details() or "").startswith("path[0].action")


@pytest.mark.parametrize(
    ("board", "deck", "ranges"), [("2c3d7h", "52", ("AsAh", "KdKc")), ("TsTh9s", "24", ("AsAh", "KdKc"))]
)
def test_ranges_of_which_a_card_leaves_nothing(
    resolver: ResolverStub, board: str, deck: str, ranges: tuple[str, str]
) -> None:
    where = spot(board, 60, 120, "1p all-in", deck=deck, ranges=ranges)
    last = solved(resolver, request_of(where, 10))
    assert sum(last.evs) == pytest.approx(60)
    path = [pb.Step(action=CALL), pb.Step(action=CALL), pb.Step(cards="Ad")]
    assert node(resolver, last.handle, *path).player == 0


def test_a_narrow_but_long_tree_takes_little_memory_to_ask_about(resolver: ResolverStub) -> None:
    where = spot("TsTh9sKdAc", 2, 500, "0.3p 0.6p 1p", deck="24", ranges=("AsAh,AsAd", "KsKh,KsKc"))
    last = solved(resolver, request_of(where, 2))
    assert last.cost.line_count > 20_000
    assert last.cost.bytes < 60_000_000
    assert node(resolver, last.handle).player == 0


def path_to(index: int, by_index: dict[int, pb.GetNodesResponse]) -> list[pb.Step]:
    message = by_index[index]
    return [] if message.parent < 0 else [*path_to(message.parent, by_index), message.step]


@pytest.mark.parametrize("most", [1, 7, 90])
def test_many_nodes_in_one_call_are_those_of_single_calls(resolver: ResolverStub, most: int) -> None:
    """Also on merged boards, with suits as in the question."""
    where = spot("TsTh9s9h", 60, 120, "/ / all-in / 1p", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))
    last = solved(resolver, request_of(where, 10))
    messages = list(resolver.GetNodes(pb.GetNodesRequest(handle=last.handle, node_count=most), timeout=60))
    assert messages[0].index == 0
    assert {message.node_count for message in messages} == {most} == {len(messages)}
    by_index = {message.index: message for message in messages}
    assert sorted(by_index) == list(range(most))
    for index in (*range(min(most, 12)), *range(12, most, 9)):
        single = node(resolver, last.handle, *path_to(index, by_index))
        single.ClearField("state")
        assert by_index[index].node == single


def test_nodes_are_numbered_from_the_root_on(resolver: ResolverStub) -> None:
    """All of a river's tree: every choice that does not end the hand, in the order of choices."""
    last = solved(resolver, request_of(spot("TsTh9sKdAc", 60, 120, "1p", deck="24"), 3))
    messages = sorted(resolver.GetNodes(pb.GetNodesRequest(handle=last.handle), timeout=60), key=lambda one: one.index)
    expected: list[list[pb.Step]] = [[]]
    for path in expected:
        for action in node(resolver, last.handle, *path).actions:
            further = [*path, pb.Step(action=action)]
            if node(resolver, last.handle, *further).player >= 0:
                expected.append(further)
    by_index = {message.index: message for message in messages}
    assert [path_to(message.index, by_index) for message in messages] == expected
    assert len(messages) > 5


@pytest.mark.parametrize("count", [-1, 20_001])
def test_too_many_nodes_are_refused(resolver: ResolverStub, count: int) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        list(resolver.GetNodes(pb.GetNodesRequest(handle="any", node_count=count), timeout=60))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (caught.value.details() or "").startswith("node_count")


def test_locks_may_tell_suits_apart(resolver: ResolverStub) -> None:
    where = spot("TsTh9s9h", 60, 120, "/ / all-in / 1p", deck="24")
    strategy = np.tile(np.array([[1.0], [0.0]], np.float32), 276)
    one = holding_index(where.public.variant.deck, parse_cards("AcKc"))
    strategy[:, one] = (0, 1)
    lock = pb.Lock(strategy=strategy.astype("<f4").tobytes())
    last = solved(resolver, request_of(where, 5, locks=[lock]))
    strategies = floats(node(resolver, last.handle).strategy, 2)
    other = holding_index(where.public.variant.deck, parse_cards("AdKd"))
    assert strategies[:, one] == pytest.approx([0, 1], abs=1e-4)
    assert strategies[:, other] == pytest.approx([1, 0], abs=1e-4)


def test_a_sample_of_boards_is_another_in_each_iteration(resolver: ResolverStub) -> None:
    """All boards have answers, and the exploitability covers all of them."""
    both_check = [pb.Step(action=CALL), pb.Step(action=CALL)]
    answers = {}
    for count in (0, 3):
        request = request_of(turn(), 60)
        request.spot.board_count, request.spot.seed = count, 7
        answers[count] = solved(resolver, request)
    every, some = answers[0], answers[3]
    assert some.cost.board_count == every.cost.board_count
    assert some.cost.exploitability > 2 * every.cost.exploitability
    deals = [node(resolver, last.handle, *both_check).deals for last in (every, some)]
    assert deals[0] == deals[1]
    for cards in deals[1]:
        assert node(resolver, some.handle, *both_check, pb.Step(cards=cards)).player == 0


@pytest.mark.parametrize(
    "header", [b"[" * 100_000, b'{"iteration": Infinity}', b'{"note": {"request": "\xc3\xa9"}}', b"{}", b'{"note": 3}']
)
def test_headers_that_somebody_made_up(resolver: ResolverStub, header: bytes) -> None:
    """With a valid checksum, so that the bytes are parsed."""
    last = solved(resolver, request_of(turn(), 2))
    data = b"".join(part.chunk for part in resolver.SaveSolution(pb.SaveSolutionRequest(handle=last.handle)))
    (length,) = struct.unpack("<I", data[8:12])
    whole = json.loads(data[12 : 12 + length])
    made_up = header
    if header.startswith(b"{"):
        changes = json.loads(header)
        made_up = json.dumps({**whole, **changes} if changes else changes, ensure_ascii=False).encode()
    body = data[:8] + struct.pack("<I", len(made_up)) + made_up + data[12 + length : -32]
    with pytest.raises(grpc.RpcError) as caught:
        resolver.LoadSolution(chunks(body + hashlib.sha256(body).digest()), timeout=60)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT, caught.value.details()


@pytest.mark.slow
def test_a_deadline_is_kept_where_an_iteration_takes_long(resolver: ResolverStub) -> None:
    where = spot("2c3d7hKd", 100, 10_000, "/ / 0.5p 1p; 1p")
    last = solved(resolver, request_of(where, 1_000_000), timeout=25)
    assert last.cost.is_partial
    assert last.cost.iterations > 0
