"""A solver's two interfaces, implemented over gRPC and in process: the same spot gives the same bytes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import grpc
import numpy as np
import pytest

from riverboat.cards import format_cards
from riverboat.contracts.resolver import SpotQuestion
from riverboat.protos.gamemanager.v1.state_manager_pb2_grpc import StateManagerStub
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.rpc.convert.described_states import decode_described
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.tree import Depth, expand_betting
from riverboat.rules.variant import KUHN, LEDUC
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.builder import BuiltSubgame, build_subgame
from riverboat.solving.interfaces import Betting, DealtBoards, Terminals, Tree
from riverboat.solving.solution import fingerprint
from riverboat.spots.card_terminals import CardTerminals
from riverboat.spots.rules_tree import RulesTree
from riverboat.spots.spot import Spot, whole_game
from tests.conftest import LARGE
from tests.processes import ServiceProcess
from tests.unit.solving.games import golden, spot

_ALL_IN = parse_bet_sizes("all-in")
_MERGED = spot("TsTh9s9h", 60, 120, "/ / all-in / 1p", deck="24")
SPOTS: dict[str, Callable[[], Spot]] = {
    "kuhn": lambda: whole_game(KUHN, 2, _ALL_IN),
    "leduc": lambda: whole_game(LEDUC, 13, _ALL_IN),
    "a river": lambda: golden("river_srp")[0],
    "a turn": lambda: golden("turn_srp")[0],
    "a turn with merged suits": lambda: _MERGED,
    "a cut right after the deal": lambda: Spot(_MERGED.public, _MERGED.weights, _MERGED.sizes, Depth(3, 1)),
    "a cut at the deal": lambda: Spot(_MERGED.public, _MERGED.weights, _MERGED.sizes, Depth(3, 0)),
}


@dataclass(frozen=True, slots=True)
class Filling:
    """Both interfaces for one spot."""

    tree: Tree
    terminals: Terminals


@pytest.fixture(scope="module")
def upstream(oracle_process: ServiceProcess, gamemanager_process: ServiceProcess) -> Iterator[Upstream]:
    addresses = (oracle_process.address, gamemanager_process.address)
    oracle, states = (grpc.insecure_channel(address, options=LARGE) for address in addresses)
    with oracle, states:
        yield Upstream(OracleStub(oracle), StateManagerStub(states))


def over_grpc(upstream: Upstream, where: Spot) -> Filling:
    depth = (where.depth.street, where.depth.level) if where.depth else None
    state = decode_described(encode_state(where.public))
    question = SpotQuestion(state=state, bet_sizes=str(where.sizes), depth=depth)
    return Filling(upstream.tree(question), upstream.terminals(state.deck))


def in_process(where: Spot) -> Filling:
    expanded = expand_betting(where.public, where.sizes, where.depth)
    return Filling(RulesTree(expanded), CardTerminals(where.public.variant.deck))


def arrays_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield all arrays and numbers in a value, by name; arrays with their type and shape."""
    for field in fields(value):
        part = getattr(value, field.name)
        if isinstance(part, np.ndarray):
            yield field.name, (part.dtype, part.shape, part.tobytes())
        elif isinstance(part, tuple) and part and isinstance(part[0], np.ndarray):
            yield field.name, [(one.dtype, one.shape, one.tobytes()) for one in part]
        elif hasattr(part, "__dataclass_fields__"):
            yield from ((f"{field.name}.{name}", inner) for name, inner in arrays_of(part))
        else:
            yield field.name, part


def assert_same(one: Betting | DealtBoards, other: Betting | DealtBoards) -> None:
    ours, theirs = dict(arrays_of(one)), dict(arrays_of(other))
    assert ours.keys() == theirs.keys()
    for name, part in ours.items():
        assert part == theirs[name], name


def built(filling: Filling, where: Spot) -> BuiltSubgame:
    board = format_cards(where.public.board)
    return build_subgame(filling.tree.betting(), filling.terminals, board, where.weights)


@pytest.mark.parametrize("name", SPOTS)
def test_both_fillings_say_the_same(upstream: Upstream, name: str) -> None:
    where = SPOTS[name]()
    remote, local = over_grpc(upstream, where), in_process(where)
    assert_same(remote.tree.betting(), local.tree.betting())
    one, other = built(remote, where), built(local, where)
    assert_same(one.dealt, other.dealt)
    assert fingerprint(one.subgame) == fingerprint(other.subgame)
    assert one.subgame.utility is not None
    assert other.subgame.utility is not None
    some = np.flatnonzero(one.subgame.boards.live[0])[:5].astype(np.int32)
    utilities = [utility(0, some, some[1:]) for utility in (one.subgame.utility, other.subgame.utility)]
    assert utilities[0].shape == (len(some), len(some) - 1)
    assert utilities[0].tobytes() == utilities[1].tobytes()


def test_ranges_that_tell_suits_apart_are_not_merged(upstream: Upstream) -> None:
    weights = _MERGED.weights.copy()
    weights[0] = np.linspace(0.5, 1, weights.shape[1])
    where = Spot(_MERGED.public, weights, _MERGED.sizes)
    counts = {built(filling, where).dealt.boards.count for filling in (over_grpc(upstream, where), in_process(where))}
    assert counts == {21}, "the turn, and twenty rivers"
    assert built(in_process(_MERGED), _MERGED).dealt.boards.count < 21
