"""Agents that play policies: which file they take, where rollouts decide instead, and what is refused."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from riverboat.arena.match import Match, play_match
from riverboat.clients.bots.agents.policy import CartAgent
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.policies.shelf import policies_in, policy_named, policy_of, shelf
from riverboat.errors import InvalidInput, NotFound
from riverboat.holdings import live_holdings
from riverboat.marks import Mark, mark_of
from riverboat.policies.policy_files import write_policy
from riverboat.rules.state import start, start_random
from riverboat.rules.variant import no_limit
from tests.unit.policies.small_policies import small_policy

GAME = no_limit(50, 100, deck="24")
STACK = 2_000
NAME = "cart-24-2000-test"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put a small policy on the shelf, beside the card of another kind of thing."""
    data = write_policy(small_policy())
    card = {
        "kind": "policy",
        "model": "cart",
        "game": {"deck": "24", "stack": STACK},
        "hash": hashlib.sha256(data).hexdigest(),
    }
    (tmp_path / f"{NAME}.json").write_bytes(data)
    (tmp_path / f"{NAME}.card.json").write_text(json.dumps(card))
    (tmp_path / "evolved.json").write_text("{}")
    (tmp_path / "evolved.card.json").write_text(json.dumps({"kind": "evolution"}))
    monkeypatch.setenv("RIVERBOAT_POLICIES", str(tmp_path))
    yield tmp_path
    policies_in.cache_clear()


def test_it_plays_whole_matches_by_the_policy(folder: Path) -> None:
    bots = {"a": find_agent(f"cart:{NAME}"), "b": find_agent("random")}
    result = play_match(Match(GAME, (STACK, STACK), bots, np.random.default_rng(2)), 60)
    assert result.decisions[0].decision_count > 100
    assert result.decisions[0].fallback_count == 0


def test_it_says_its_strategy_and_draws_from_it(folder: Path) -> None:
    view = start_random(GAME, (STACK, STACK), np.random.default_rng(0)).view(start(GAME, (STACK, STACK)).actor or 0)
    agent = find_agent("cart")(np.random.default_rng(0))
    strategy = agent.strategy(view)
    assert strategy.is_exact
    assert np.allclose(strategy.chances.sum(axis=0)[live_holdings(GAME.deck, ())], 1)
    assert {agent.act(view) for _ in range(50)} <= set(strategy.actions)


def test_only_its_own_kind_is_taken(folder: Path) -> None:
    assert [shelved.name for shelved in shelf("cart") if shelved.path.parent == folder] == [NAME]
    assert not [shelved for shelved in shelf("oct") if shelved.path.parent == folder]
    with pytest.raises(NotFound, match="no oct policy is called"):
        policy_named("oct", NAME)


@pytest.mark.parametrize(("stacks", "words"), [((STACK,) * 3, "3 players"), ((200, 200), "stack is 2 big blinds")])
def test_rollouts_decide_where_no_policy_fits(folder: Path, stacks: tuple[int, ...], words: str) -> None:
    view = start_random(GAME, stacks, np.random.default_rng(0)).view(start(GAME, stacks).actor or 0)
    mark, reason = mark_of(CartAgent(np.random.default_rng(0)).act(view))
    assert mark is Mark.FALLBACK
    assert words in reason


def test_a_damaged_file_is_refused(folder: Path) -> None:
    path = folder / f"{NAME}.json"
    path.write_bytes(path.read_bytes()[:-1] + b" ")
    with pytest.raises(InvalidInput, match="damaged"):
        policy_of(policy_named("cart", NAME))
