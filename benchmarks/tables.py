"""Hands through the game manager, with bots in separate processes, beside hands in the arena."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import numpy as np

from benchmarks.processes import running
from benchmarks.timing import Row, milliseconds, per_second
from riverboat.arena.bots import CallBot
from riverboat.arena.match import Match, play_match
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit

_GAME = no_limit(50, 100)
_STACK = 10_000


def rows() -> Iterator[Row]:
    """Yield the rows about tables."""
    arena = _in_the_arena(2000)
    with tempfile.TemporaryDirectory() as folder:
        journal = str(Path(folder) / "journal.jsonl")
        with running("gamemanager", Path(folder), journal=journal) as manager:
            manager.wait_until_healthy()
            for table_count, hand_count in ((1, 300), (100, 10)):
                seconds, wait = _through_the_service(manager.address, table_count, hand_count)
                rate = table_count * hand_count / seconds
                tables = "1 table" if table_count == 1 else f"{table_count} tables at once"
                yield Row(f"hands through the service, 2 bots, {tables}", per_second(rate, 1),
                          f"in the arena {per_second(1, arena)}", f"{rate * arena:.2g}×")  # fmt: skip
                yield Row(f"from an action to the next view, {tables}", milliseconds(wait))


def _in_the_arena(deal_count: int) -> float:
    """Return the seconds of a hand between two bots that call."""
    match = Match(_GAME, [_STACK] * 2, {"a": CallBot, "b": CallBot}, np.random.default_rng(0))
    play_match(match, 10)
    start = time.perf_counter()
    play_match(match, deal_count)
    return (time.perf_counter() - start) / (2 * deal_count)


def _through_the_service(address: str, table_count: int, hand_count: int) -> tuple[float, float]:
    """Return the seconds of all hands, and the median wait for a view."""
    config = pb.TableConfig(
        name="benchmark", variant=encode_variant(_GAME), chair_count=2, buy_in=_STACK, hand_limit=hand_count
    )
    tokens: list[list[str]] = [[], []]
    with grpc.insecure_channel(address) as channel:
        stub = TablesStub(channel)
        tables = [stub.CreateTable(pb.CreateTableRequest(config=config)).table.table_id for _ in range(table_count)]
        # A hand needs two players, so both processes run before the first one begins.
        for table in tables:
            tokens[0].append(stub.JoinTable(pb.JoinTableRequest(table_id=table, name="one")).token)
        first = _caller(address, tokens[0])
        time.sleep(1.5)
        start = time.perf_counter()
        for table in tables:
            tokens[1].append(stub.JoinTable(pb.JoinTableRequest(table_id=table, name="two")).token)
        second = _caller(address, tokens[1])
        waits = [float(process.communicate(timeout=300)[0]) for process in (first, second)]
        seconds = time.perf_counter() - start - _start_seconds()
    return seconds, max(waits)


def _caller(address: str, tokens: list[str]) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-m", "benchmarks.caller", address, *tokens]
    return subprocess.Popen(words, stdout=subprocess.PIPE)


def _start_seconds() -> float:
    """Return the seconds that a process like the bots' takes to start, which are not counted."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import benchmarks.caller"], check=True)
    return time.perf_counter() - start
