"""The rollout agent: what it counts, what it pays, and what its parameters change."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from riverboat.arena.match import Match, play_match
from riverboat.cards import parse_cards
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.agents.rollout import Rollout, RolloutParameters, bets_faced, price, win_share
from riverboat.errors import InvalidInput
from riverboat.rules.betting import CALL, CHANCE, FOLD
from riverboat.rules.state import View, start
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit

HOLDEM = no_limit(50, 100)
PLAIN = RolloutParameters(bluff_chance=0, slowplay_chance=0)


def view_of(
    holding: str,
    actions: Sequence[int] = (),
    board: str = "",
    stacks: Sequence[int] = (10_000, 10_000),
    variant: Variant = HOLDEM,
) -> View:
    """Return the acting player's view after some actions and board cards."""
    public, cards = start(variant, stacks), parse_cards(board)
    for action in (*actions, None):
        while public.phase == CHANCE:
            public = public.deal(cards[len(public.board) : len(public.board) + public.board_count])
        if action is not None:
            public = public.play(action)
    assert public.actor is not None
    return View(public.actor, public, parse_cards(holding), tuple(actions))


def act(view: View, parameters: RolloutParameters = PLAIN) -> int:
    return Rollout(np.random.default_rng(3), parameters).act(view)


def test_share_of_the_pot_against_random_cards() -> None:
    rng = np.random.default_rng(1)
    assert win_share(view_of("AsAh"), 20_000, rng) == pytest.approx(0.852, abs=0.01)
    six = view_of("AsAh", stacks=[10_000] * 6)
    assert win_share(six, 20_000, rng) == pytest.approx(0.492, abs=0.015)
    folded = view_of("AsAh", [FOLD] * 4, stacks=[10_000] * 6)
    assert win_share(folded, 20_000, rng) == pytest.approx(0.852, abs=0.01)


def test_small_decks_are_exact() -> None:
    rng = np.random.default_rng(1)
    assert [win_share(view_of(card, variant=KUHN), 1, rng) for card in ("Ks", "Qs", "Js")] == [1, 0.5, 0]
    paired = view_of("Ks", [CALL, CALL], "Kh", variant=LEDUC)
    assert win_share(paired, 1, rng) == 1


def test_price_counts_only_what_can_be_won() -> None:
    assert price(view_of("AsAh", [300])) == pytest.approx(200 / 600)
    short = view_of("AsAh", [10_000], stacks=(1000, 10_000))
    assert price(short) == pytest.approx(900 / 2000)
    dead = replace(HOLDEM, antes=(0, 100))
    assert price(view_of("AsAh", [], variant=dead)) == pytest.approx(50 / 300)


def test_price_is_for_a_pot_to_which_all_live_opponents_pay() -> None:
    six = [10_000] * 6
    assert price(view_of("AsAh", stacks=six)) == pytest.approx(100 / 600)
    one_gone = view_of("AsAh", [300, FOLD], stacks=six)
    assert price(one_gone) == pytest.approx(300 / 1500)
    poor = [10_000, 10_000, 10_000, 10_000, 200, 10_000]
    assert price(view_of("AsAh", [300], stacks=poor)) == pytest.approx(300 / (5 * 300 + 200))


def test_bets_faced() -> None:
    assert bets_faced(view_of("AsAh")) == [0]
    assert bets_faced(view_of("AsAh", [300, 900, 2700])) == [2]  # bets of the pot; the agent's own does not count
    on_the_flop = view_of("AsAh", [300, CALL, CALL, 1800], "2c7d9h")
    assert on_the_flop.seat == 0
    assert bets_faced(on_the_flop) == [1, 2]  # a bet of three pots counts 2
    gone = view_of("AsAh", [350, 1300, FOLD, 4200, FOLD], stacks=[10_000] * 4)  # the first raiser folds
    assert bets_faced(gone)[0] == pytest.approx(1, abs=0.1)


def test_it_raises_calls_and_folds() -> None:
    assert act(view_of("AsAh")) == 300
    assert act(view_of("7c2d", [300])) == FOLD
    assert act(view_of("Jc9c", [300])) == CALL
    nuts = view_of("AhKh", [CALL, CALL, CALL, CALL, CALL, CALL, 200], "QhJhTh2c3d")
    assert act(nuts) > 200
    assert act(view_of("7c2d", [CALL, CALL], "AhKhQh")) == CALL  # a check


def test_parameters_change_what_it_does() -> None:
    weak, strong = view_of("7c2d", [CALL, CALL], "AhKhQh"), view_of("AsAh")
    assert act(weak, replace(PLAIN, bluff_chance=1)) > 0
    assert act(strong, replace(PLAIN, slowplay_chance=1)) == CALL
    assert act(strong, replace(PLAIN, raise_size=0.5)) == 200
    facing = view_of("Jc9c", [300])
    assert act(facing, replace(PLAIN, call_margin=0.5)) == FOLD
    assert act(facing, replace(PLAIN, bet_discount=0.9)) == FOLD
    assert act(facing, replace(PLAIN, bet_discount=0.9, most_bets=0)) == CALL
    assert act(view_of("JcTc"), replace(PLAIN, raise_edge=0)) > 0
    assert act(view_of("JcTc"), replace(PLAIN, raise_edge=0.5)) == CALL


def test_a_short_price_is_no_reason_to_raise_into_a_bad_one() -> None:
    """Better than average among nine players, but the price is far too high."""
    view = view_of("Ac9d", [10_000], stacks=[10_000] * 9)
    assert act(view) == FOLD


def test_the_same_chances_the_same_actions() -> None:
    view = view_of("Jc9c", [300])
    runs = [[Rollout(np.random.default_rng(seed)).act(view) for seed in range(20)] for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("rollout_count", 0), ("bet_discount", 1.5), ("bluff_chance", -0.1), ("raise_size", 0.0), ("most_bets", -1)],
)
def test_parameters_that_make_no_sense(name: str, value: float) -> None:
    with pytest.raises(InvalidInput, match=name):
        RolloutParameters(**{name: value})  # type: ignore[arg-type]


OPPONENTS = ("always-call", "random", "always-raise", "always-fold")


def least_won(opponents: Sequence[str], deal_count: int) -> float:
    """Return the lower end of the confidence interval of its result against these agents, in mbb/hand."""
    names = ["rollout", *opponents]
    bots = {f"{name} {place}": find_agent(name) for place, name in enumerate(names)}
    stacks, rng = [10_000] * len(names), np.random.default_rng(4)
    match = Match(HOLDEM, stacks, bots, rng, on_average=len(names) == 2)
    score = play_match(match, deal_count).scores[0]
    return score.mbb - score.margin


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_it_beats_the_others_heads_up(opponent: str) -> None:
    assert least_won([opponent], 300) > 0


@pytest.mark.slow
@pytest.mark.parametrize("opponents", [*([name] * 5 for name in OPPONENTS), [*OPPONENTS, "random"]], ids=" ".join)
def test_it_beats_the_others_six_handed(opponents: Sequence[str]) -> None:
    assert least_won(opponents, 800) > 0
