"""An oracle in JavaScript, written from the contract alone: it passes all checks, and a resolver works with it."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grpc
import numpy as np
import pytest

from riverboat.clients.conformance.resolver.common import floats, node, request_of, river, solved, turn
from riverboat.clients.conformance.server import Server, listens, open_channel
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.spots.spot import Spot
from tests.launching.launch import run_module
from tests.node import NEEDS_NODE, install_example
from tests.processes import ROOT, ServiceProcess, free_port, running

pytestmark = [pytest.mark.slow, NEEDS_NODE]
START_SECONDS = 60
CHECKS_SECONDS = 590


@pytest.fixture(scope="module")
def node_oracle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the oracle in JavaScript; give its address."""
    folder: Path = tmp_path_factory.mktemp("node-oracle")
    install_example("node-oracle", folder)
    address = f"127.0.0.1:{free_port()}"
    environment = {**os.environ, "RIVERBOAT_ROOT": str(ROOT)}
    with (folder / "log").open("wb") as sink:
        words = ["node", str(folder / "server.js"), address]
        process = subprocess.Popen(words, env=environment, stdout=sink, stderr=sink)
    try:
        with grpc.insecure_channel(address) as channel:
            assert listens(channel, START_SECONDS), (folder / "log").read_text()
        yield address
        assert process.poll() is None, (folder / "log").read_text()
    finally:
        process.kill()
        process.wait()


def test_it_passes_riverboat_conformance(node_oracle: str) -> None:
    words = ("conformance", "oracle", "--server", node_oracle, "--json")
    completed = run_module("riverboat.clients.console", *words, timeout=CHECKS_SECONDS)
    answer = json.loads(completed.stdout)
    wrong = [(check["method"], check["name"], check["sentence"]) for check in answer["checks"] if check["sentence"]]
    assert wrong == []
    assert answer["passed"] == answer["count"] > 100
    assert completed.returncode == 0


def what_it_finds(process: ServiceProcess, where: Spot) -> tuple[pb.SolveResponse, np.ndarray]:
    """Solve a spot; return the last message, and the strategy at the root."""
    with open_channel(process.address) as channel:
        server = Server(channel, "")
        with solved(server, request_of(where, 50)) as last:
            root = node(server, last.handle)
            return last, floats("the root", root.strategy, len(root.actions), where)


def test_a_resolver_finds_the_same_with_it(
    node_oracle: str, resolver_process: ServiceProcess, gamemanager_process: ServiceProcess, tmp_path: Path
) -> None:
    states = gamemanager_process.address
    with running("resolver", tmp_path, oracle_server=node_oracle, gamemanager_server=states) as process:
        process.wait_until_healthy()
        for where in (river(), turn()):
            (mine, strategy), (ours, wanted) = (what_it_finds(each, where) for each in (process, resolver_process))
            assert mine.evs == pytest.approx(ours.evs, abs=1e-3)
            assert mine.cost.exploitability == pytest.approx(ours.cost.exploitability, abs=1e-3)
            assert strategy == pytest.approx(wanted, abs=1e-3)
