"""Local best response, compared with its slow twin, the exact best response, and values computed by hand."""

from functools import partial

import numpy as np
import pytest

from riverboat.arena.asked_bot import AskedBot
from riverboat.arena.bot import MakeBot, Strategy
from riverboat.arena.bots import CallBot, FoldBot
from riverboat.arena.exploit import exploit
from riverboat.arena.local_best_response import (
    LATE_STREET,
    LocalResponse,
    MakeAsk,
    choose,
    respond_steps,
)
from riverboat.arena.ranged_hand import RangedHand, showdown_worth
from riverboat.arena.response_luck import luck_of_deal, luck_of_holding
from riverboat.arena.response_score import ResponseScore, score_of
from riverboat.arena.showdown_shares import showdown_shares
from riverboat.cards import DECKS, parse_cards
from riverboat.equity import equity, matchup
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, start
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit
from tests.reference.local_best_response import response_value
from tests.unit.arena.bots import MostBot, RandomBot

STACKS = {KUHN: 2, LEDUC: 13}
HOLDEM = {name: no_limit(50, 100, deck=name) for name in ("24", "52")}


class PeekingBot(CallBot):
    """A bot that bets its best ranks, folds its worst and calls with the rest, which reveals its cards."""

    def strategy(self, view: View) -> Strategy:
        public = view.public
        ranks = holdings_of(public.variant.deck).cards[:, -1] >> 2
        limits = public.raise_limits
        actions = [CALL, *([FOLD] if public.to_call else []), *([limits[0]] if limits else [])]
        chances = np.zeros((len(actions), len(ranks)))
        chances[0] = 1.0
        for action, wanted in ((FOLD, ranks == ranks.min()), (limits[0] if limits else None, ranks == ranks.max())):
            if action in actions:
                chances[actions.index(action), wanted] = 0.8
                chances[0, wanted] = 0.2
        return Strategy(tuple(actions), chances)


def asked(make_bot: MakeBot) -> AskedBot:
    return AskedBot("the bot", make_bot, np.random.default_rng(0))


def maker(make_bot: MakeBot) -> MakeAsk:
    return partial(AskedBot, "the bot", make_bot)


def played(
    variant: Variant, make_bot: MakeBot, deals: int, stack: int = 10_000, first_street: int = 0
) -> ResponseScore:
    response = LocalResponse(variant, STACKS.get(variant, stack), first_street=first_street)
    chips = list(respond_steps(response, maker(make_bot), range(deals), np.random.default_rng(5)))
    return score_of(variant.big_blind or 1, chips)


@pytest.mark.parametrize("make_bot", [RandomBot, CallBot, FoldBot, MostBot, PeekingBot])
@pytest.mark.parametrize("variant", [KUHN, LEDUC], ids=["kuhn", "leduc"])
def test_it_wins_no_more_than_a_best_response(make_bot: MakeBot, variant: Variant) -> None:
    best = exploit(variant, STACKS[variant], asked(make_bot)).by_seat
    for seat in (0, 1):
        value = response_value(LocalResponse(variant, STACKS[variant]), asked(make_bot), seat)
        assert value <= best[seat] + 1e-9
        assert value > 0.3 * best[seat] - 0.2


@pytest.mark.parametrize("make_bot", [RandomBot, PeekingBot])
def test_samples_agree_with_the_slow_twin(make_bot: MakeBot) -> None:
    deals = 500
    score = played(LEDUC, make_bot, deals)
    for seat in (0, 1):
        expected = response_value(LocalResponse(LEDUC, 13), asked(make_bot), seat)
        won = score.chips[:, seat]
        assert won.mean() == pytest.approx(expected, abs=4 * won.std() / np.sqrt(deals))


@pytest.mark.parametrize("make_bot", [RandomBot, PeekingBot])
def test_deals_do_not_depend_on_each_other(make_bot: MakeBot) -> None:
    """So they may be played by several processes, and a measurement that was left goes on with the same numbers."""
    response, rng = LocalResponse(HOLDEM["24"], 10_000), np.random.default_rng(5)
    whole = list(respond_steps(response, maker(make_bot), range(6), rng))
    parts = [won for part in (range(4, 6), range(4)) for won in respond_steps(response, maker(make_bot), part, rng)]
    np.testing.assert_array_equal(whole, [*parts[2:], *parts[:2]])


@pytest.mark.parametrize("deck", ["24", "52"])
@pytest.mark.parametrize("first_street", [0, LATE_STREET])
def test_folding_every_hand_loses_the_blinds(deck: str, first_street: int) -> None:
    """750 mbb/hand: it loses a small blind in half of the hands and a big blind in the other half."""
    score = played(HOLDEM[deck], FoldBot, 4, first_street=first_street)
    assert score.mbb[0] == pytest.approx(750)
    assert [mbb for mbb, _ in score.by_seat] == pytest.approx([500, 1000])


def test_calling_every_bet_loses_much_with_24_cards() -> None:
    mbb, margin = played(HOLDEM["24"], CallBot, 150).mbb
    assert mbb - margin > 3000


@pytest.mark.parametrize("make_bot", [RandomBot, CallBot, PeekingBot])
def test_luck_is_nothing_on_average(make_bot: MakeBot) -> None:
    """So it may be taken out: what is left has the same mean, and deviates less."""
    score = played(HOLDEM["24"], make_bot, 200)
    luck = score.luck.mean(axis=1)
    assert (luck.std(axis=0) > 0)[1:].any()
    assert (abs(luck.mean(axis=0)) < 4 * luck.std(axis=0) / np.sqrt(len(luck)) + 1e-9).all()
    assert score.deviation_saved > 0.1


def test_luck_is_nothing_to_the_digit_over_all_holdings_and_turns() -> None:
    deck, holding, rng = DECKS["24"], parse_cards("AsKs"), np.random.default_rng(2)
    dealt = [tuple(cards) for cards in holdings_of(deck).cards.tolist()]
    assert sum(luck_of_holding(deck, one) for one in dealt) == pytest.approx(0, abs=1e-4)
    public = start(HOLDEM["24"], [10_000, 10_000]).play(CALL).play(CALL).deal(parse_cards("AdTc9h"))
    weights = np.linspace(0, 1, 276) * live_holdings(deck, (*public.board, *holding))
    before = RangedHand(public, (CALL, CALL), 0, holding, weights).after(CALL).after(CALL)
    shares = showdown_shares(deck, before.public.board, holding, rng)
    total = weight = 0.0
    for card in set(deck.cards) - {*holding, *before.public.board}:
        left = before.weights * live_holdings(deck, (card,))
        after = RangedHand(before.public.deal((card,)), before.actions, 0, holding, left)
        luck = luck_of_deal(before, after, shares, showdown_shares(deck, after.public.board, holding, rng))
        total, weight = total + left.sum() * luck, weight + left.sum()
    assert total / weight == pytest.approx(0, abs=1e-3)


def test_it_only_checks_and_calls_before_its_first_street() -> None:
    public = start(HOLDEM["24"], [10_000, 10_000])
    holding = parse_cards("AsAh")
    weights = live_holdings(DECKS["24"], holding).astype(np.float64)
    assert public.actor is not None
    hand = RangedHand(public, (), public.actor, holding, weights)
    rng = np.random.default_rng(0)
    late = LocalResponse(HOLDEM["24"], 10_000, first_street=LATE_STREET)
    assert choose(late, asked(CallBot), hand, rng) == CALL
    assert choose(LocalResponse(HOLDEM["24"], 10_000), asked(CallBot), hand, rng) == 10_000
    assert choose(LocalResponse(HOLDEM["24"], 10_000), asked(FoldBot), hand, rng) > CALL


@pytest.mark.parametrize(("deck", "board"), [("24", ""), ("24", "AdKdTc"), ("52", "2c7dTh"), ("52", "2c7dThTs")])
def test_shares_average_to_the_equity(deck: str, board: str) -> None:
    cards, holding = parse_cards(board), parse_cards("AsKs")
    shares = showdown_shares(DECKS[deck], cards, holding, np.random.default_rng(0))
    own = np.zeros(holdings_of(DECKS[deck]).count, np.float32)
    own[holding_index(DECKS[deck], holding)] = 1
    live = live_holdings(DECKS[deck], (*cards, *holding))
    exact = equity(matchup(DECKS[deck], cards, own, [None]), np.random.default_rng(0), exact=True).equity
    assert shares[live].mean() == pytest.approx(exact, abs=1e-5)
    assert not shares[~live].any()


def test_a_showdown_counts_by_the_range_that_is_left() -> None:
    public = start(HOLDEM["24"], [10_000, 10_000]).play(10_000).play(CALL)
    holding = parse_cards("AsAh")
    weights = np.zeros(276)
    weights[holding_index(DECKS["24"], parse_cards("KsKh"))] = 3
    weights[holding_index(DECKS["24"], parse_cards("AdAc"))] = 1
    hand = RangedHand(public, (10_000, CALL), 0, holding, weights)
    shares = np.where(weights == 3, 1.0, 0.5)
    assert showdown_worth(hand, shares) == pytest.approx(7500)
