"""Abstract games: their trees come from the rules, and nonsense is refused."""

import numpy as np
import pytest

from riverboat.blueprint.game import AbstractGame
from riverboat.errors import InvalidInput
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import ACT, FOLDED, SHOWDOWN
from tests.unit.blueprint.games import game_of


def test_the_trees_of_small_games_are_known() -> None:
    kuhn, leduc = game_of("kuhn"), game_of("leduc")
    assert (len(kuhn.tree.kind), kuhn.groups_by_street, kuhn.entry_count) == (9, (3,), 24)
    assert leduc.groups_by_street == (3, 9)
    assert set(kuhn.tree.stake[kuhn.tree.kind == SHOWDOWN].tolist()) == {1.0, 2.0}
    assert set(kuhn.tree.stake[kuhn.tree.kind == FOLDED].tolist()) == {1.0}


@pytest.mark.parametrize("name", ["kuhn", "leduc", "24"])
def test_entries_follow_one_another_without_gaps(name: str) -> None:
    game = game_of(name)
    at = 0
    for node in np.flatnonzero(game.tree.kind == ACT).tolist():
        assert game.tree.row[node] == at
        at += int(game.tree.child_count[node]) * game.groups_by_street[game.tree.street[node]]
    assert at == game.entry_count


@pytest.mark.parametrize("groups", [(), (5, 5), (0, 5, 5), (5, 5, 5_001)])
def test_unknown_group_counts_are_refused(groups: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="group_counts"):
        AbstractGame(deck="24", stack=2_000, sizes=parse_bet_sizes("1p"), group_counts=groups)
