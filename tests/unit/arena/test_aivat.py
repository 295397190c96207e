"""AIVAT: exactly unbiased over all deals and actions of small games, and how much luck it removes."""

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np
import pytest

from riverboat.arena import aivat
from riverboat.arena.aivat import Turn, aivat_payoffs, groups_of_actions
from riverboat.arena.bot import F64, Bot, Strategy
from riverboat.arena.hand import play_hand
from riverboat.arena.match import Match, play_match
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of
from riverboat.marks import fallback
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, PublicState, View, start_random, start_with_cards
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit

SMALL = no_limit(50, 100, deck="24")
LEDUC_STACK = 5  # chips: short enough for all-ins and a small tree


def strategy_at(public: PublicState) -> Strategy:
    """Return a strategy with different probabilities for every holding and situation."""
    limits = public.raise_limits
    raises = sorted({limits[0], min(limits[1], limits[0] + public.pot)}) if limits else []
    actions = ([FOLD] if public.to_call else []) + [CALL, *raises]
    seed = [public.pot, public.to_call, public.street, *public.board, len(actions)]
    chances = np.random.default_rng(seed).dirichlet(np.ones(len(actions)), holdings_of(public.variant.deck).count).T
    return Strategy(tuple(actions), chances)


class Mixed(Bot):
    """A bot that plays `strategy_at` and declares it."""

    def act(self, view: View) -> int:
        strategy = strategy_at(view.public)
        chances = strategy.chances[:, holding_index(view.public.variant.deck, view.holding)]
        return strategy.actions[int(self.rng.choice(len(chances), p=chances))]

    def strategy(self, view: View) -> Strategy | None:
        return strategy_at(view.public)


class Silent(Mixed):
    """A bot that plays the same without declaring it."""

    def strategy(self, view: View) -> Strategy | None:
        return None


class Liar(Mixed):
    """A bot that declares to always fold or check."""

    def strategy(self, view: View) -> Strategy | None:
        strategy = strategy_at(view.public)
        return Strategy(strategy.actions[:1], np.ones((1, strategy.chances.shape[1])))


class About(Mixed):
    """A bot that declares an approximation of its strategy."""

    def strategy(self, view: View) -> Strategy | None:
        strategy = strategy_at(view.public)
        return Strategy(strategy.actions, np.ones_like(strategy.chances), is_exact=False)


class Falling(Mixed):
    """A bot that declares its strategy, but decides by a fallback on the second street."""

    def act(self, view: View) -> int:
        return fallback(CALL) if view.public.board else super().act(view)


Knows = Callable[[PublicState], bool]  # whether the actor declares its strategy
KNOWN: dict[str, Knows] = {
    "nobody": lambda public: False,
    "seat 0": lambda public: public.actor == 0,
    "seat 1": lambda public: public.actor == 1,
    "both": lambda public: True,
    "both, on the first street": lambda public: not public.board,
}


def deals(variant: Variant, stack: int) -> Iterator[HandState]:
    """Yield all deals of a game with one private card, which are equally likely."""
    for cards in permutations(variant.deck.cards, 2 + variant.board_sizes[-1]):
        yield start_with_cards(variant, [stack] * 2, [cards[:1], cards[1:2]], cards[2:])


def endings(
    hand: HandState, knows: Knows, chance: float = 1.0, turns: tuple[Turn, ...] = ()
) -> Iterator[tuple[float, HandState, tuple[Turn, ...]]]:
    """Yield all ways to play a deal: probability, final state and decisions."""
    seat = hand.public.actor
    if seat is None:
        yield chance, hand, turns
        return
    strategy = strategy_at(hand.public)
    chances = strategy.chances[:, holding_index(hand.public.variant.deck, hand.holdings[seat])]
    for action, likely in zip(strategy.actions, chances.tolist(), strict=True):
        turn = Turn(hand.public, action, strategy if knows(hand.public) else None)
        yield from endings(hand.play(action), knows, chance * likely, (*turns, turn))


def moments(variant: Variant, stack: int, knows: Knows) -> tuple[float, float, float, float]:
    """Return mean and standard deviation of seat 0's winnings and of AIVAT's estimate, over the whole game."""
    rows = []
    for deal in deals(variant, stack):
        for chance, hand, turns in endings(deal, knows):
            won = hand.payoffs()[0]
            rows.append((chance, won, aivat_payoffs(hand, turns[-1].public.board, turns)[0]))
    chances, won, estimates = np.array(rows).T
    chances /= chances.sum()
    means = chances @ won, chances @ estimates
    deviations = (np.sqrt(chances @ (x - mean) ** 2) for x, mean in zip((won, estimates), means, strict=True))
    return (*map(float, means), *map(float, deviations))  # type: ignore[return-value]


@pytest.mark.parametrize("known", KNOWN)
def test_the_estimate_is_unbiased_in_the_whole_of_kuhn(known: str) -> None:
    mean, estimate, deviation, left = moments(KUHN, 100, KNOWN[known])
    print(f"Kuhn, {known} known: {1 - left / deviation:.0%} of the standard deviation saved")
    assert estimate == pytest.approx(mean, abs=1e-9)
    assert left < deviation


@pytest.mark.parametrize("known", ["seat 0", "both, on the first street"])
def test_the_estimate_is_unbiased_in_the_whole_of_leduc(known: str) -> None:
    mean, estimate, deviation, left = moments(LEDUC, LEDUC_STACK, KNOWN[known])
    print(f"Leduc, {known} known: {1 - left / deviation:.0%} of the standard deviation saved")
    assert estimate == pytest.approx(mean, abs=1e-9)
    assert left < 0.85 * deviation


def single_hands(variant: Variant, bots: tuple[type[Bot], type[Bot]], count: int) -> tuple[F64, F64]:
    """Return seat 0's winnings in hands without duplicates, and AIVAT's estimates of them."""
    rng = np.random.default_rng(8)
    hands = [
        play_hand(start_random(variant, [2000, 2000], rng), [bot(rng) for bot in bots], asks_strategies=True)
        for _ in range(count)
    ]
    return np.array([hand.state.payoffs()[0] for hand in hands]), np.array([hand.aivat()[0] for hand in hands])


@pytest.mark.parametrize("bots", [(Mixed, Silent), (Mixed, Mixed)], ids=["one known", "both known"])
def test_it_saves_luck_with_24_cards(bots: tuple[type[Bot], type[Bot]]) -> None:
    won, estimates = single_hands(SMALL, bots, 200)
    saved = 1 - estimates.std() / won.std()
    print(f"24 cards, {[bot.__name__ for bot in bots]}: {saved:.0%} of the standard deviation saved")
    assert saved > 0.2
    differences = won - estimates
    assert abs(differences.mean()) < 3 * differences.std() / np.sqrt(len(differences))


def test_a_range_that_is_too_large_for_a_board_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aivat, "_MOST_WORK", 0)
    mean, estimate, deviation, left = moments(LEDUC, LEDUC_STACK, KNOWN["both"])
    assert estimate == pytest.approx(mean, abs=1e-9)
    assert left < deviation


def test_a_fallback_shows_the_holding() -> None:
    match = Match(LEDUC, [1300] * 2, {"a": Falling, "b": Silent}, np.random.default_rng(1), aivat=True)
    assert np.isfinite(play_match(match, 30).chips).all()


def test_a_bot_that_says_another_strategy_is_found_out() -> None:
    match = Match(KUHN, [100] * 2, {"a": Liar, "b": Silent}, np.random.default_rng(1), aivat=True)
    with pytest.raises(InvalidInput, match="which its strategy never does"):
        play_match(match, 30)


def test_a_strategy_that_is_only_about_right_is_not_used() -> None:
    about, silent = (
        play_match(Match(LEDUC, [1300] * 2, {"a": bot, "b": Mixed}, np.random.default_rng(1), aivat=True), 10).chips
        for bot in (About, Silent)
    )
    assert np.array_equal(about, silent)


def test_a_bot_that_ignores_its_cards_says_one_column() -> None:
    hand = next(deals(KUHN, 100))
    whole = np.full((2, 3), [[0.3], [0.7]])
    estimates = [
        aivat_payoffs(hand.play(CALL).play(CALL), (), [Turn(hand.public, CALL, Strategy((CALL, 1), chances)),
                                                      Turn(hand.play(CALL).public, CALL, None)])
        for chances in (whole, np.broadcast_to(whole[:, :1], whole.shape))
    ]  # fmt: skip
    assert estimates[0] == pytest.approx(estimates[1])


def test_it_is_for_two() -> None:
    with pytest.raises(InvalidInput, match="is for two players, not 3"):
        Match(SMALL, [2000] * 3, {"a": Mixed, "b": Mixed, "c": Mixed}, np.random.default_rng(1), aivat=True)


def test_many_raises_are_valued_in_groups() -> None:
    actions = [FOLD, CALL, *range(200, 10_001)]
    groups = groups_of_actions(actions)
    assert sorted(place for group in groups for place in group) == list(range(len(actions)))
    assert len(groups) == 2 + 8
    assert groups_of_actions([CALL, 300, 900]) == [[0], [1], [2]]
