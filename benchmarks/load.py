"""Many tables at one game manager: python -m benchmarks.load --tables 200 --minutes 10.

Two bots that always call sit at each table, in separate processes. The command prints hands per second, the time that
actions take, the game manager's memory over time, and the answers to clients that exceed the limits.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import numpy as np

from benchmarks.caller import play
from benchmarks.processes import ServiceProcess, meanwhile, resident_bytes, running, start_interpreter
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit

_STACK = 200_000  # 2,000 big blinds, the maximum: a bot that calls does not go broke within hours
_LOOK_SECONDS = 1.0
_PROBE_SECONDS = 0.02
_STREAM_SHARE = 0.9  # share of all calls that may be streams
_OVERLOAD = 20  # tables and streams beyond the limits
_MEGABYTE = 1 << 20
_ANSWER_SECONDS = 30
_SHARES = (50, 90, 99, 100)  # percentiles
_CALL = Action(call=Action.Call())


@dataclass(slots=True)
class LoadWatch:
    """The game manager's memory and hands over time."""

    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)  # bytes
    hands: list[int] = field(default_factory=list)


def main() -> int:
    """Run and print; return 0 if every client beyond the limits was refused with RESOURCE_EXHAUSTED."""
    parser = argparse.ArgumentParser("python -m benchmarks.load")
    parser.add_argument("--tables", type=int, default=200, help="number of tables")
    parser.add_argument("--minutes", type=float, default=10, help="minutes to play")
    parser.add_argument("--processes", type=int, default=2, help="processes of bots")
    parser.add_argument(
        "--hands",
        type=int,
        default=20_000,
        help="hands that the game manager keeps in memory; growth beyond that is a leak",
    )
    parser.add_argument(
        "--play", metavar="ADDRESS", help=argparse.SUPPRESS
    )  # in a process of bots, which reads tokens from its input
    options = parser.parse_args()
    if options.play:
        asyncio.run(_play_all(options.play, json.load(sys.stdin)))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calls = round((2 * options.tables + _OVERLOAD) / _STREAM_SHARE)
        settings = {"tables": str(options.tables), "calls": str(calls), "hands": str(options.hands)}
        settings |= {"client_tables": str(options.tables), "journal": str(folder / "journal.jsonl")}
        with running("gamemanager", folder, start_interpreter, **settings) as manager:
            manager.wait_until_healthy()
            return _measure(manager, folder / "journal.jsonl", options)


def _measure(manager: ServiceProcess, journal: Path, options: argparse.Namespace) -> int:
    config = pb.TableConfig(name="load", variant=encode_variant(no_limit(50, 100)), chair_count=2, buy_in=_STACK)
    with grpc.insecure_channel(manager.address) as channel:
        stub = TablesStub(channel)
        made = [stub.CreateTable(pb.CreateTableRequest(config=config)) for _ in range(options.tables)]
        tokens = [_join(stub, one.table.table_id, name) for one in made for name in ("one", "two")]
        probed, played = tokens[:2], tokens[2:]  # this process plays the first table, call by call
        players = [_players(manager.address, played[n :: options.processes]) for n in range(options.processes)]
        for player in players:
            _wait_for_line(player)
        watch, waits = LoadWatch(), list[float]()
        with _watched(stub, manager, watch), _probing(stub, probed, waits):
            time.sleep(60 * options.minutes)
            before = _hands(stub)
            refused = _overload(stub, config, made[0].table.table_id)
            time.sleep(2 * _LOOK_SECONDS)
            went_on = _hands(stub) - before
        for one in made:
            stub.CloseTable(pb.CloseTableRequest(table_id=one.table.table_id, dealer_token=one.dealer_token))
        streamed = [wait for player in players for wait in json.loads(player.communicate(timeout=120)[0])]
    _print(options, watch, {"TakeAction": waits, "Play": streamed}, journal.stat().st_size)
    for what, codes in refused.items():
        print(f"too many {what}: {', '.join(f'{count} × {code}' for code, count in codes.items())}")
    print(f"hands played meanwhile: {went_on:,}")
    return 0 if went_on and all(set(codes) == {"RESOURCE_EXHAUSTED"} for codes in refused.values()) else 1


def _join(stub: TablesStub, table_id: str, name: str) -> str:
    return stub.JoinTable(pb.JoinTableRequest(table_id=table_id, name=name)).token


def _hands(stub: TablesStub) -> int:
    return sum(table.hand_count for table in stub.ListTables(pb.ListTablesRequest()).tables)


# Bots


def _players(address: str, tokens: Sequence[str]) -> "subprocess.Popen[str]":
    words = [sys.executable, "-m", "benchmarks.load", "--play", address]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if process.stdin is None:
        raise RuntimeError("the process of bots has no standard input")
    json.dump(tokens, process.stdin)
    process.stdin.close()
    process.stdin = None  # communicate() must not write to it again
    return process


def _wait_for_line(player: "subprocess.Popen[str]") -> None:
    """Wait until the process's bots play: starting takes a while and is not measured."""
    if player.stdout is None or not player.stdout.readline():
        raise RuntimeError("a process of bots has ended")


async def _play_all(address: str, tokens: Sequence[str]) -> None:
    """Play chairs until their tables close; print a line when all play, then the seconds of each action."""
    waits: list[float] = []
    async with grpc.aio.insecure_channel(address) as channel:
        stub = TablesStub(channel)
        played = asyncio.gather(*(play(stub, token, waits) for token in tokens))
        while len(waits) < 2 * len(tokens) and not played.done():  # noqa: ASYNC110  # bots tell nobody but `waits`
            await asyncio.sleep(_LOOK_SECONDS / 10)
        print("all play", flush=True)
        waits.clear()
        await played
    json.dump(waits, sys.stdout)


def _probing(stub: TablesStub, tokens: Sequence[str], waits: list[float]) -> AbstractContextManager[None]:
    """Play both chairs of a table by unary calls, and append the seconds of each action to `waits`."""

    def probe() -> None:
        for token in tokens:
            view = stub.GetView(pb.GetViewRequest(token=token)).view
            if view.is_your_turn:
                decision = pb.Decision(hand_number=view.hand_number, action_number=view.action_number, action=_CALL)
                decision.request_id = f"{view.hand_number}-{view.action_number}"
                begin = time.perf_counter()
                stub.TakeAction(pb.TakeActionRequest(token=token, decision=decision))
                waits.append(time.perf_counter() - begin)

    return meanwhile(probe, _PROBE_SECONDS)


# Observation


def _watched(stub: TablesStub, manager: ServiceProcess, watch: LoadWatch) -> AbstractContextManager[None]:
    """Record memory and hands periodically until the block ends."""
    begin = time.monotonic()

    def look() -> None:
        watch.seconds.append(time.monotonic() - begin)
        watch.memory.append(resident_bytes(manager.process.pid))
        watch.hands.append(_hands(stub))

    return meanwhile(look, _LOOK_SECONDS)


def _overload(stub: TablesStub, config: pb.TableConfig, table_id: str) -> dict[str, Counter[str]]:
    """Ask for more tables and streams than the limits allow; return the status codes of the answers."""
    codes: dict[str, Counter[str]] = {"tables": Counter(), "streams": Counter()}
    for _ in range(_OVERLOAD):
        try:
            stub.CreateTable(pb.CreateTableRequest(config=config))
            codes["tables"]["OK"] += 1
        except grpc.RpcError as error:
            codes["tables"][error.code().name] += 1
    streams = [stub.Watch(pb.WatchRequest(table_id=table_id), timeout=_ANSWER_SECONDS) for _ in range(3 * _OVERLOAD)]
    for stream in streams:  # those within the limit are answered at once
        try:
            next(iter(stream))
        except grpc.RpcError as error:
            codes["streams"][error.code().name] += 1
    for stream in streams:
        stream.cancel()
    return codes


def _by_minute(watch: LoadWatch) -> list[float]:
    """Return the mean memory in each minute, in megabytes."""
    minutes = np.array(watch.seconds) // 60
    return [float(np.mean(np.array(watch.memory)[minutes == minute])) / _MEGABYTE for minute in np.unique(minutes)]


def _print(options: argparse.Namespace, watch: LoadWatch, waits: dict[str, list[float]], journal_bytes: int) -> None:
    seconds, hands = watch.seconds[-1] - watch.seconds[0], watch.hands[-1] - watch.hands[0]
    print(f"{options.tables} tables, {seconds:.0f} s: {hands:,} hands, {hands / seconds:,.1f} a second")
    for what, values in waits.items():
        parts = zip(_SHARES, np.percentile(values or [0.0], _SHARES) * 1e3, strict=True)
        shown = ", ".join(f"{share} % {part:.1f} ms" for share, part in parts)
        print(f"{what}: {len(values):,} actions; within: {shown}")
    memory = ", ".join(f"{value:.0f}" for value in _by_minute(watch))
    print(f"memory of the game manager, minute by minute: {memory} MB; it keeps {options.hands:,} hands")
    per_hand = journal_bytes / max(1, watch.hands[-1])
    print(f"journal: {journal_bytes / _MEGABYTE:.1f} MB, {per_hand:,.0f} bytes a hand")


if __name__ == "__main__":
    sys.exit(main())
