"""The oracle as a process: starting, stopping, load, and clients that go away."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from tests.launching.launch import run_module
from tests.processes import ROOT, ServiceProcess, free_port, running

HERO = pb.Range(text="AsAh")


def long_request(rollout_count: int = 10**10) -> pb.EquityRequest:
    """Return a request that takes minutes."""
    rollouts = pb.EquityRequest.Rollouts(rollout_count=rollout_count, seed=1)
    return pb.EquityRequest(hero=HERO, opponents=[pb.Range()] * 9, rollouts=rollouts)


@pytest.fixture
def own_oracle(tmp_path: Path) -> Iterator[ServiceProcess]:
    """Yield an oracle for a single test, with one worker and a limit of two long calls."""
    with running("oracle", tmp_path, workers="1", long_calls="2") as process:
        process.wait_until_healthy()
        yield process


@pytest.mark.slow
def test_healthy_only_when_kernels_are_compiled(tmp_path: Path) -> None:
    """With an empty cache the oracle is not serving yet, calls wait, and SIGTERM ends it while it compiles."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with running("oracle", tmp_path, more=cache) as process:
        assert process.health() == "NOT_SERVING"
        assert process.terminate(timeout=60) == 0
        assert "ready" not in [json.loads(line)["event"] for line in process.log_lines()]
    with running("oracle", tmp_path, more=cache) as process:
        seen = [process.health("riverboat.oracle.v1.Oracle")]
        assert seen == ["NOT_SERVING"]
        with grpc.insecure_channel(process.address) as channel:
            response = OracleStub(channel).Classify(pb.ClassifyRequest(hands=["AhKhQhJhTh"]), timeout=240)
        assert response.classifications[0].strength == 7462
        assert process.health("riverboat.oracle.v1.Oracle") == "SERVING" == process.health()
        events = [json.loads(line)["event"] for line in process.log_lines()]
        assert events.index("listening") < events.index("ready") < events.index("call")


@pytest.mark.slow
def test_nothing_compiles_after_it_is_healthy() -> None:
    """Warming up compiles every kernel in every form that requests use."""
    program = """
import numpy as np, numba
from numba.core.dispatcher import Dispatcher
import gc
from riverboat.services.oracle.oracle import Oracle
from riverboat.parallel import serial
from riverboat.rpc.convert import oracle as convert
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
import riverboat.strength.hands as hands

def compiled():
    return {(d.py_func.__module__, d.py_func.__name__): len(d.signatures)
            for d in gc.get_objects() if isinstance(d, Dispatcher) and d.py_func.__module__.startswith("riverboat")}

oracle = Oracle(serial, 10**10)
oracle.warm_up()
before = compiled()
R = pb.Range
for deck in ("52", "36", "24"):
    for hand in ("AhKhQhJhTh", "AhKhQhJhTh9h", "AdKhQhJhTh9h9c"):
        oracle.classify(*convert.decode_hands(pb.ClassifyRequest(deck=deck, hands=[hand])))
    for board in ("AhKhQh", "AhKhQhJh", "AhKhQhJhTh"):
        hands.strengths_on_boards(*convert.decode_boards(pb.StrengthsRequest(deck=deck, boards=[board])))
        list(oracle.utility(convert.decode_utility(pb.UtilityRequest(deck=deck, board=board))))
        for hero in ("AdAs", "TT+", "random"):
            for others in ([R(text="9d9s")], [R()], [R(text="99,TT:0.5")], [R(text="9d9s"), R()]):
                request = pb.EquityRequest(deck=deck, board=board, hero=R(text=hero), opponents=others)
                request.rollouts.rollout_count = 9
                list(oracle.equity(convert.decode_equity(request)))
                if len(others) == 1 or hero != "random":
                    request.exact.SetInParent()
                    list(oracle.equity(convert.decode_equity(request)))
    sheet = pb.CheatSheetRequest(deck=deck, board="AhKhQh", opponent_counts=[1, 2], rollout_count=10)
    list(oracle.cheat_sheet(convert.decode_cheat_sheet(sheet)))
stud = pb.UtilityRequest.Stud(mine="AhKhQhJh", theirs="9c9dTsTd")
list(oracle.utility(convert.decode_utility(pb.UtilityRequest(stud=stud))))
list(oracle.equity(convert.decode_equity(pb.EquityRequest(hero=R(text="AsAh"), opponents=[R(text="KsKh")]))))
list(oracle.equity(convert.decode_equity(pb.EquityRequest(deck="24", hero=R(text="AhKh"), opponents=[R(text="QQ")]))))
after = compiled()
new = {name: count for name, count in after.items() if before.get(name, 0) != count}
assert not new, new
print(len(after))
"""
    completed = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
    assert int(completed.stdout) > 15


def test_sigterm_drains_and_exits_0(tmp_path: Path) -> None:
    """A call under way is finished, new ones are refused, and the process ends with code 0."""
    results: list[Any] = []
    # The grace period is far longer than the call takes, also on a machine with much other work.
    with running("oracle", tmp_path, grace_seconds="600") as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            stub = OracleStub(channel)
            steps = stub.Equity(long_request(10_000_000))
            next(steps)  # it is running
            reader = threading.Thread(target=lambda: results.extend(steps))
            reader.start()
            process.process.send_signal(signal.SIGTERM)
            reader.join(timeout=600)
            assert results[-1].result.deal_count == 10_000_000
        assert process.process.wait(timeout=60) == 0
        events = [json.loads(line)["event"] for line in process.log_lines()]
        assert events[-1] == "stopped"
        assert "draining" in events


def test_grace_ends(tmp_path: Path) -> None:
    """A call that would take minutes is cut off after the grace period."""
    with running("oracle", tmp_path, grace_seconds="0.5") as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            steps = OracleStub(channel).Equity(long_request())
            next(steps)
            assert process.terminate() == 0
            with pytest.raises(grpc.RpcError):
                list(steps)


def cpu_seconds(process: ServiceProcess) -> float:
    fields = Path(f"/proc/{process.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_codes(process: ServiceProcess, *codes: str) -> None:
    """Wait until the log has calls that ended with these codes."""
    give_up = time.monotonic() + 30
    while not set(codes) <= {json.loads(line).get("code") for line in process.log_lines()}:
        assert time.monotonic() < give_up, "the end of the call was not noticed"
        time.sleep(0.05)


def wait_until_idle(process: ServiceProcess) -> None:
    """Wait until the oracle stops computing; the piece under way may still end."""
    give_up = time.monotonic() + 30
    while True:
        before = cpu_seconds(process)
        time.sleep(0.5)
        if cpu_seconds(process) - before < 0.1:
            return
        assert time.monotonic() < give_up, "it continued computing"


@pytest.mark.parametrize("how", ["cancelled", "expired", "vanished"])
def test_an_abandoned_call_stops_computing(own_oracle: ServiceProcess, how: str) -> None:
    channel = grpc.insecure_channel(own_oracle.address)
    steps = OracleStub(channel).Equity(long_request(), timeout=1.5 if how == "expired" else None)
    next(steps)
    if how == "cancelled":
        steps.cancel()
    if how == "vanished":
        channel.close()
    if how == "expired":
        with pytest.raises(grpc.RpcError) as caught:
            list(steps)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    wait_for_codes(own_oracle, "DEADLINE_EXCEEDED" if how == "expired" else "CANCELLED")
    wait_until_idle(own_oracle)


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("Equity", pb.EquityRequest(hero=pb.Range(text="random"), opponents=[pb.Range(text="22+")] * 2, board="2c3d4h",
                                    exact=pb.EquityRequest.Exact())),
        ("Utility", pb.UtilityRequest(board="2c3d4h")),
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[1, 2], rollout_count=10_000_000)),
        ("CheatSheet", pb.CheatSheetRequest(opponent_counts=[9], rollout_count=10_000_000)),
    ],
)  # fmt: skip
def test_every_long_call_can_be_stopped(own_oracle: ServiceProcess, method: str, request_: Any) -> None:
    with grpc.insecure_channel(own_oracle.address) as channel:
        steps = getattr(OracleStub(channel), method)(request_)
        time.sleep(0.1)  # it computes
        steps.cancel()
        wait_for_codes(own_oracle, "CANCELLED")
        wait_until_idle(own_oracle)
        assert OracleStub(channel).ListDecks(pb.ListDecksRequest(), timeout=10).decks, "other clients are served"


def test_streams_that_nobody_reads_do_no_harm(own_oracle: ServiceProcess) -> None:
    """Clients that do not read, or cancel at once, do not keep others from being served."""
    for _ in range(5):
        with grpc.insecure_channel(own_oracle.address) as channel:
            stub = OracleStub(channel)
            unread = [stub.Utility(pb.UtilityRequest(board="2c3d4h5s6c")) for _ in range(2)]
            time.sleep(0.1)
            for steps in unread[1:]:
                steps.cancel()
            assert stub.ListDecks(pb.ListDecksRequest(), timeout=10).decks
    assert own_oracle.process.poll() is None
    with grpc.insecure_channel(own_oracle.address) as channel:
        give_up = time.monotonic() + 20
        while True:  # soon below the limit again
            try:
                assert list(OracleStub(channel).Utility(pb.UtilityRequest(board="2c3d4h5s6c"), timeout=10))
                break
            except grpc.RpcError:
                assert time.monotonic() < give_up
                time.sleep(0.1)


def test_long_calls_do_not_block_short_ones_and_are_limited(own_oracle: ServiceProcess) -> None:
    with grpc.insecure_channel(own_oracle.address) as channel:
        stub = OracleStub(channel)
        long_calls = [stub.Equity(long_request()) for _ in range(2)]
        for steps in long_calls:
            next(steps)  # both make progress on one worker
        for _ in range(20):
            response = stub.Classify(pb.ClassifyRequest(hands=["AhKhQhJhTh"]), timeout=10)
            assert response.classifications[0].words == "royal flush"
        with pytest.raises(grpc.RpcError) as caught:
            list(stub.Equity(long_request()))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "2 long calls are open" in (caught.value.details() or "")
        for steps in long_calls:
            steps.cancel()
        give_up = time.monotonic() + 20
        while True:  # soon below the limit again
            try:
                *_, last = stub.Equity(long_request(1000))
                break
            except grpc.RpcError:
                assert time.monotonic() < give_up
                time.sleep(0.1)
        assert last.result.deal_count == 1000


def test_whoever_watches_its_health_leaves_room_for_others(tmp_path: Path) -> None:
    with running("oracle", tmp_path, calls="8") as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            watched = [health.Watch(health_pb2.HealthCheckRequest(), timeout=60) for _ in range(7)]
            for stream in watched:
                next(stream)
            with pytest.raises(grpc.RpcError, match="7 streams are open"):
                next(health.Watch(health_pb2.HealthCheckRequest(), timeout=60))
            assert OracleStub(channel).ListDecks(pb.ListDecksRequest(), timeout=60).decks


def test_a_deadline_in_the_past_does_no_harm(own_oracle: ServiceProcess) -> None:
    with grpc.insecure_channel(own_oracle.address) as channel:
        stub = OracleStub(channel)
        for _ in range(50):
            with pytest.raises(grpc.RpcError):
                list(stub.Equity(long_request(), timeout=0.001))
        assert stub.ListDecks(pb.ListDecksRequest(), timeout=10).decks


def start(**settings: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, **{f"RIVERBOAT_ORACLE_{name.upper()}": value for name, value in settings.items()}}
    return run_module("riverboat.services.oracle", env=environment)


def test_bad_settings_are_named() -> None:
    completed = start(workers="many", long_calls="0")
    assert completed.returncode == 2
    lines = completed.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("RIVERBOAT_ORACLE_WORKERS: ")
    assert lines[0].endswith("not 'many'")
    assert lines[1].startswith("RIVERBOAT_ORACLE_LONG_CALLS: ")


@pytest.mark.parametrize("address", ["", "nonsense", "127.0.0.1", "127.0.0.1:x", "unix:", "127.0.0.1:99999"])
def test_a_bad_address_is_named(address: str) -> None:
    completed = start(address=address)
    assert completed.returncode == 2
    assert completed.stderr.splitlines()[-1].startswith("RIVERBOAT_ORACLE_ADDRESS: ")


def test_help_lists_the_settings() -> None:
    completed = run_module("riverboat.services.oracle", "--help")
    assert completed.returncode == 0
    assert "RIVERBOAT_ORACLE_LONG_CALLS" in completed.stdout


def test_a_port_in_use_is_named(own_oracle: ServiceProcess) -> None:
    completed = start(address=own_oracle.address)
    assert completed.returncode == 2
    assert f"RIVERBOAT_ORACLE_ADDRESS: cannot listen on {own_oracle.address}" in completed.stderr.splitlines()[-1]
    assert own_oracle.health() == "SERVING"


@pytest.mark.parametrize(
    "service", ["oracle", *(pytest.param(name, marks=pytest.mark.slow) for name in ("gamemanager", "resolver"))]
)
def test_the_library_the_contracts_and_one_service_are_enough(tmp_path: Path, service: str) -> None:
    """Copy what an image has: riverboat, protos and one service."""
    image = tmp_path / "image"
    for part in ("riverboat", "protos", "services/__init__.py", f"services/{service}"):
        target = image / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, target, symlinks=True)  # links stay links to the copied folders
        else:
            shutil.copy(ROOT / part, target)
    # An editable install would hide what the image lacks.
    (image / "sitecustomize.py").write_text(
        "import sys\nsys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in getattr(f, '__module__', '')]\n"
    )
    more = {"RIVERBOAT_GAMEMANAGER_JOURNAL": str(tmp_path / "journal.jsonl")}
    with running(service, tmp_path, root=image, more=more, address=f"127.0.0.1:{free_port()}") as process:
        process.wait_until_healthy()
        assert process.terminate() == 0
