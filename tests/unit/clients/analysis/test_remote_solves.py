"""The resolver service as a solver: what is read from its answers."""

from typing import Any, cast

import numpy as np
import pytest

from riverboat.clients.analysis.remote_solves import RemoteSolves
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import Cost, Resolved
from riverboat.resolving.solution import Passage, Solution
from riverboat.rules.betting import CALL
from riverboat.rules.state import start
from riverboat.rules.variant import no_limit
from riverboat.spots.spot import street_start

H = 276


class FakeClient:
    """Answers with numbers that say where they stand; the tree has three checks or calls, one after another."""

    def __init__(self, leaf: str) -> None:
        self.leaf = leaf
        self.paths: list[tuple[Any, ...]] = []

    def has_network(self, deck: str, street: str) -> bool:
        return bool(self.leaf)

    def resolve(self, *question: Any, path: Any = (), **more: Any) -> Resolved:
        depth = len(path)
        self.paths.append(tuple(path))
        return Resolved(
            action=CALL,
            actions=(CALL,),
            strategy=np.full((1, H), 0.5),
            own_range=np.ones(H),
            opponent_range=np.ones(H),
            values=np.array([np.full(H, 10.0), np.full(H, 11.0)]),
            opponent_values=np.full(H, 100.0 + depth),
            actor_values=np.full(H, 200.0 + depth),
            cost=Cost(
                iterations=7,
                exploitability=0.0,
                solving_seconds=0.0,
                total_seconds=0.0,
                line_count=1,
                board_count=1,
                byte_count=1,
                is_partial=False,
                leaf=self.leaf,
            ),
            replies=(CALL,) if depth < 3 else (),
            reply_strategy=np.full((1, H), depth / 10),
        )


def solves_of(client: FakeClient) -> RemoteSolves:
    return RemoteSolves(cast("ResolverClient", client))


def values_after(solution: Solution) -> set[float]:
    values = solution.opponent_values(Passage(CALL))
    assert values is not None
    return set(values.tolist())


@pytest.mark.parametrize("board", ["", "flop"])
def test_values_of_a_start_are_those_of_the_opponents_seat(board: str) -> None:
    """The button acts first before the flop, the big blind after it; the other one asks."""
    first = start(no_limit(50, 100, deck="24"), [10_000, 10_000])
    public = first if not board else first.play(CALL).play(CALL).deal((51, 46, 34))
    opponent = public.actor
    assert opponent is not None
    assert opponent == (0 if board else 1)
    solved = solves_of(FakeClient("")).solve_start(public, np.ones(H), np.ones(H), opponent)
    assert set(solved.opponent_values) == {10.0 + opponent}


def test_a_followed_solution_speaks_for_the_player_who_acts() -> None:
    client = FakeClient("")
    public = street_start((51, 46, 34, 36), 200, 900, deck="24")
    solution = solves_of(client).solve_start(public, np.ones(H), np.ones(H), 0).solution
    second = solution.follow((CALL,))
    assert second is not None
    assert (second.actions, second.strategy[0, 0]) == ((CALL,), 0.1)
    assert values_after(second) == {202.0}, "the first player's, after its check and the second's"
    assert client.paths[-1] == (CALL, CALL)
    third = second.follow((CALL,))
    assert third is not None
    assert third.strategy[0, 0] == 0.2
    assert values_after(third) == {103.0}


def test_what_a_tree_lacks_is_not_followed() -> None:
    public = street_start((51, 46, 34, 36), 200, 900, deck="24")
    solution = solves_of(FakeClient("")).solve_start(public, np.ones(H), np.ones(H), 0).solution
    assert solution.follow((300,)) is None
    assert solution.follow((CALL, CALL, CALL)) is None, "nobody acts there"
    cut = solves_of(FakeClient("24-turn")).solve_start(public, np.ones(H), np.ones(H), 0).solution
    assert cut.follow((CALL,)) is None
