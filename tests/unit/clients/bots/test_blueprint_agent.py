"""The agent that plays blueprints: which one it takes, where rollouts decide instead, and what is refused."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from riverboat.arena.match import Match, play_match
from riverboat.blueprint.card import blueprint_card
from riverboat.blueprint.file_format import write_blueprint
from riverboat.blueprint.sampling import SelfPlayRecipe
from riverboat.clients.bots.agents.blueprint import BlueprintAgent
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.blueprints.shelf import (
    blueprint_named,
    blueprint_of,
    blueprints_in,
    fitting_blueprint,
    shelf,
    why_not,
)
from riverboat.errors import InvalidInput, NotFound
from riverboat.holdings import live_holdings
from riverboat.marks import Mark, mark_of
from riverboat.rules.state import View, start, start_random
from riverboat.rules.variant import Variant, fixed_limit, no_limit
from tests.unit.blueprint.games import random_blueprint

GAME = no_limit(50, 100, deck="24")
STACK = 2_000
NAME = "24-2000-test"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put a blueprint of a small game on the shelf, besides those that ship."""
    data = write_blueprint(random_blueprint("24"))
    card = blueprint_card(random_blueprint("24"), SelfPlayRecipe(), 0, 0, 0.0)
    card["hash"] = hashlib.sha256(data).hexdigest()
    (tmp_path / f"{NAME}.blueprint").write_bytes(data)
    (tmp_path / f"{NAME}.card.json").write_text(json.dumps(card))
    monkeypatch.setenv("RIVERBOAT_BLUEPRINTS", str(tmp_path))
    yield tmp_path
    blueprints_in.cache_clear()


def first_view(variant: Variant, *stacks: int) -> View:
    public = start(variant, stacks)
    return start_random(variant, stacks, np.random.default_rng(0)).view(public.actor or 0)


def test_it_plays_whole_matches_by_the_blueprint(folder: Path) -> None:
    bots = {"a": find_agent(f"blueprint:{NAME}"), "b": find_agent("always-call")}
    result = play_match(Match(GAME, (STACK, STACK), bots, np.random.default_rng(2)), 40)
    assert result.decisions[0].decision_count > 80
    assert result.decisions[0].fallback_count == 0


def test_it_says_its_strategy_and_draws_from_it(folder: Path) -> None:
    view = first_view(GAME, STACK, STACK)
    agent = find_agent(f"blueprint:{NAME}")(np.random.default_rng(0))
    strategy = agent.strategy(view)
    assert strategy.is_exact
    assert np.allclose(strategy.chances.sum(axis=0)[live_holdings(GAME.deck, ())], 1, atol=1e-5)
    assert {agent.act(view) for _ in range(200)} <= set(strategy.actions)


def test_the_nearest_stack_is_taken(folder: Path) -> None:
    chosen = fitting_blueprint(start(GAME, (2_500, 2_200)))
    assert chosen is not None
    assert chosen.name == NAME


@pytest.mark.parametrize(
    ("variant", "stacks", "words"),
    [
        (GAME, (STACK, STACK, STACK), "3 players"),
        (GAME, (200, 200), "stack is 2 big blinds"),
        (no_limit(50, 100, deck="36"), (STACK, STACK), "36 deck"),
        (fixed_limit(100, deck="24"), (STACK, STACK), "no-limit"),
        (no_limit(50, 100, ante=10, deck="24"), (STACK, STACK), "no ante"),
        (no_limit(25, 100, deck="24"), (STACK, STACK), "half the big blind"),
    ],
)
def test_rollouts_decide_where_no_blueprint_fits(
    folder: Path, variant: Variant, stacks: tuple[int, ...], words: str
) -> None:
    agent = BlueprintAgent(np.random.default_rng(0))
    view = first_view(variant, *stacks)
    mark, reason = mark_of(agent.act(view))
    assert mark is Mark.FALLBACK
    assert words in reason
    assert words in why_not(fitting_blueprint(view.public), view.public)


def test_an_unknown_name_is_refused_with_those_that_are_there(folder: Path) -> None:
    with pytest.raises(NotFound, match=NAME):
        blueprint_named("52-nothing")


def test_a_damaged_file_is_refused(folder: Path) -> None:
    path = folder / f"{NAME}.blueprint"
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    with pytest.raises(InvalidInput, match="damaged"):
        blueprint_of(blueprint_named(NAME))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "network"}'])
def test_a_foreign_card_is_refused(folder: Path, text: str) -> None:
    (folder / f"{NAME}.card.json").write_text(text)
    blueprints_in.cache_clear()
    with pytest.raises(InvalidInput, match=NAME):
        shelf()
