"""Policies in hands, their files, and the states that they are learnt from."""

import json

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.features.bets import opponent_bets
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.policies.game_states import PLAYERS, bets_by_line
from riverboat.policies.menus import CALLS, FOLDS
from riverboat.policies.policy_files import read_policy, write_policy
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, View, start_random
from riverboat.rules.variant import no_limit
from tests.unit.blueprint.games import game_of, random_blueprint
from tests.unit.policies.small_policies import EQUITY_CUT, drawn_states, preflop_of_24, small_policy, state_source

GAME = no_limit(50, 100, deck="24")


def hands(count: int) -> list[HandState]:
    """Return decisions on all streets of random hands."""
    rng = np.random.default_rng(5)
    decisions: list[HandState] = []
    while len(decisions) < count:
        hand = start_random(GAME, (2_000, 2_000), rng)
        while not hand.is_over:
            decisions.append(hand)
            raises = hand.public.raises_to[:3]
            actions = [CALL, CALL, *raises]
            hand = hand.play(actions[int(rng.integers(len(actions)))])
    return decisions


def own_view(hand: HandState) -> View:
    return hand.view(hand.public.actor or 0)


def test_a_policy_answers_for_its_own_holding_as_for_all() -> None:
    policy = small_policy()
    for hand in hands(40):
        view = own_view(hand)
        own, every = policy.situation(view), policy.situations(view)
        place = holding_index(GAME.deck, view.holding)
        assert np.allclose(own, every[place], atol=1e-6)
        assert own[-4:].tolist() == [float(bet) for bet in opponent_bets(view)]
        actions, chances = policy.decide(view, every)
        live = live_holdings(GAME.deck, hand.public.board)
        assert len(set(actions)) == len(actions)
        assert all(hand.public.can_play(action) for action in actions)
        assert np.allclose(chances[:, live].sum(axis=0), 1)
        assert np.allclose(policy.decide(view, own[None])[1][:, 0], chances[:, place])
        weak = every[:, 0] <= EQUITY_CUT
        assert np.allclose(chances[actions.index(FOLD if hand.public.to_call else CALL)][weak & live], 1)


def test_bets_are_counted_in_big_blinds_of_a_hundred() -> None:
    view = own_view(start_random(no_limit(5, 10, deck="24"), (200, 200), np.random.default_rng(0)))
    assert small_policy().situation(view)[-4:].tolist() == [100, 0, 0, 0]


def test_files_come_back_and_are_the_same_bytes() -> None:
    data = write_policy(small_policy())
    policy = read_policy(data)
    assert write_policy(policy) == data
    view = own_view(hands(20)[-1])
    assert np.allclose(
        policy.decide(view, policy.situations(view))[1],
        small_policy().decide(view, policy.situations(view))[1],
        atol=2e-3,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "riverboat policy 9"),
        ("kind", "forest"),
        ("deck", "kuhn"),
        ("deck", "52"),
        ("stack", "much"),
        ("preflop", [[0.5]]),
        ("streets", []),
        ("streets", [{"fractions": [1.0]}] * 4),
        (
            "streets",
            [{"fractions": [1.0], "tree": {"feature": [0], "cut": [0], "right": [0], "states": [], "chances": []}}] * 4,
        ),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(name: str, value: object) -> None:
    content = json.loads(write_policy(small_policy()))
    content[name] = value
    with pytest.raises(InvalidInput) as caught:
        read_policy(json.dumps(content).encode())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"format": 1}'])
def test_what_is_no_file_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_policy(data)


def test_states_are_what_a_view_shows_and_what_the_blueprint_does() -> None:
    """Every drawn state is found again by walking the tree with public states and the blueprint's own strategy."""
    source, blueprint = state_source(), random_blueprint("24")
    states = source.draw(1, 1, 0.0, np.random.default_rng(8))
    again = source.draw(1, 1, 0.0, np.random.default_rng(8))
    for one, other in zip(states, again, strict=True):
        assert np.array_equal(one.features, other.features)
    first = states[0]
    group = int(np.argmin(np.abs(preflop_of_24() - first.features[0, :-4]).sum(axis=1)))
    holding = int(np.flatnonzero(blueprint.groups(()) == group)[0])
    strategy = blueprint.strategy(0, ())[:, holding]
    assert np.allclose(first.chances[0], strategy, atol=1e-6)  # fold, call, the pot, all-in


def test_states_of_all_streets_are_drawn() -> None:
    for states, wide in zip(drawn_states(), (35, 25, 15, 5), strict=True):
        assert states.features.shape == (len(states), wide)
        assert len(states) > 20
        assert np.allclose(states.chances.sum(axis=1), 1, atol=1e-5)
        assert (states.chances[:, [FOLDS, CALLS]].sum(axis=1) >= 0).all()


def test_bets_of_lines_are_those_of_the_features() -> None:
    game = game_of("24")
    bets = bets_by_line(game.betting, 4)
    cards = game.variant.deck.cards
    for line in np.flatnonzero(game.tree.kind == 0)[::11].tolist():
        actions, parent = [], line
        while parent > 0:
            above = int(game.betting.parent[parent])
            if game.tree.kind[above] == 0:
                actions.append(int(game.betting.action[parent]))
            parent = above
        board = cards[: game.variant.deck.board_sizes[game.tree.street[line]]]
        public = game.betting.state(line, board)
        seat = int(public.actor or 0)
        holding = tuple(holdings_of(game.variant.deck).cards[-1].tolist())
        view = View(seat, public, holding, tuple(reversed(actions)))
        assert opponent_bets(view) == tuple(bets[line, PLAYERS - 1 - seat].astype(int).tolist())
