"""Re-solving at every decision through the real services: restarts, odd bets, games of all kinds."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.clients.analysis.tracker import Tracker, leaf_below
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import HandState, View, start, start_random, start_with_cards
from riverboat.rules.variant import KUHN, LEDUC, Variant, fixed_limit, no_limit, pot_limit
from riverboat.spots.spot import street_start

SHORT = no_limit(50, 100, deck="24")


def dealt(seed: int, variant: Variant = SHORT, stack: int = 2_000) -> HandState:
    return start_random(variant, [stack, stack], np.random.default_rng(seed))


def own(view: View) -> int:
    """Return the index of the holding on axis H."""
    return holding_index(view.public.variant.deck, view.holding)


def play(link: ResolverClient, hand: HandState, seat: int, opponent: np.random.Generator) -> HandState:
    """Play a hand of one seat against an opponent who takes random legal actions."""
    player = Tracker(link, seat)
    while not hand.is_over:
        public = hand.public
        if public.actor == seat:
            hand = hand.play(player.decide(hand.view(seat), own(hand.view(seat)), seed=int(opponent.integers(100))))
            continue
        limits = public.raise_limits
        kind = opponent.integers(4)
        raises = (public.nearest_raise(int(opponent.integers(limits[0], limits[1] + 1))) or 0) if limits else 0
        hand = hand.play(raises if kind == 0 and limits else -1 if kind == 1 and public.to_call else 0)
    return hand


@pytest.mark.parametrize(
    ("leaf", "preflop", "flop"),
    [
        ("", "", "equity"),
        ("equity", "equity", "equity"),
        ("24-turn-12345678", "", "24-turn-12345678"),
        ("24-turn-12345678+24-preflop-12345678", "24-preflop-12345678", "24-turn-12345678"),
        ("52-turn-12345678", "", "equity"),
    ],
)
def test_a_named_network_is_asked_for_where_it_fits(leaf: str, preflop: str, flop: str) -> None:
    """Other streets use the default: here a preflop network, otherwise equity."""
    before = start(SHORT, [2_000, 2_000])
    after = street_start(tuple(parse_cards("TsTh9s")), 200, 1_900, deck="24")
    asked = [leaf_below(state, leaf, lambda *place: place == ("24", "preflop")) for state in (before, after)]
    assert asked == [preflop, flop]
    limited = start(fixed_limit(100, deck="24"), [2_000, 2_000])
    assert leaf_below(limited, leaf, lambda *_: True) == "equity"


@pytest.mark.parametrize(
    "variant",
    [SHORT, KUHN, LEDUC, fixed_limit(100, deck="24"), pot_limit(50, 100, deck="24"), no_limit(50, 100, deck="36")],
    ids=lambda variant: variant.name,
)
@pytest.mark.slow
def test_it_plays_every_game_against_bets_that_its_tree_does_not_have(link: ResolverClient, variant: Variant) -> None:
    rng = np.random.default_rng(5)
    for seed in range(6):
        hand = play(link, dealt(seed, variant, 20 * variant.big_blind), seed % 2, rng)
        assert sum(hand.payoffs()) == 0


RESTRICTED = {
    "capped": replace(
        SHORT, streets=tuple(replace(street, raise_cap=2) for street in SHORT.streets), pot_cap=1_500, all_in=False
    ),
    "one size": replace(SHORT, bet_sizes=parse_bet_sizes("1b")),
    "some sizes": replace(SHORT, bet_sizes=parse_bet_sizes("150 0.5p 1p 2p / 100 300; 1p / all-in; / 0.7p")),
}


@pytest.mark.parametrize("name", RESTRICTED)
def test_it_obeys_restrictions(link: ResolverClient, name: str) -> None:
    """Every decision is legal and comes from re-solving; a tree that is too large would be an error."""
    variant, rng, decisions = RESTRICTED[name], np.random.default_rng(5), 0
    for seed in range(4):
        hand = play(link, dealt(seed, variant), seed % 2, rng)
        decisions += len(hand.actions)
        assert sum(hand.payoffs()) == 0
    assert decisions > 4


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.slow
def test_it_goes_on_in_the_middle_of_a_hand_from_the_view_alone(link: ResolverClient, seat: int) -> None:
    """At every decision a new tracker does the same as one that has followed the whole hand."""
    decisions = 0
    for seed in range(4):
        hand, old = dealt(seed), Tracker(link, seat)
        opponent = np.random.default_rng(seed)
        while not hand.is_over:
            if hand.public.actor != seat:
                limits = hand.public.raise_limits
                hand = hand.play(
                    limits[0] + 37 if limits and opponent.random() < 0.3 and limits[0] + 37 < limits[1] else 0
                )
                continue
            view = hand.view(seat)
            action = old.decide(view, own(view), seed=11)
            assert Tracker(link, seat).decide(view, own(view), seed=11) == action
            decisions += 1
            hand = hand.play(action)
    assert decisions >= 8


def test_what_it_does_depends_on_the_view_and_the_seed_only(link: ResolverClient) -> None:
    view = dealt(3).view(1)
    assert {Tracker(link, 1).decide(view, own(view), seed=2) for _ in range(3)} == {
        Tracker(link, 1).decide(view, own(view), seed=2)
    }


def test_the_nuts_are_never_folded_on_the_river(link: ResolverClient) -> None:
    board = parse_cards("AsKsQs9h9d")
    hand = start_with_cards(SHORT, [2_000, 2_000], [parse_cards("JsTs"), parse_cards("AhKd")], board)
    for action in (300, 0, 0, 300, 0, 0, 900, 0, 0, 500):  # the last action is a bet into the best possible hand
        hand = hand.play(action)
    assert hand.public.actor == 0
    assert {Tracker(link, 0).decide(hand.view(0), own(hand.view(0)), seed) for seed in range(5)} <= {
        0,
        *range(1, 2_001),
    } - {-1}


def test_three_players_are_refused(link: ResolverClient) -> None:
    hand = start_random(SHORT, [2_000] * 3, np.random.default_rng(1))
    with pytest.raises(InvalidInput, match="two players can be followed, not 3"):
        Tracker(link, 0).ranges_at(hand.view(0))
