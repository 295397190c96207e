"""Tracing calls across real services: request ids in logs, and metrics."""

import json
import urllib.request
from pathlib import Path
from typing import Any

import grpc

from riverboat.clients.console.commands import solve as solve_command
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from tests.commands import run_command
from tests.contract.test_tables import CALL, config, decide, join, wait_for_turn
from tests.processes import ServiceProcess, free_port, running

SPOT = ["--deck", "24", "--pot", "60", "--stack", "120", "--sizes", "50%,a", "--target", "20%"]


def calls_of(process: ServiceProcess) -> list[dict[str, Any]]:
    """Return the calls in a log."""
    lines = [json.loads(line) for line in process.log_lines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "call"]


def test_a_question_is_followed_from_the_console_to_the_oracle(
    resolver_process: ServiceProcess, oracle_process: ServiceProcess, gamemanager_process: ServiceProcess
) -> None:
    """A board that no other test asks about, so that the resolver has to call its upstream services."""
    code, text = run_command(
        [solve_command], "solve", "--server", resolver_process.address, "--board", "9hTcJd9s9c", *SPOT
    )
    assert code == 0, text
    solved = [call for call in calls_of(resolver_process) if call["method"].endswith("/Solve")][-1]
    followed = {
        process.address: {call["method"].rpartition("/")[2] for call in calls_of(process)
                          if call["request_id"] == solved["request_id"]}
        for process in (oracle_process, gamemanager_process)
    }  # fmt: skip
    assert {"FollowingBoards", "Strengths"} <= followed[oracle_process.address]
    assert "ExpandSubtree" in followed[gamemanager_process.address]


def test_a_game_manager_s_metrics(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    settings: dict[str, Any] = {"journal": str(tmp_path / "journal.jsonl"), "metrics_address": address}
    with running("gamemanager", tmp_path, **settings) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            tables = TablesStub(channel)
            made = tables.CreateTable(pb.CreateTableRequest(config=config(pause_ms=60_000)))
            tokens = [join(tables, made.table.table_id, name) for name in ("ann", "bob")]
            for _ in range(8):  # one hand, to its showdown
                token, seen = wait_for_turn(tables, tokens)
                tables.TakeAction(pb.TakeActionRequest(token=token, decision=decide(seen, CALL)))
        with urllib.request.urlopen(f"http://{address}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        assert "riverboat_tables_open 1.0" in lines
        assert "riverboat_hands_finished_total 1.0" in lines
        assert "riverboat_agents_attending 0.0" in lines
        taken = 'riverboat_calls_total{code="OK",method="/riverboat.gamemanager.v1.Tables/TakeAction"} 8.0'
        assert taken in lines
        assert any(line.startswith("process_resident_memory_bytes") for line in lines)
        assert process.terminate() == 0
