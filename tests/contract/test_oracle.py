"""The oracle's contract, from a client's side, against a real process."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from protos.oracle.v1 import oracle_pb2 as pb
from protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.cards import DECKS, parse_cards
from riverboat.holdings import holding_index, holdings_of
from riverboat.strength.hands import strengths_on_boards
from riverboat.utility import board_utility
from tests.processes import ServiceProcess

BUF = Path(__file__).resolve().parents[2] / ".venv" / "bin" / "buf"


def call(stub: OracleStub, method: str, request: Any) -> Any:
    """Call a method; streams are read to the end."""
    found = getattr(stub, method)(request, timeout=60)
    return list(found) if hasattr(found, "__iter__") else found


def test_decks(oracle: OracleStub) -> None:
    decks = {deck.name: deck for deck in oracle.ListDecks(pb.ListDecksRequest()).decks}
    assert {name: deck.holding_count for name, deck in decks.items()} == {
        "52": 1326, "36": 630, "24": 276, "leduc": 6, "kuhn": 3,
    }  # fmt: skip
    assert list(decks["52"].board_sizes) == [0, 3, 4, 5]
    categories = list(decks["36"].categories)
    assert categories.index(pb.CATEGORY_FLUSH) > categories.index(pb.CATEGORY_FULL_HOUSE)
    assert list(decks["kuhn"].cards) == ["Js", "Qs", "Ks"]


@pytest.mark.parametrize("name", ["52", "24", "leduc"])
def test_holdings_follow_the_documented_order(oracle: OracleStub, name: str) -> None:
    found = oracle.GetDeck(pb.GetDeckRequest(deck=name))
    places = {card: i for i, card in enumerate(found.deck.cards)}
    for index, holding in enumerate(found.holdings):
        cards = sorted(places[holding[i : i + 2]] for i in range(0, len(holding), 2))
        expected = cards[0] if len(cards) == 1 else cards[1] * (cards[1] - 1) // 2 + cards[0]
        assert index == expected


def test_deal(oracle: OracleStub) -> None:
    request = pb.DealRequest(deck="24", holding_count=3, board_size=5, seed=11)
    found = oracle.Deal(request)
    assert found.seed == 11
    cards = parse_cards("".join(found.holdings) + found.board + found.stub)
    assert sorted(cards) == list(DECKS["24"].cards)
    assert found == oracle.Deal(request)
    unseeded = oracle.Deal(pb.DealRequest(holding_count=2))
    again = oracle.Deal(pb.DealRequest(holding_count=2, seed=unseeded.seed))
    assert again == unseeded


def test_classify(oracle: OracleStub) -> None:
    hands = ["KhKdKs4c4d2c7h", "Ah Kh Qh Jh Th", "2c,3d,4h,5s,7c,8d"]
    house, royal, high = oracle.Classify(pb.ClassifyRequest(hands=hands)).classifications
    assert house.words == "full house, kings over fours"
    assert house.best == "KsKhKd4d4c"
    assert house.category == pb.CATEGORY_FULL_HOUSE
    assert royal.strength == 7462
    assert high.category == pb.CATEGORY_HIGH_CARD
    assert royal.strength > house.strength > high.strength


def test_showdown(oracle: OracleStub) -> None:
    found = oracle.Showdown(pb.ShowdownRequest(board="Td9d2c5h3s", holdings=["AhKh", "Ts9s", "AsKs"]))
    assert list(found.winners) == [1]
    assert list(found.places) == [2, 1, 2]


@pytest.mark.parametrize("name", ["52", "36", "leduc"])
def test_strengths_of_many_boards(oracle: OracleStub, name: str) -> None:
    deck = DECKS[name]
    rng = np.random.default_rng(0)
    boards = np.array([rng.choice(deck.cards, deck.board_sizes[-1], replace=False) for _ in range(200)], np.uint8)
    texts = ["".join("23456789TJQKA"[c >> 2] + "cdhs"[c & 3] for c in board) for board in boards.tolist()]
    found = oracle.Strengths(pb.StrengthsRequest(deck=name, boards=texts))
    assert (found.board_count, found.holding_count) == (200, holdings_of(deck).count)
    matrix = np.frombuffer(found.strengths, "<u2").reshape(200, -1)
    assert np.array_equal(matrix, strengths_on_boards(deck, boards))


@pytest.mark.parametrize(("deck", "board"), [("52", "Td9d2c5h"), ("24", "Td9dAc"), ("leduc", "Kh"), ("kuhn", "")])
def test_utility_in_chunks(oracle: OracleStub, deck: str, board: str) -> None:
    chunks = list(oracle.Utility(pb.UtilityRequest(deck=deck, board=board)))
    rows = 0
    for chunk in chunks:
        assert chunk.first_row == rows
        assert len(chunk.values) == 4 * chunk.row_count * chunk.column_count <= 4_000_000
        rows += chunk.row_count
    matrix = np.concatenate([np.frombuffer(c.values, "<f4").reshape(c.row_count, c.column_count) for c in chunks])
    assert np.array_equal(matrix, board_utility(DECKS[deck], parse_cards(board)).matrix(), equal_nan=True)


def test_stud_utility(oracle: OracleStub) -> None:
    stud = pb.UtilityRequest.Stud(mine="AhKhQhJh", theirs="2c2d7s8s")
    (chunk,) = oracle.Utility(pb.UtilityRequest(stud=stud))
    matrix = np.frombuffer(chunk.values, "<f4").reshape(52, 52)
    assert matrix[parse_cards("Th")[0], parse_cards("2h")[0]] == 1
    assert np.isnan(matrix[parse_cards("Ah")[0]]).all()


def test_exact_equity(oracle: OracleStub) -> None:
    request = pb.EquityRequest(hero=pb.Range(text="AsAh"), opponents=[pb.Range(text="KsKh")])
    *progress, last = oracle.Equity(request)
    assert last.result.equity == 0.826366112559452
    assert last.result.exact
    assert last.result.deal_count == 1_712_304
    assert all(message.WhichOneof("step") == "progress" for message in progress)


def test_equity_of_packed_weights(oracle: OracleStub) -> None:
    weights = np.zeros(1326, np.float32)
    weights[holding_index(DECKS["52"], parse_cards("AsAh"))] = 0.7
    hero = pb.Range(weights=weights.astype("<f4").tobytes())
    *_, last = oracle.Equity(pb.EquityRequest(hero=hero, board="2c7dTh", opponents=[pb.Range()]))
    assert last.result.equity == 0.8649034283631879


def test_rollouts_repeat_and_report_progress(oracle: OracleStub) -> None:
    rollouts = pb.EquityRequest.Rollouts(rollout_count=20_000_000, seed=5)
    hero = pb.Range(text="AsAh")
    request = pb.EquityRequest(hero=hero, opponents=[pb.Range()] * 9, rollouts=rollouts)
    *progress, last = oracle.Equity(request)
    assert progress
    assert progress[-1].progress.so_far.error > last.result.error > 0
    assert last.result.deal_count == 20_000_000
    assert last.result.seed == 5
    *_, again = oracle.Equity(request)
    assert again == last


def test_cheat_sheet(oracle: OracleStub) -> None:
    request = pb.CheatSheetRequest(deck="24", opponent_counts=[1, 3], rollout_count=1000, seed=1)
    messages = list(oracle.CheatSheet(request))
    cells = [message.cell for message in messages if message.HasField("cell")]
    assert len(cells) == 2 * 36
    assert {cell.equity.exact for cell in cells if cell.opponent_count == 1} == {True}
    assert {cell.equity.deal_count for cell in cells if cell.opponent_count == 3} == {1000}
    assert messages[-1].done == 1
    done = [message.done for message in messages]
    assert done == sorted(done)


NAN = np.full(1326, np.nan, "<f4").tobytes()
NEGATIVE = np.full(1326, -1, "<f4").tobytes()
ZERO = np.zeros(1326, "<f4").tobytes()
ANY = [pb.Range()]
ACES = pb.Range(text="AA")
LONG = "Ah" * 2_000_000


def rolled(deck: str, hero: pb.Range = ACES) -> pb.EquityRequest:
    """More rollouts than anybody waits for."""
    rollouts = pb.EquityRequest.Rollouts(rollout_count=10**11)
    return pb.EquityRequest(deck=deck, hero=hero, opponents=ANY, rollouts=rollouts)


@pytest.mark.parametrize(
    ("method", "request_", "field"),
    [
        ("GetDeck", pb.GetDeckRequest(deck="tarot"), "deck"),
        ("Deal", pb.DealRequest(holding_count=-1), "holding_count"),
        ("Deal", pb.DealRequest(board_size=-5), "board_size"),
        ("Deal", pb.DealRequest(holding_count=27), "holding_count"),
        ("Deal", pb.DealRequest(holding_count=2**31 - 1), "holding_count"),
        ("Classify", pb.ClassifyRequest(hands=["AhKh"]), "hands[0]"),
        ("Classify", pb.ClassifyRequest(hands=["AhKhQhJhTh", "AhKhQhJhTh9h8h7h"]), "hands[1]"),
        ("Classify", pb.ClassifyRequest(hands=["AhKhQhJhAh"]), "hands[0]"),
        ("Classify", pb.ClassifyRequest(deck="24", hands=["AhKhQhJh2h"]), "hands[0]"),
        ("Classify", pb.ClassifyRequest(hands=["Zz"]), "hands[0]"),
        ("Classify", pb.ClassifyRequest(hands=[LONG]), "hands[0]"),
        ("Classify", pb.ClassifyRequest(deck="x" * 1_000_000), "deck"),
        ("Showdown", pb.ShowdownRequest(board="AhKh", holdings=["QhJh"]), "board"),
        ("Showdown", pb.ShowdownRequest(board="AhKhQh"), "holdings"),
        ("Showdown", pb.ShowdownRequest(board="AhKhQh", holdings=["2c"]), "holdings[0]"),
        ("Showdown", pb.ShowdownRequest(board="AhKhQh", holdings=["2c3c"] * 100_000), "holdings"),
        ("Showdown", pb.ShowdownRequest(holdings=["2c3c"]), "board"),
        ("Showdown", pb.ShowdownRequest(board="AhKhQh", holdings=["2c3c", "4cAh"]), "holdings[1]"),
        ("Strengths", pb.StrengthsRequest(), "boards"),
        ("Strengths", pb.StrengthsRequest(boards=["AhKhQh", "AhKhQhJh"]), "boards[1]"),
        ("Strengths", pb.StrengthsRequest(boards=[""]), "boards[0]"),
        ("Strengths", pb.StrengthsRequest(boards=["AhKhAh"]), "boards[0]"),
        ("Utility", pb.UtilityRequest(), "board"),
        ("Utility", pb.UtilityRequest(board="AhKh"), "board"),
        ("Utility", pb.UtilityRequest(stud=pb.UtilityRequest.Stud(mine="AhKhQhJh", theirs="2c")), "stud.theirs"),
        ("Utility", pb.UtilityRequest(stud=pb.UtilityRequest.Stud(mine="AhKhQhJx", theirs="2c3c4c5d")), "stud.mine"),
        ("Utility", pb.UtilityRequest(stud=pb.UtilityRequest.Stud(mine="AhKhQhAh", theirs="2c3c4c5d")), "stud.mine"),
        ("Utility", pb.UtilityRequest(stud=pb.UtilityRequest.Stud(mine="AhKhQhJh", theirs="2c3c4cAh")), "stud.theirs"),
        ("Utility", pb.UtilityRequest(deck="leduc", stud=pb.UtilityRequest.Stud(mine="Kh", theirs="Ks")), "deck"),
        ("Equity", pb.EquityRequest(opponents=ANY), "hero"),
        ("Equity", pb.EquityRequest(hero=ACES), "opponents"),
        ("Equity", pb.EquityRequest(hero=ACES, opponents=ANY * 10), "opponents"),
        ("Equity", pb.EquityRequest(hero=ACES, opponents=ANY * 100_000), "opponents"),
        ("Equity", pb.EquityRequest(hero=pb.Range(text="QQ++"), opponents=ANY), "hero.text"),
        ("Equity", pb.EquityRequest(hero=pb.Range(text=LONG), opponents=ANY), "hero.text"),
        ("Equity", pb.EquityRequest(hero=pb.Range(weights=NAN), opponents=ANY), "hero.weights"),
        ("Equity", pb.EquityRequest(hero=pb.Range(weights=NEGATIVE), opponents=ANY), "hero.weights"),
        ("Equity", pb.EquityRequest(hero=pb.Range(weights=ZERO), opponents=ANY), "hero"),
        ("Equity", pb.EquityRequest(hero=pb.Range(weights=b"abc"), opponents=ANY), "hero.weights"),
        ("Equity", pb.EquityRequest(hero=ACES, opponents=[pb.Range(text="KQx")]), "opponents[0].text"),
        ("Equity", pb.EquityRequest(hero=ACES, opponents=ANY, board="Ah"), "board"),
        ("Equity", pb.EquityRequest(hero=ACES, opponents=[ACES, ACES]), "opponents"),
        (
            "Equity",
            pb.EquityRequest(hero=ACES, opponents=ANY, rollouts=pb.EquityRequest.Rollouts(rollout_count=-1)),
            "rollouts.rollout_count",
        ),
        (
            "Equity",
            pb.EquityRequest(hero=ACES, opponents=ANY, rollouts=pb.EquityRequest.Rollouts(target_error=float("nan"))),
            "rollouts.target_error",
        ),
        ("CheatSheet", pb.CheatSheetRequest(), "opponent_counts"),
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[-1]), "opponent_counts"),
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[1] * 100_000), "opponent_counts"),
        ("CheatSheet", pb.CheatSheetRequest(deck="24", opponent_counts=[1, 9]), "opponent_counts"),
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[1], rollout_count=-1), "rollout_count"),
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[1], deck="kuhn"), "deck"),
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[1], board="AhAh2c"), "board"),
    ],
)
def test_bad_input_names_field_and_reason(oracle: OracleStub, method: str, request_: Any, field: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call(oracle, method, request_)
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert error.details().startswith(f"{field}: ")
    assert 10 < len(error.details()) <= 1000
    status = rpc_status.from_call(error)
    assert status is not None
    bad = error_details_pb2.BadRequest()
    assert status.details[0].Unpack(bad)
    assert bad.field_violations[0].field == field
    assert bad.field_violations[0].description


@pytest.mark.parametrize(
    ("method", "request_", "limit"),
    [
        ("Classify", pb.ClassifyRequest(hands=["AhKhQhJhTh"] * 1001), "the limit is 1,000"),
        ("Strengths", pb.StrengthsRequest(boards=["AhKhQh"] * 1509), "the limit is 4,000,000"),
        (
            "Equity",
            pb.EquityRequest(hero=ACES, opponents=ANY * 5, exact=pb.EquityRequest.Exact()),
            "the limit is 20,000,000,000",
        ),
        ("Strengths", pb.StrengthsRequest(deck="kuhn", boards=[""] * 7501), "the limit is 7,500"),
        ("Equity", rolled(deck="52"), "the limit is 10,000,000,000"),
        ("Equity", rolled(deck="leduc", hero=pb.Range(text="K")), "the limit is 10,000,000,000"),
        (
            "CheatSheet",
            pb.CheatSheetRequest(opponent_counts=[2], rollout_count=10**9),
            "the limit is 10,000,000,000",
        ),
    ],
)
def test_too_much_is_refused_with_the_limit(oracle: OracleStub, method: str, request_: Any, limit: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call(oracle, method, request_)
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert limit in error.details()


def test_a_message_beyond_all_limits_is_refused(oracle: OracleStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        oracle.Classify(pb.ClassifyRequest(hands=["A" * 17_000_000]))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize("garbage", [b"\xff" * 100, b"\x0a\x05ab", bytes(range(256)), b"\x0a\x02\xff\xfe", b"\x08"])
@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("unary_unary", "/riverboat.oracle.v1.Oracle/Classify"),
        ("unary_stream", "/riverboat.oracle.v1.Oracle/Equity"),
        ("unary_unary", "/grpc.health.v1.Health/Check"),
        ("unary_stream", "/grpc.health.v1.Health/Watch"),
        ("stream_stream", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"),
    ],
)
def test_garbage_bytes_are_invalid_arguments(
    oracle_process: ServiceProcess, kind: str, path: str, garbage: bytes
) -> None:
    with grpc.insecure_channel(oracle_process.address) as channel:
        method: Any = getattr(channel, kind)(path)
        request = iter([garbage]) if kind == "stream_stream" else garbage
        with pytest.raises(grpc.RpcError) as caught:
            list(method(request, timeout=10))
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "do not decode" in error.details()


def test_request_ids_come_back_and_are_logged(oracle_process: ServiceProcess) -> None:
    with grpc.insecure_channel(oracle_process.address) as channel:
        stub = OracleStub(channel)
        _, given = stub.ListDecks.with_call(pb.ListDecksRequest(), metadata=(("x-request-id", "my-call.7"),))
        with pytest.raises(grpc.RpcError) as caught:
            stub.GetDeck(pb.GetDeckRequest(deck="tarot"), metadata=(("x-request-id", "bad id {}" + "x" * 99),))
        failed: Any = caught.value
    ids = [dict(found.trailing_metadata())["x-request-id"] for found in (given, failed)]
    assert ids[0] == "my-call.7"
    assert "bad id" not in str(ids[1])
    good, bad = wait_for_lines(oracle_process, ids)
    assert good["method"] == "/riverboat.oracle.v1.Oracle/ListDecks"
    assert (good["code"], bad["code"]) == ("OK", "INVALID_ARGUMENT")
    assert bad["error"].startswith("deck: no deck is called 'tarot'")
    assert good["ms"] >= 0


def wait_for_lines(process: ServiceProcess, ids: list[Any]) -> list[Any]:
    """The log lines of some calls; a line is written when the answer is already on its way."""
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up:
        lines = [json.loads(line) for line in process.log_lines()]
        found = [line for line in lines if line["event"] == "call" and line["request_id"] in ids]
        if len(found) == len(ids):
            return found
        time.sleep(0.05)
    raise AssertionError("the calls were not logged")


def buf_curl(process: ServiceProcess, method: str, data: str) -> Any:
    """A stranger's client that knows the contract only by reflection."""
    url = f"http://{process.address}/{method}"
    found = subprocess.run(
        [BUF, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "-d", data, url],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def test_a_stranger_reads_the_contract_by_reflection(oracle_process: ServiceProcess) -> None:
    hands = '{"hands": ["AhKhQhJhTh"]}'
    found = buf_curl(oracle_process, "riverboat.oracle.v1.Oracle/Classify", hands)
    assert found["classifications"][0]["words"] == "royal flush"
    health = buf_curl(oracle_process, "grpc.health.v1.Health/Check", '{"service": "riverboat.oracle.v1.Oracle"}')
    assert health["status"] == "SERVING"


def test_following_boards(oracle: OracleStub) -> None:
    found = oracle.FollowingBoards(pb.FollowingBoardsRequest(board="QsJh2h", deal_count=2))
    level = np.frombuffer(found.level, "<i4")
    parent = np.frombuffer(found.parent, "<i4")
    chance = np.frombuffer(found.chance, "<f8")
    mirror_counts = np.frombuffer(found.mirror_counts, "<i4")
    exchanges = np.frombuffer(found.exchanges, "<i4").reshape(-1, 1326)
    live = np.unpackbits(
        np.frombuffer(found.live, np.uint8).reshape(len(level), -1), axis=1, count=1326, bitorder="little"
    )
    assert found.boards[0] == "QsJh2h"
    assert (level == 1).sum() == 36
    assert (1 + mirror_counts[level == 1]).sum() == 49
    assert chance[level == 1] == pytest.approx(1 / 45)
    assert chance[level == 2] == pytest.approx(1 / 44)
    assert live.sum(axis=1).tolist() == [{0: 1176, 1: 1128, 2: 1081}[step] for step in level.tolist()]
    assert all(level[parent[1:]] == level[1:] - 1)
    for exchange in exchanges:
        assert sorted(exchange.tolist()) == list(range(1326))
    assert np.frombuffer(found.mirrors, "<i4").max() < len(exchanges)
    items = np.frombuffer(found.items, np.uint8).reshape(1326, 2)
    assert items[0].tolist() == [0, 1]
    weights = np.ones(1326, "<f4")
    weights[0] = 0.5  # 2c2d: clubs and diamonds are no longer the same as anything
    knowing = pb.Range(weights=weights.tobytes())
    other = oracle.FollowingBoards(pb.FollowingBoardsRequest(board="QsJh2s", deal_count=1, ranges=[knowing]))
    assert len(other.boards) == 1 + 36, "2c and 2d are still alike"
    assert (
        len(oracle.FollowingBoards(pb.FollowingBoardsRequest(board="QsJh2h", deal_count=1, keep_all=True)).boards) == 50
    )
    sampled = pb.FollowingBoardsRequest(board="QsJh2h", deal_count=1, board_count=7, seed=3)
    assert len(oracle.FollowingBoards(sampled).boards) == 8
    assert oracle.FollowingBoards(sampled) == oracle.FollowingBoards(sampled)


def test_utility_of_some_holdings(oracle: OracleStub) -> None:
    rows, columns = np.array([1325, 0, 700], "<i4"), np.array([5, 800], "<i4")
    (whole,) = [
        np.concatenate([np.frombuffer(chunk.values, "<f4").reshape(-1, 1326) for chunk in oracle.Utility(request)])
        for request in [pb.UtilityRequest(board="QsJh2h8d")]
    ]
    request = pb.UtilityRequest(board="QsJh2h8d", rows=rows.tobytes(), columns=columns.tobytes())
    (chunk,) = oracle.Utility(request)
    found = np.frombuffer(chunk.values, "<f4").reshape(3, 2)
    assert found == pytest.approx(np.nan_to_num(whole[np.ix_(rows, columns)], nan=0.0), abs=1e-6)


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.FollowingBoardsRequest(board="QsJh"), "board"),
        (pb.FollowingBoardsRequest(board="QsQs2h"), "board"),
        (pb.FollowingBoardsRequest(board="QsJh2h", deal_count=3), "deal_count"),
        (pb.FollowingBoardsRequest(board="QsJh2h", board_count=-1), "board_count"),
        (pb.FollowingBoardsRequest(ranges=[pb.Range(text="AA")] * 5), "ranges"),
        (pb.FollowingBoardsRequest(ranges=[pb.Range(weights=b"12")]), "ranges[0].weights"),
    ],
)
def test_impossible_boards(oracle: OracleStub, request_: pb.FollowingBoardsRequest, field: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        oracle.FollowingBoards(request_)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (caught.value.details() or "").startswith(field)


def test_too_many_boards(oracle: OracleStub) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        oracle.FollowingBoards(pb.FollowingBoardsRequest(deal_count=3))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    beyond = np.array([1326], "<i4").tobytes()
    for request in (pb.UtilityRequest(board="QsJh2h", rows=beyond), pb.UtilityRequest(board="QsJh2h", columns=beyond)):
        with pytest.raises(grpc.RpcError) as caught:
            list(oracle.Utility(request))
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
