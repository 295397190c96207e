"""The memory that a resolver counts for a spot, compared with its process."""

import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.spots.spot import street_start
from tests.conftest import LARGE
from tests.processes import ServiceProcess, running

# Not counted: answers of the oracle and the state manager, messages, threads of onnxruntime, and free memory that the
# allocator holds. None of it grows with the tree.
MARGIN = 24_000_000
WIDE = "0.3p 0.5p 0.8p 1.5p all-in; 0.3p 0.5p 1p all-in"
EVERYTHING = np.ones(2 * 276, "<f4").tobytes()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc"),
]


@pytest.fixture(scope="module")
def process(
    oracle_process: ServiceProcess, gamemanager_process: ServiceProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """Yield a separate resolver, not a fork, so that its peak includes neither other tests' spots nor shared memory."""
    folder, oracle, states = tmp_path_factory.mktemp("memory"), oracle_process.address, gamemanager_process.address
    with running("resolver", folder, fresh=True, oracle_server=oracle, gamemanager_server=states) as resolver:
        resolver.wait_until_healthy()
        yield resolver


def solved(process: ServiceProcess, board: str, sizes: str, depth: tuple[int, int] | None) -> pb.Cost:
    """Solve and release a spot with 24 cards; return its cost."""
    state = encode_state(street_start(tuple(parse_cards(board)), 200, 4000, deck="24", big_blind=10))
    cut = rules_pb.Subtree.Depth(street=depth[0], level=depth[1]) if depth else None
    spot = pb.Spot(state=state, bet_sizes=sizes, depth=cut)
    with grpc.insecure_channel(process.address, options=LARGE) as channel:
        stub = ResolverStub(channel)
        request = pb.SolveRequest(spot=spot, ranges=EVERYTHING, budget=pb.Budget(iterations=2))
        *_, last = stub.Solve(request, timeout=120)
        stub.ReleaseSolution(pb.ReleaseSolutionRequest(handle=last.handle), timeout=60)
    cost: pb.Cost = last.cost
    return cost


def memory_of(process: ServiceProcess, name: str) -> int:
    """Return a process's memory in bytes: VmRSS is the current value, VmHWM the peak."""
    lines = Path(f"/proc/{process.process.pid}/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))


def forget_peak(process: ServiceProcess) -> None:
    """Reset the peak to the current memory."""
    Path(f"/proc/{process.process.pid}/clear_refs").write_text("5")


@pytest.mark.parametrize(
    ("board", "sizes", "depth", "leaf"),
    [
        ("TsTh9s", f"/ {WIDE}", (2, 1), "24-turn"),  # a network right after the deal: many leaves on many boards
        ("TsTh9sKd", "/ / 0.5p 1p all-in", None, ""),  # nothing is cut
    ],
)
def test_the_peak_of_a_process_is_within_what_was_counted(
    process: ServiceProcess, board: str, sizes: str, depth: tuple[int, int] | None, leaf: str
) -> None:
    small = "/ 1p" if depth else "/ / 1p"
    assert solved(process, board, small, depth).leaf.startswith(leaf)  # kernels and networks are loaded from now on
    forget_peak(process)
    before = memory_of(process, "VmRSS")
    cost = solved(process, board, sizes, depth)
    growth = memory_of(process, "VmHWM") - before
    assert cost.leaf.startswith(leaf)
    assert growth <= cost.bytes + MARGIN
    assert cost.bytes > 2 * MARGIN  # large compared with the margin
