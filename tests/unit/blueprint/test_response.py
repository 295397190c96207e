"""Worth and best response: against the arena's exact exploitability, which asks for every decision."""

import numpy as np
import pytest

from riverboat.arena.bot import Strategy
from riverboat.arena.exploit import exploit
from riverboat.blueprint.player import blueprint_chances
from riverboat.blueprint.response import BoardSample, exploitability, worth
from riverboat.rules.state import View
from riverboat.rules.variant import KUHN, LEDUC
from tests.unit.blueprint.games import game_of, random_blueprint, tables_of_game

STACKS = {"kuhn": (KUHN, 2), "leduc": (LEDUC, 13)}
FEW = BoardSample(2, 2, 2)


def ask(name: str) -> Strategy:
    def answer(view: View) -> Strategy:
        chances = blueprint_chances(random_blueprint(name), view)
        assert chances is not None
        return Strategy(tuple(chances), np.array(list(chances.values())))

    return answer  # type: ignore[return-value]


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_exploitability_is_the_arenas(name: str) -> None:
    weights = random_blueprint(name).weights.astype(np.float32)
    variant, stack = STACKS[name]
    wanted = exploit(variant, stack, ask(name)).chips  # type: ignore[arg-type]
    rng = np.random.default_rng(0)
    assert exploitability(game_of(name), tables_of_game(name), weights, rng) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "24"])
def test_what_one_player_wins_the_other_loses_and_a_response_wins_more(name: str) -> None:
    game, tables = game_of(name), tables_of_game(name)
    weights = random_blueprint(name).weights.astype(np.float32)
    by_strategy = [worth(game, tables, weights, p, np.random.default_rng(1), sample=FEW) for p in (0, 1)]
    by_response = [worth(game, tables, weights, p, np.random.default_rng(1), responds=True, sample=FEW) for p in (0, 1)]
    assert sum(by_strategy) == pytest.approx(0, abs=0.02)
    assert all(best > plain for best, plain in zip(by_response, by_strategy, strict=True))


def test_progress_is_told_flop_by_flop() -> None:
    heard: list[float] = []
    weights = random_blueprint("24").weights.astype(np.float32)
    rng = np.random.default_rng(0)
    worth(game_of("24"), tables_of_game("24"), weights, 0, rng, sample=BoardSample(3, 1, 1), report=heard.append)
    assert heard == pytest.approx([1 / 3, 2 / 3, 1])
