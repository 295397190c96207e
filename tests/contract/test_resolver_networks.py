"""The resolver with a network below the cut."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import numpy as np
import pytest

from riverboat.cards import DECKS, parse_cards
from riverboat.holdings import holding_index
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rules.state import start
from riverboat.rules.variant import no_limit
from riverboat.spots.spot import street_start
from tests.conftest import LARGE
from tests.processes import ServiceProcess, running
from tests.unit.nets.tiny import about, tiny_network, write_network


def state(board: str) -> rules_pb.State:
    return encode_state(street_start(tuple(parse_cards(board)), 200, 1000, deck="24", big_blind=10))


START = encode_state(start(no_limit(50, 100, deck="24"), [10_000, 10_000]))
FLOP, POT_LIMIT = state("TsTh9s"), state("TsTh9s")
POT_LIMIT.variant.structure = rules_pb.STRUCTURE_POT_LIMIT
WEIGHTS = np.ones(276, "<f4").tobytes()


@pytest.fixture(scope="module")
def resolver(
    oracle_process: ServiceProcess, gamemanager_process: ServiceProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ResolverStub]:
    """Yield a client of a resolver with a network for the turn that no other has, and one that it refuses."""
    folder: Path = tmp_path_factory.mktemp("networks")
    write_network(folder, "turn", tiny_network(about("24", "turn"), factor=0.0))
    write_network(folder, "preflop", tiny_network(about("24", "preflop"), factor=0.0))
    write_network(folder, "old", tiny_network(about("24", "turn", layout=77)))
    needed = oracle_process.address, gamemanager_process.address
    with running(
        "resolver", folder, oracle_server=needed[0], gamemanager_server=needed[1], networks=str(folder), shipped="false"
    ) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address, options=LARGE) as channel:
            yield ResolverStub(channel)


def resolved(
    resolver: ResolverStub, public: rules_pb.State = FLOP, leaf: str = "", depth: tuple[int, int] | None = None
) -> pb.ResolveResponse:
    cut = rules_pb.Subtree.Depth(street=depth[0], level=depth[1]) if depth else None
    spot = pb.Spot(state=public, bet_sizes="1p", leaf=leaf, depth=cut)
    budget = pb.Budget(iterations=10)
    request = pb.ResolveRequest(spot=spot, own_range=WEIGHTS, opponent_range=WEIGHTS, budget=budget)
    return resolver.Resolve(request, timeout=60)


def test_networks_and_what_was_refused_are_listed(resolver: ResolverStub) -> None:
    answer = resolver.ListNetworks(pb.ListNetworksRequest(), timeout=30)
    assert not answer.networks
    assert [(network.deck, network.street, network.held_out_loss) for network in answer.by_name] == [
        ("24", "preflop", 0.02),
        ("24", "turn", 0.02),
    ]
    for network in answer.by_name:
        assert network.yardstick.startswith(f"24-{network.street}-")
        assert 0.02 < network.huber < network.error < 1
        assert "on the yardstick, equity 0.0" in network.reason
    assert ["layout" in refused.reason for refused in answer.refused] == [True]


def test_a_network_that_equity_beats_is_used_where_one_is_asked_for(resolver: ResolverStub) -> None:
    assert resolved(resolver).cost.leaf == "equity"
    assert resolved(resolver, depth=(2, 1)).cost.leaf == "equity"
    name = resolved(resolver, leaf="network").cost.leaf
    assert name.startswith("24-turn-")
    assert resolved(resolver, leaf=name).cost.leaf == name
    assert resolved(resolver, leaf=name).strategy == resolved(resolver, leaf="network").strategy


def test_before_the_flop_a_network_is_asked_at_the_deal(resolver: ResolverStub) -> None:
    """A preflop network covers all flops, so nothing is dealt."""
    name = resolved(resolver, START, "network").cost.leaf
    for leaf, depth in (("network", None), (name, None), ("network", (1, 0))):
        cost = resolved(resolver, START, leaf, depth).cost
        assert cost.leaf.startswith("24-preflop-")
        assert cost.board_count == 1
    assert resolved(resolver, START, leaf="equity").cost.leaf == "equity"


def test_all_ins_before_the_flop_are_compared_not_estimated(resolver: ResolverStub) -> None:
    """With a network whose values are all 0, aces still win their all-in equity."""
    two_blinds = encode_state(start(no_limit(50, 100, deck="24"), [200, 200]))
    answer = resolved(resolver, two_blinds, "network")
    assert answer.cost.leaf.startswith("24-preflop-")
    aces = holding_index(DECKS["24"], parse_cards("AsAh"))
    strategy = np.frombuffer(answer.strategy, "<f4").reshape(-1, 276)[:, aces]
    assert answer.actions[-1].raise_to == 200
    assert strategy[-1] > 0.9


def test_equity_where_that_is_asked_for_or_the_cut_is_another(resolver: ResolverStub) -> None:
    assert resolved(resolver, leaf="equity").cost.leaf == "equity"
    assert resolved(resolver, depth=(2, 0)).cost.leaf == "equity"
    assert resolved(resolver, leaf="equity", depth=(2, 1)).cost.leaf == "equity"


def test_a_network_changes_what_is_played(resolver: ResolverStub) -> None:
    """All values of this network are 0, so nobody pays to see the next street."""
    with_network, without = resolved(resolver, leaf="network"), resolved(resolver, leaf="equity")
    assert with_network.strategy != without.strategy


def test_nothing_is_cut_on_the_river(resolver: ResolverStub) -> None:
    assert resolved(resolver, state("TsTh9sKdQc")).cost.leaf == ""


@pytest.mark.parametrize("leaf", ["equity", "network"])
@pytest.mark.parametrize(("public", "depth"), [(FLOP, (1, 0)), (FLOP, (1, 1)), (FLOP, (0, 0)), (START, (0, 1))])
def test_a_cut_is_on_a_later_street(
    resolver: ResolverStub, public: rules_pb.State, depth: tuple[int, int], leaf: str
) -> None:
    """A spot cut at its root would have nothing to solve, but look solved."""
    with pytest.raises(grpc.RpcError) as caught:
        resolved(resolver, public, leaf=leaf, depth=depth)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "spot.depth" in str(caught.value.details())


@pytest.mark.parametrize(
    ("public", "leaf", "depth"),
    [
        (FLOP, "nonsense", None),
        (FLOP, "24-turn-00000000", None),  # an unknown network
        (FLOP, "24-turn-00000000", (2, 0)),
        (FLOP, "network", (2, 0)),
        (FLOP, "network", (3, 1)),
        (POT_LIMIT, "network", None),
    ],
)
def test_where_no_network_fits_it_is_refused(
    resolver: ResolverStub, public: rules_pb.State, leaf: str, depth: tuple[int, int] | None
) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        resolved(resolver, public, leaf, depth)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "leaf" in (caught.value.details() or "")


def test_a_network_for_another_street_is_refused_by_name(resolver: ResolverStub) -> None:
    preflop = resolved(resolver, START, "network").cost.leaf
    with pytest.raises(grpc.RpcError) as caught:
        resolved(resolver, FLOP, preflop)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "spot.leaf: no network fits" in (caught.value.details() or "")


def test_pot_limit_is_estimated_by_equity(resolver: ResolverStub) -> None:
    assert resolved(resolver, POT_LIMIT).cost.leaf == "equity"


def test_a_saved_solution_needs_what_lay_below_its_cut(
    resolver: ResolverStub, resolver_process: ServiceProcess
) -> None:
    cut = rules_pb.Subtree.Depth(street=1, level=0)
    saved = {}
    for leaf in ("network", "equity"):
        spot = pb.Spot(state=START, bet_sizes="1p", leaf=leaf, depth=cut)
        request = pb.SolveRequest(spot=spot, ranges=WEIGHTS + WEIGHTS, budget=pb.Budget(iterations=5))
        *_, last = resolver.Solve(request, timeout=60)
        parts = resolver.SaveSolution(pb.SaveSolutionRequest(handle=last.handle), timeout=60)
        saved[leaf] = b"".join(part.chunk for part in parts)
    with grpc.insecure_channel(resolver_process.address, options=LARGE) as channel:
        other = ResolverStub(channel)  # which has another network
        loaded = other.LoadSolution(iter([pb.LoadSolutionRequest(chunk=saved["equity"])]), timeout=60)
        assert loaded.solved.cost.leaf == "equity"
        with pytest.raises(grpc.RpcError) as caught:
            other.LoadSolution(iter([pb.LoadSolutionRequest(chunk=saved["network"])]), timeout=60)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "24-preflop-" in (caught.value.details() or "")
