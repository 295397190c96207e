"""Push or fold against what is known of it, and against itself."""

from functools import cache

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.pushfold.game import (
    CLASS_SIZES,
    CLASSES,
    PushFoldError,
    PushFoldGame,
    PushFoldStrategy,
    class_table,
    decision_of,
)
from riverboat.pushfold.self_play import solve

DEALS = 600_000


@cache
def solved(players: int, stack: float, ante: float = 0.0) -> tuple[PushFoldStrategy, PushFoldError]:
    steps = solve(PushFoldGame(player_count=players, stack=stack, ante=ante), DEALS, np.random.default_rng(1))
    done = []
    while True:
        try:
            done.append(next(steps))
        except StopIteration as end:
            assert done == sorted(done)
            assert done[0] >= 0
            assert done[-1] < 1
            strategy, error = end.value
            return strategy, error


def test_two_players_with_ten_big_blinds_come_near_to_the_published_equilibrium() -> None:
    """It goes all-in with 58.3 % and calls with 37.4 %."""
    strategy, error = solved(2, 10)
    assert strategy.overall(0) == pytest.approx(0.583, abs=0.02)
    assert strategy.overall(1, 1) == pytest.approx(0.374, abs=0.02)
    assert error.largest < 2
    pushes, calls = strategy.shares(0), strategy.shares(1, 1)
    for shares in (pushes, calls):
        assert min(shares[label] for label in ("AA", "KK", "AKs", "99")) > 0.95
        assert shares["72o"] < 0.05
    assert strategy.overall(0) > strategy.overall(1, 1), "a push may win without a call"


def test_earlier_positions_and_deeper_stacks_push_less_and_an_ante_pushes_more() -> None:
    strategy, _ = solved(4, 10)
    opens = [strategy.overall(place) for place in range(3)]
    assert opens == sorted(opens)
    assert strategy.overall(3, 0b001) < strategy.overall(3, 0b100), "an early push is stronger"
    assert solved(2, 20)[0].overall(0) < solved(2, 10)[0].overall(0) < solved(2, 10, 0.5)[0].overall(0)


def test_the_same_seed_gives_the_same_strategy() -> None:
    game = PushFoldGame(player_count=3, stack=8)

    def run() -> PushFoldStrategy:
        steps = solve(game, 20_000, np.random.default_rng(7))
        while True:
            try:
                next(steps)
            except StopIteration as end:
                strategy: PushFoldStrategy = end.value[0]
                return strategy

    assert np.array_equal(run().push, run().push)


def test_places() -> None:
    assert [decision_of(0, 0), decision_of(1, 0), decision_of(1, 1), decision_of(2, 0)] == [0, 1, 2, 3]
    assert len(CLASSES) == 169
    assert CLASS_SIZES.sum() == 1326
    table = class_table()
    assert CLASSES[table[51, 47]] == "AKs"
    assert np.array_equal(table, table.T)
    assert PushFoldGame(player_count=3, stack=5).positions == ("BTN", "SB", "BB")
    assert PushFoldGame(player_count=2, stack=5, ante=0.1).posted.tolist() == [0.6, 1.1]


@pytest.mark.parametrize(("players", "stack", "ante"), [(1, 10, 0), (10, 10, 0), (2, 1, 0), (2, 10, 9.5)])
def test_games_that_there_are_not(players: int, stack: float, ante: float) -> None:
    with pytest.raises(InvalidInput):
        PushFoldGame(player_count=players, stack=stack, ante=ante)
