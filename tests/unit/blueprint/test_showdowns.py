"""Terminals against a slow twin: one opponent's holding at a time."""

import numpy as np
import pytest

from riverboat.blueprint.deals import empty_live, write_live
from riverboat.blueprint.showdowns import write_fold, write_showdown
from riverboat.strength.hands import strength_of
from tests.unit.blueprint.games import game_of, tables_of_game


@pytest.mark.parametrize("name", ["kuhn", "leduc", "24"])
@pytest.mark.parametrize("seed", [0, 1])
def test_values_are_those_of_each_pair(name: str, seed: int) -> None:
    game, rng = game_of(name), np.random.default_rng(seed)
    deck = game.variant.deck
    board = tuple(rng.permutation(deck.cards)[: deck.board_sizes[-1]].tolist())
    live = empty_live(game.holding_count, len(game.groups_by_street))
    n = write_live(np.array(board, np.uint8), tables_of_game(name), live)
    cards = [{int(live.first_card[h]), int(live.second_card[h])} for h in range(n)]
    strengths = np.array([strength_of(deck, (*held, *board)) for held in cards])
    reach = rng.random(n).astype(np.float32)
    apart = np.array([[not (a & b) for b in cards] for a in cards])
    out = np.empty(n, np.float32)
    write_fold(live, n, reach, -3.0, out)
    assert np.allclose(out, -3.0 * (apart @ reach), rtol=1e-4, atol=1e-3)
    write_showdown(live, n, reach, 2.0, out)
    signs = np.sign(strengths[:, None] - strengths[None, :])
    assert np.allclose(out, 2.0 * ((apart * signs) @ reach), rtol=1e-4, atol=1e-3)
