"""Trees, compared with the engine and with published counts, and their limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.cards import parse_cards
from riverboat.errors import IllegalAction, InvalidInput, TooLarge
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import ACT, CHANCE, FOLDED, SHOWDOWN
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState, start
from riverboat.rules.tree import LEAF, Depth, PublicTree, count_nodes, expand
from riverboat.rules.variant import KUHN, LEDUC, no_limit
from tests.unit.rules.hands import play_out, seeds

SIZES = parse_bet_sizes("0.5p 1p / 1p all-in / all-in")


def check_against_engine(tree: PublicTree) -> None:
    """Check that every node's state is the engine's state after the action that leads to it."""
    for node in range(tree.node_count):
        state = tree.state(node)
        children = range(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
        assert all(tree.parent[child] == node for child in children)
        if tree.kind[node] == ACT:
            assert tuple(tree.action[child] for child in children) == restricted_actions(state, SIZES)
            for child in children:
                assert tree.state(child) == state.play(int(tree.action[child]))
        elif tree.kind[node] == CHANCE:
            for child in children:
                after = tree.state(child)
                assert after == state.deal(after.board[len(state.board) :])
            assert len({tree.state(child).board for child in children}) == len(children) > 0
        else:
            assert not children
            over = state.is_over or sum(map(bool, np.array(state.stacks) * ~np.array(state.folded))) < 2
            assert over or tree.kind[node] == LEAF


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(0, 30), st.integers(0, 2), st.integers(0, 3))
def test_the_tree_s_states_are_the_engine_s_along_every_path(seed: int, step: int, ahead: int, level: int) -> None:
    states = [hand.public for hand, action in play_out(seed) if action is not None]
    if not states:
        return
    root = states[min(step, len(states) - 1)]
    depth = Depth(min(root.street + ahead, len(root.variant.streets)), level)
    rng = np.random.default_rng(seed)
    if count_nodes(root, SIZES, depth, 2) > 3000:
        return
    tree = expand(root, SIZES, depth, boards=2, rng=rng)
    assert tree.node_count == count_nodes(root, SIZES, depth, 2)
    assert tree.parent[0] == -1
    check_against_engine(tree)


def test_kuhn() -> None:
    """The nine public nodes of Kuhn poker."""
    tree = expand(start(KUHN, [2, 2]), SIZES)
    assert tree.node_count == 9
    assert np.count_nonzero(tree.kind == FOLDED) == 2
    assert np.count_nonzero(tree.kind == SHOWDOWN) == 3
    check_against_engine(tree)


def test_leduc_has_the_information_sets_that_are_published() -> None:
    """936 with suits distinguished: each decision times the cards that the actor may hold."""
    tree = expand(start(LEDUC, [100, 100]), SIZES)
    decisions = tree.kind == ACT
    first = np.count_nonzero(decisions & (tree.street == 0))
    second = np.count_nonzero(decisions & (tree.street == 1))
    assert first * 6 + second * 5 == 936


def whole_turn() -> PublicState:
    state = start(no_limit(50, 100), [20_000, 20_000]).play(0).play(0).deal(parse_cards("Td9d2c"))
    return state.play(0).play(0).deal(parse_cards("5h"))


def test_all_boards_or_some() -> None:
    turn = whole_turn()
    every = expand(turn, parse_bet_sizes("1p"), Depth(3, 1))
    assert len(every.boards) == 1 + 48
    some = expand(turn, parse_bet_sizes("1p"), Depth(3, 1), boards=5, rng=np.random.default_rng(3))
    again = expand(turn, parse_bet_sizes("1p"), Depth(3, 1), boards=5, rng=np.random.default_rng(3))
    assert len(some.boards) == 1 + 5
    assert np.array_equal(some.boards, again.boards)
    assert np.array_equal(some.board_sizes, [4, 5, 5, 5, 5, 5])


def test_depth_cuts_where_seed_1_says() -> None:
    """Cut at level 1 of the next street: the deal is level 0, and the nodes after it are leaves."""
    turn = whole_turn()
    tree = expand(turn, parse_bet_sizes("1p"), Depth(3, 1), boards=2, rng=np.random.default_rng(0))
    leaves = tree.kind == LEAF
    assert set(tree.street[leaves]) == {3}
    assert (tree.kind[tree.parent[leaves]] == CHANCE).all()
    shallow = expand(turn, parse_bet_sizes("1p"), Depth(3, 0))
    assert set(shallow.street) == {2}
    assert not (shallow.kind == CHANCE).any()
    one = expand(turn, parse_bet_sizes("1p"), Depth(2, 2))
    assert list(one.kind) == [ACT, LEAF, LEAF]


def test_all_in_before_the_river_is_a_showdown_there() -> None:
    tree = expand(whole_turn(), parse_bet_sizes("all-in"), Depth(4, 0), boards=1, rng=np.random.default_rng(0))
    over = (tree.kind == SHOWDOWN) & (tree.street == 2)
    assert over.any()
    assert (tree.pot[over] == 40_000).all()


def test_size_is_counted_before_it_is_built() -> None:
    root = start(no_limit(50, 100), [20_000, 20_000])
    sizes = parse_bet_sizes("0.5p 1p 2p all-in")
    assert count_nodes(root, sizes) > 1_000_000
    with pytest.raises(TooLarge, match="the tree has 25,394,642,366,734 nodes; the limit is 1,000,000"):
        expand(root, sizes)
    long = start(no_limit(1, 2), [4100, 4100])
    assert count_nodes(long, parse_bet_sizes("1"), Depth(1, 0)) == 12_298
    deep = start(no_limit(1, 2), [10**14, 10**14])
    assert count_nodes(deep, parse_bet_sizes("0.01p")) > 1_000_000


def test_what_has_no_tree() -> None:
    root = start(KUHN, [2, 2])
    with pytest.raises(IllegalAction, match="the hand is over"):
        expand(root.play(0).play(0), SIZES)
    with pytest.raises(InvalidInput, match="depth"):
        expand(whole_turn(), SIZES, Depth(1, 0))
    with pytest.raises(InvalidInput, match="boards"):
        expand(root, SIZES, boards=2)
