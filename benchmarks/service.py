"""The oracle as a service: calls per second and latency beside a service that does nothing."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.empty_pb2 import Empty

from benchmarks.processes import free_port, running
from benchmarks.timing import Row, in_turn, milliseconds, per_second
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub

_CALLS = 500
_ROUNDS = 9


def rows() -> Iterator[Row]:
    """Yield the rows about the service."""
    yield _packing()
    empty_address = f"127.0.0.1:{free_port()}"
    empty_process = subprocess.Popen([sys.executable, "-m", "benchmarks.empty_service", empty_address])
    try:
        with tempfile.TemporaryDirectory() as folder, running("oracle", Path(folder)) as oracle:
            oracle.wait_until_healthy()
            with grpc.insecure_channel(empty_address) as a, grpc.insecure_channel(oracle.address) as b:
                empty: Any = a.unary_unary(
                    "/empty.Empty/Call",
                    request_serializer=Empty.SerializeToString,
                    response_deserializer=Empty.FromString,
                )
                stub = OracleStub(b)
                empty(Empty(), wait_for_ready=True)
                yield from _unary(empty, stub)
                yield from _bulk(stub)
    finally:
        empty_process.kill()


def _latencies(call: Callable[[], object]) -> list[float]:
    times = []
    for _ in range(_CALLS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def _unary(empty: Any, stub: OracleStub) -> Iterator[Row]:
    hand = pb.ClassifyRequest(hands=["KhKdKs4c4d2c7h"])
    calls: dict[str, Callable[[], object]] = {
        "empty": lambda: empty(Empty()),
        "ListDecks": lambda: stub.ListDecks(pb.ListDecksRequest()),
        "Deal": lambda: stub.Deal(pb.DealRequest(holding_count=2, board_size=5, seed=1)),
        "Classify": lambda: stub.Classify(hand),
    }
    times: dict[str, list[list[float]]] = {name: [] for name in calls}
    for _ in range(_ROUNDS):
        for name, call in calls.items():
            times[name].append(_latencies(call))
    total = {name: statistics.median(map(sum, rounds)) for name, rounds in times.items()}
    for name in ("ListDecks", "Deal", "Classify"):
        middle = statistics.median(time for round_ in times[name] for time in round_)
        ratio = total["empty"] / total[name]
        yield Row(
            f"unary {name} over loopback, 1 client",
            f"{per_second(_CALLS, total[name])}, p50 {milliseconds(middle)}",
            f"empty service {per_second(_CALLS, total['empty'])}",
            f"{ratio:.2f}×",
            "0.8×",
            ratio >= 0.8,
        )


def _bulk(stub: OracleStub) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    boards = [
        "".join("23456789TJQKA"[c >> 2] + "cdhs"[c & 3] for c in rng.choice(52, 5, replace=False)) for _ in range(1000)
    ]
    request = pb.StrengthsRequest(boards=boards)
    flop = pb.UtilityRequest(board="Td9d2c")
    aces = pb.EquityRequest(hero=pb.Range(text="AsAh"), opponents=[pb.Range(text="KsKh")])
    strengths, utility, equity = in_turn(
        lambda: stub.Strengths(request), lambda: list(stub.Utility(flop)), lambda: list(stub.Equity(aces)), rounds=5
    )
    yield Row("Strengths: 1,000 boards in one call", f"{milliseconds(strengths)}, {per_second(1.326e6, strengths)}")
    yield Row("Utility of a flop, 1326 × 1326 streamed", milliseconds(utility))
    yield Row("Equity, exact AsAh v KsKh through the service", milliseconds(equity))


def _packing() -> Row:
    weights = np.random.default_rng(0).random(1326).astype(np.float32)
    repeated = _repeated_floats()

    def packed() -> bytes:
        return pb.Range(weights=weights.astype("<f4").tobytes()).SerializeToString()

    def listed() -> bytes:
        return bytes(repeated(numbers=weights.tolist()).SerializeToString())

    mine, peer = in_turn(packed, listed, rounds=101)
    ours, theirs = f"{1e6 * mine:.3g} µs", f"as a repeated float {1e6 * peer:.3g} µs"
    return Row("a range of 1,326 weights into bytes", ours, theirs, f"{peer / mine:.0f}×")


def _repeated_floats() -> Any:
    """Return a message class with one field, `repeated float numbers = 1`."""
    file = descriptor_pb2.FileDescriptorProto(name="repeated.proto", syntax="proto3")
    kind = descriptor_pb2.FieldDescriptorProto
    file.message_type.add(name="Floats").field.add(
        name="numbers", number=1, type=kind.TYPE_FLOAT, label=kind.LABEL_REPEATED
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("Floats"))
