"""Riverboat's oracle beyond riverboat conformance: its error texts, limits, logs and progress."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from riverboat.cards import DECKS
from riverboat.clients.conformance.oracle.refusals import INVALID, BadCall
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.services.oracle.preflop_features import features_before_the_flop
from tests.processes import ServiceProcess

BUF = Path(__file__).resolve().parents[2] / ".venv" / "bin" / "buf"


def call(stub: OracleStub, method: str, request: Any) -> Any:
    """Call a method; streams are read to the end."""
    response = getattr(stub, method)(request, timeout=60)
    return list(response) if hasattr(response, "__iter__") else response


@pytest.mark.slow
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


@pytest.mark.parametrize(("deck", "count"), [("52", 1326), ("36", 630), ("24", 276)])
def test_features_of_all_holdings_before_the_flop_are_looked_up(oracle: OracleStub, deck: str, count: int) -> None:
    answer = oracle.Features(pb.FeaturesRequest(deck=deck))
    assert (answer.holding_count, answer.feature_count) == (count, 31)
    features = np.frombuffer(answer.features, "<f4").reshape(count, 31)
    assert np.array_equal(features, features_before_the_flop(DECKS[deck]))


ANY = [pb.Range()]
ACES = pb.Range(text="AA")


def rolled(deck: str, hero: pb.Range = ACES) -> pb.EquityRequest:
    """Return a request for more rollouts than a test waits for."""
    rollouts = pb.EquityRequest.Rollouts(rollout_count=10**11)
    return pb.EquityRequest(deck=deck, hero=hero, opponents=ANY, rollouts=rollouts)


@pytest.mark.parametrize("refusal", INVALID, ids=lambda refusal: f"{refusal.method}: {refusal.words}")
def test_our_own_messages_begin_with_the_field_and_fit_into_a_status(oracle: OracleStub, refusal: BadCall) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call(oracle, refusal.method, refusal.request)
    details = caught.value.details() or ""
    assert details.startswith(f"{refusal.field}: ")
    assert 10 < len(details) <= 1000


def test_our_own_best_five_are_in_descending_order(oracle: OracleStub) -> None:
    (house,) = oracle.Classify(pb.ClassifyRequest(hands=["KhKdKs4c4d2c7h"])).classifications
    assert house.best == "KsKhKd4d4c"


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
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[2], rollout_count=10**9), "the limit is 10,000,000,000"),
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
    ids = [dict(refusal.trailing_metadata())["x-request-id"] for refusal in (given, failed)]
    assert ids[0] == "my-call.7"
    assert "bad id" not in str(ids[1])
    good, bad = wait_for_lines(oracle_process, ids)
    assert good["method"] == "/riverboat.oracle.v1.Oracle/ListDecks"
    assert (good["code"], bad["code"]) == ("OK", "INVALID_ARGUMENT")
    assert bad["error"].startswith("deck: no deck is called 'tarot'")
    assert good["ms"] >= 0


def wait_for_lines(process: ServiceProcess, ids: list[Any]) -> list[Any]:
    """Return the log lines of some calls; the oracle logs a call after it has sent the answer."""
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up:
        lines = [json.loads(line) for line in process.log_lines()]
        calls = [line for line in lines if line["event"] == "call" and line["request_id"] in ids]
        if len(calls) == len(ids):
            return calls
        time.sleep(0.05)
    raise AssertionError("the calls were not logged")


def buf_curl(process: ServiceProcess, method: str, data: str) -> Any:
    """Call a method as a client that knows the contract only by reflection."""
    url = f"http://{process.address}/{method}"
    completed = subprocess.run(
        [BUF, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "-d", data, url],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


def test_a_stranger_reads_the_contract_by_reflection(oracle_process: ServiceProcess) -> None:
    hands = '{"hands": ["AhKhQhJhTh"]}'
    completed = buf_curl(oracle_process, "riverboat.oracle.v1.Oracle/Classify", hands)
    assert completed["classifications"][0]["words"] == "royal flush"
    health = buf_curl(oracle_process, "grpc.health.v1.Health/Check", '{"service": "riverboat.oracle.v1.Oracle"}')
    assert health["status"] == "SERVING"
