"""The decisions of each agent."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from riverboat.arena.bot import Bot
from riverboat.arena.bots import CallBot, FoldBot
from riverboat.arena.match import Match, play_match
from riverboat.cards import parse_cards
from riverboat.clients.bots.agents.always_raise import AlwaysRaise
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.random_agent import Random
from riverboat.clients.bots.agents.registry import AGENTS, find_agents
from riverboat.clients.bots.agents.sizes import pot_raise
from riverboat.errors import NotFound
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, start
from riverboat.rules.variant import LEDUC, VARIANTS, Variant, fixed_limit, no_limit, pot_limit

RNG = np.random.default_rng(0)
HOLDEM = no_limit(50, 100)


def view_after(actions: Sequence[int], variant: Variant = HOLDEM, stacks: Sequence[int] = (10_000, 10_000)) -> View:
    """Return the acting player's view after some actions."""
    public = start(variant, stacks)
    for action in actions:
        public = public.play(action)
    assert public.actor is not None
    return View(public.actor, public, parse_cards("AhKh" if variant.deck.is_holdem else "Ks"), tuple(actions))


def test_always_fold_checks_where_that_is_free() -> None:
    assert FoldBot(RNG).act(view_after([])) == FOLD
    assert FoldBot(RNG).act(view_after([CALL])) == CALL


def test_always_call() -> None:
    assert CallBot(RNG).act(view_after([10_000])) == CALL


@pytest.mark.parametrize(
    ("actions", "variant", "stacks", "expected"),
    [
        ([], HOLDEM, (10_000, 10_000), 300),  # 200 in the pot after a call
        ([CALL], HOLDEM, (10_000, 10_000), 300),
        ([300], HOLDEM, (10_000, 10_000), 900),
        ([300], HOLDEM, (800, 800), 800),  # the whole stack
        ([300], HOLDEM, (10_000, 300), CALL),  # the opponent could not call more
        ([], pot_limit(50, 100), (10_000, 10_000), 300),
        ([], fixed_limit(100), (10_000, 10_000), 200),
        ([2, 4], LEDUC, (100, 100), CALL),  # the cap
    ],
)
def test_always_raise_raises_by_the_pot(
    actions: list[int], variant: Variant, stacks: tuple[int, int], expected: int
) -> None:
    assert AlwaysRaise(RNG).act(view_after(actions, variant, stacks)) == expected


def test_raises_by_the_pot_are_kept_legal() -> None:
    public = view_after([]).public
    assert pot_raise(public, 0.01) == 200
    assert pot_raise(public, 1e9) == 10_000


def kinds(view: View, count: int = 4000) -> dict[str, float]:
    bot, counts = Random(np.random.default_rng(1)), Counter[str]()
    for _ in range(count):
        action = bot.act(view)
        view.public.verify_action(action)
        most = view.public.raise_limits[1] if view.public.raise_limits else 0
        counts["fold" if action == FOLD else "call" if action == CALL else "all-in" if action == most else "raise"] += 1
    return {kind: number / count for kind, number in counts.items()}


def test_random_has_its_chances() -> None:
    shares = kinds(view_after([300]))
    for kind, chance in (("fold", 0.25), ("raise", 0.30), ("call", 0.44), ("all-in", 0.01)):
        assert shares[kind] == pytest.approx(chance, abs=4 * (chance * (1 - chance) / 4000) ** 0.5 + 0.001)
    assert kinds(view_after([CALL]))["call"] == pytest.approx(0.69, abs=0.03)
    assert set(kinds(view_after([10_000]))) == {"fold", "call"}


@pytest.mark.parametrize("name", [name for name in AGENTS if not needs_resolver(name)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_agents_play_every_variant_with_any_number_of_players(name: str, variant: Variant) -> None:
    for player_count in {2, 3, variant.most_players}:
        bots = {str(seat): AGENTS["random"] for seat in range(1, player_count)}
        stacks = [20 * variant.big_blind] * player_count
        capped = replace(variant, free_folds=player_count == 3)
        result = play_match(Match(capped, stacks, {name: AGENTS[name], **bots}, np.random.default_rng(2)), 3)
        assert result.hand_count == 3 * player_count
        assert result.chips.sum() == pytest.approx(0)


def test_registry() -> None:
    assert list(find_agents(["random", "rollout"])) == ["random", "rollout"]
    assert all(isinstance(make, type) and issubclass(make, Bot) for make in AGENTS.values())
    with pytest.raises(NotFound, match=r"'rolout'; did you mean rollout\? The agents are always-call, .* hybrid"):
        find_agents(["rolout"])
    with pytest.raises(NotFound, match=r"no agent is called 'gto'; the agents are always-call, .* rollout"):
        find_agents(["gto"])
