"""The table of boards, number by number as its definition says."""

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import LEDUC
from riverboat.solving.board_table import lay_out
from riverboat.solving.layout import Layout
from riverboat.solving.subgame import I32, Subgame
from riverboat.spots.spot import Spot, build, street_start, whole_game


def subgame_of(board: str, seed: int | None) -> Subgame:
    weights = np.ones((2, 276), np.float32)
    if seed is not None:
        weights = np.random.default_rng(seed).integers(0, 3, (2, 276)).astype(np.float32)
    public = street_start(tuple(parse_cards(board)), 100, 300, deck="24")
    return build(Spot(public, weights, parse_bet_sizes("1p"))).subgame


@pytest.fixture(params=[("AsKs9s", None), ("AsKh9dTc", 1), ("AsKs9h9sTd", 2), None], ids=str)
def subgame(request: pytest.FixtureRequest) -> Subgame:
    """Flops with merged suits, ranges with gaps, a river, and holdings of one card."""
    if request.param is None:
        return build(whole_game(LEDUC, 13, parse_bet_sizes("all-in"))).subgame
    return subgame_of(*request.param)


def order_of(subgame: Subgame, board: int, player: int) -> I32:
    possible = np.flatnonzero(subgame.boards.live[board] & (subgame.weights[player] > 0))
    return possible[np.argsort(subgame.strengths[board][possible], kind="stable")].astype(np.int32)


def test_holdings_are_in_order_and_know_their_places(subgame: Subgame) -> None:
    layout = lay_out(subgame)
    table, boards = layout.boards, subgame.boards
    for board in range(boards.count):
        for player in (0, 1):
            own, other = order_of(subgame, board, player).tolist(), order_of(subgame, board, 1 - player).tolist()
            above = order_of(subgame, max(int(boards.parent[board]), 0), player).tolist()
            first, count = table.first[board, player], len(own)
            assert layout.holdings(board, player).tolist() == own
            assert table.up[first : first + count].tolist() == [above.index(holding) for holding in own]
            twins = [other.index(holding) if holding in other else -1 for holding in own]
            assert table.same[first : first + count].tolist() == twins
            mirrored = [above.index(int(mirror[holding])) for mirror in boards.mirrors[board] for holding in own]
            start = table.mirror_first[board, player]
            assert table.mirror[start : start + len(mirrored)].tolist() == mirrored


def test_fillings_point_where_nothing_is(subgame: Subgame) -> None:
    layout = lay_out(subgame)
    table = layout.boards
    for board in range(subgame.boards.count):
        width = layout.levels[max(int(table.level[board]) - 1, 0)].width
        for player in (0, 1):
            count = int(table.live_count[board, player])
            fillings = slice(table.first[board, player] + count, table.first[board, player] + -(-count // 16) * 16)
            assert set(layout.order[fillings].tolist()) <= {-1}
            assert set(table.up[fillings].tolist()) <= {width - 1}


def test_groups_say_what_is_beaten(subgame: Subgame) -> None:
    layout = lay_out(subgame)
    for board in range(subgame.boards.count):
        strengths = subgame.strengths[board].astype(int)
        for player in (0, 1):
            own, other = (strengths[order_of(subgame, board, who)] for who in (player, 1 - player))
            groups = groups_of(layout, board, player)
            assert [start for start, *_ in groups] + [len(own)] == [0] + [end for _, end, *_ in groups]
            for start, end, weaker, not_stronger in groups:
                assert len(set(own[start:end].tolist())) == 1
                assert weaker == (other < own[start]).sum()
                assert not_stronger == (other <= own[start]).sum()


def groups_of(layout: Layout, board: int, player: int) -> list[list[int]]:
    first, count = layout.boards.group_first[board, player], layout.boards.group_count[board, player]
    groups: list[list[int]] = layout.boards.groups[first : first + count].tolist()
    return groups
