"""All-ins by equity, compared with the average over every board."""

from itertools import combinations
from math import gcd

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.arena.all_in import expected_payoffs
from riverboat.arena.bots import CallBot, FoldBot
from riverboat.arena.hand import FinishedHand, play_hand
from riverboat.cards import parse_cards
from riverboat.rules.betting import HEAD, OUT, PAID, PHASE, SHOWDOWN
from riverboat.rules.state import HandState, PublicState, start, start_random, start_with_cards
from riverboat.rules.variant import LEDUC, Variant, no_limit
from riverboat.strength.hands import strength_of
from tests.unit.arena.bots import MostBot, RandomBot

RNG = np.random.default_rng(0)
UNIT = 60  # chips: divisible among up to six winners, so there are no odd chips


def mean_payoffs(public: PublicState, holdings: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> list[float]:
    """Return the referee's payouts, averaged over every board."""
    deck = public.variant.deck
    gone = {*board, *(card for holding in holdings for card in holding)}
    rest = [card for card in deck.cards if card not in gone]
    total, count = np.zeros(len(holdings)), 0
    for more in combinations(rest, public.variant.board_sizes[-1] - len(board)):
        total += public.payoffs([strength_of(deck, (*holding, *board, *more)) for holding in holdings])
        count += 1
    return list(total / count)


def at_showdown(variant: Variant, paid: list[int], folded: list[bool]) -> PublicState:
    """Return a hand in which the seats have paid these chips, even if no betting leads to it."""
    opening = start(variant, [10**6] * len(paid))
    flat = opening.flat.copy()
    count = len(paid)
    flat[HEAD + PAID * count : HEAD + (PAID + 1) * count] = paid
    flat[HEAD + OUT * count : HEAD + (OUT + 1) * count] = folded
    flat[PHASE] = SHOWDOWN
    return PublicState(variant, opening.rules, flat, ())


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(1, 5), st.booleans()), min_size=2, max_size=6),
    st.sampled_from(["52", "36", "24"]),
    st.sampled_from([3, 4]),
    st.integers(0, 10**6),
)
@settings(max_examples=40)
def test_every_pot_by_itself(seats: list[tuple[int, bool]], deck: str, board_size: int, seed: int) -> None:
    """Side pots with different competitors, and chips of players who folded."""
    seats = [(paid, folded and i > 1) for i, (paid, folded) in enumerate(seats)]  # at least two have not folded
    most = max(paid for paid, folded in seats if not folded)
    seats = [(min(paid, most), folded) for paid, folded in seats]
    variant = no_limit(50, 100, deck=deck)
    public = at_showdown(variant, [UNIT * paid for paid, _ in seats], [folded for _, folded in seats])
    dealt = start_random(variant, [10**6] * len(seats), np.random.default_rng(seed))
    board = dealt.whole_board[:board_size]
    payoffs = expected_payoffs(public, dealt.holdings, board)
    assert payoffs == pytest.approx(mean_payoffs(public, dealt.holdings, board), abs=1e-6)
    assert sum(payoffs) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("stacks", [[600, 600], [600, 1200], [600, 1200, 1800], [1800, 600, 600, 1200]])
def test_before_the_flop(stacks: list[int]) -> None:
    assert gcd(*stacks) % UNIT == 0
    finished = play_hand(start_random(no_limit(60, 120, deck="24"), stacks, RNG), [MostBot(RNG)] * len(stacks))
    assert finished.is_run_out
    assert finished.last_board == ()
    state = finished.state
    assert finished.payoffs(on_average=True) == pytest.approx(mean_payoffs(state.public, state.holdings, ()))
    assert finished.payoffs() == state.payoffs()


def play(holdings: list[str], board: str, bots: list[type[CallBot | FoldBot | MostBot]], stack: int) -> FinishedHand:
    cards = [parse_cards(holding) for holding in holdings]
    hand = start_with_cards(no_limit(50, 100), [stack] * len(cards), cards, parse_cards(board))
    return play_hand(hand, [bot(RNG) for bot in bots])


def test_known_equities() -> None:
    """Aces against kings in the other two suits."""
    aces, kings = play(["AsAh", "KcKd"], "2c3c4c5c9d", [MostBot, MostBot], 1000).payoffs(on_average=True)
    assert aces == pytest.approx(2000 * 0.81263 - 1000, abs=0.5)
    assert aces == pytest.approx(-kings)


def test_cards_of_players_who_folded_cannot_come() -> None:
    """Nines against aces, with both other nines folded."""
    played = play(["2c2d", "9c9d", "9h9s", "AsAh"], "3c4d5h7sKs", [FoldBot, MostBot, FoldBot, MostBot], 1000)
    public, holdings = played.state.public, played.state.holdings
    assert public.folded == (True, False, True, False)
    payoffs = played.payoffs(on_average=True)
    assert payoffs[::2] == (-50, 0)
    heads_up = expected_payoffs(at_showdown(public.variant, [1000, 1000], [False, False]), holdings[1::2], ())
    assert payoffs[1] < heads_up[0] - 100


@pytest.mark.parametrize("bots", [[CallBot, CallBot], [FoldBot, MostBot]])
def test_hands_without_all_in_are_paid_as_they_end(bots: list[type[CallBot | FoldBot | MostBot]]) -> None:
    played = play(["AsAh", "KcKd"], "2c3c4c5c9d", bots, 1000)
    assert not played.is_run_out
    assert played.payoffs(on_average=True) == played.payoffs()


def test_all_in_by_the_blinds() -> None:
    played = play(["AsAh", "KcKd"], "2c3c4c5c9d", [FoldBot, FoldBot], 40)
    assert played.is_run_out
    assert played.payoffs() == (-40, 40)
    assert played.payoffs(on_average=True)[0] == pytest.approx(80 * 0.81263 - 40, abs=0.05)


def test_chips_that_only_folded_players_paid_go_with_the_last_pot() -> None:
    holdings = (parse_cards("AcKd"), parse_cards("AsKh"), parse_cards("7c2d"))
    public = at_showdown(no_limit(50, 100), [150, 150, 200], [False, False, True])
    assert expected_payoffs(public, holdings, parse_cards("3c4d8h9s")) == pytest.approx((100, 100, -200))


def test_chips_that_nobody_matched_go_back_to_a_hand_that_cannot_win() -> None:
    holdings = (parse_cards("2c2d"), parse_cards("AsAh"))
    public = at_showdown(no_limit(50, 100), [500, 300], [False, False])
    assert expected_payoffs(public, holdings, parse_cards("AcAdKh3s")) == pytest.approx((-300, 300))


@pytest.mark.parametrize("stack", [2, 3])
def test_decks_with_one_private_card(stack: int) -> None:
    hand: HandState = start_random(LEDUC, [stack] * 3, RNG)
    played = play_hand(hand, [MostBot(RNG)] * 3)
    assert played.is_run_out
    expected = mean_payoffs(played.state.public, played.state.holdings, ())
    assert played.payoffs(on_average=True) == pytest.approx(expected, abs=1)  # odd chips


def test_on_average_the_same_and_closer_together() -> None:
    variant = no_limit(50, 100, deck="24")
    plain, scored = [], []
    for seed in range(1500):
        rng = np.random.default_rng(seed)
        played = play_hand(start_random(variant, [800, 500, 300], rng), [RandomBot(rng) for _ in range(3)])
        plain.append(played.payoffs())
        scored.append(played.payoffs(on_average=True))
    difference = np.array(plain) - np.array(scored)
    error = difference.std(axis=0) / np.sqrt(len(difference))
    assert np.all(np.abs(difference.mean(axis=0)) < 4 * error)
    assert np.all(np.std(scored, axis=0) < 0.95 * np.std(plain, axis=0))
