"""Random hands played by both Riverboat and pokerkit: the same legal actions, limits and payouts.

    python -m tests.referee 100000
    python -m tests.referee 100000 posts    # the same with newcomers' posts and straddles out of turn

Riverboat and pokerkit read four rules differently; these cases are counted instead of compared:

- A wager below the smallest bet or full raise, made by going all-in, does not reopen the betting to those
  who have acted (TDA rule 47: "less than a full bet or raise"). pokerkit does not let it count as short if
  nobody has bet or raised before it, so a player who checked or called the blind may raise there.
- Short wagers that together make a full raise reopen it (the same rule). pokerkit forgets that when one more
  short wager follows.
- Each pot is shared by itself (TDA rule 21). pokerkit throws losing hands away first and then joins pots for
  which the same players are left, which moves odd chips. Payouts are compared with its pots as they are
  before that, and with its own payouts up to odd chips.
- A big blind (or straddle) that is posted short still has to be called in full. pokerkit asks only for what
  was posted. The player who posts the largest blind therefore gets a stack that covers it here; short
  largest blinds have their own tests.
"""

import random
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
import pokerkit as pk

from riverboat.cards import DECKS, deal, format_cards
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, start_with_cards
from riverboat.rules.variant import Structure, Variant, fixed_limit, no_limit

_AUTOMATIONS = (
    pk.Automation.ANTE_POSTING,
    pk.Automation.BET_COLLECTION,
    pk.Automation.BLIND_OR_STRADDLE_POSTING,
    pk.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pk.Automation.CHIPS_PUSHING,
    pk.Automation.CHIPS_PULLING,
)
_FIXED_CAP = 4  # pokerkit's, on every street


@dataclass
class Tally:
    """The result of a number of hands."""

    hands: int = 0
    actions: int = 0
    reopened: int = 0  # decisions where only pokerkit lets a short wager reopen the betting
    closed: int = 0  # decisions where pokerkit forgets that short wagers together were a full raise
    merged: int = 0  # hands where pokerkit shares several pots as one, which moves an odd chip

    def add(self, other: "Tally") -> None:
        """Add another tally."""
        self.hands += other.hands
        self.actions += other.actions
        self.reopened += other.reopened
        self.closed += other.closed
        self.merged += other.merged


def random_setup(rng: random.Random) -> tuple[Variant, list[int]]:
    """Return a game of any structure, sometimes with straddles and antes, and stacks up to hundreds of blinds."""
    count = rng.randint(2, 9)
    small = rng.randint(1, 5)
    big = small * 2 if rng.random() < 0.7 else rng.randint(small + 1, 12)
    ante = rng.choice((0, 0, 0, 1, rng.randint(1, 2 * big)))
    straddles = (2 * big,) if count > 2 and rng.random() < 0.2 else ()
    structure = rng.choice(list(Structure))
    if structure is Structure.FIXED_LIMIT:
        variant = fixed_limit(big, ante=ante, small_blind=small)
        variant = replace(variant, streets=tuple(replace(street, raise_cap=_FIXED_CAP) for street in variant.streets))
        straddles = ()
    else:
        variant = replace(no_limit(small, big, *straddles, ante=ante), structure=structure)
    most = rng.choice((3 * big, 20 * big, 200 * big))
    stacks = [rng.randint(1, most) if rng.random() < 0.8 else rng.randint(1, 3) for _ in range(count)]
    largest = max(range(count), key=lambda seat: variant.blind_of(seat, count))
    stacks[largest] = max(stacks[largest], ante + variant.blind_of(largest, count))
    return variant, stacks


def with_posts(variant: Variant, stacks: list[int], rng: random.Random) -> tuple[Variant, list[int]]:
    """Return the game with posts of some seats that have no blind, and sometimes with a straddle out of turn.

    Whoever posts the largest blind or post can afford it, as in `random_setup`.
    """
    count, largest = len(stacks), max(variant.blinds)
    places = range(len(variant.blinds), count)
    blinds = list(variant.blinds)
    if variant.structure is not Structure.FIXED_LIMIT and len(places) > 1 and rng.random() < 0.3:
        blinds += [0] * rng.randrange(1, len(places)) + [2 * largest]
    sizes = (largest, largest, variant.blinds[0], largest + 1)
    posts = [rng.choice(sizes) if i >= len(blinds) or not blinds[i] else 0 for i in range(count)]
    posts = [post if rng.random() < 0.4 else 0 for post in posts]
    posted = replace(variant, blinds=tuple(blinds), posts=tuple(posts))
    ante = variant.antes[0] if variant.antes else 0
    chips = [posted.blind_of(seat, count) for seat in range(count)]
    owed = [ante + x if x >= max(blinds) else 0 for x in chips]
    return posted, [max(stack, least) for stack, least in zip(stacks, owed, strict=True)]


def pokerkit_state(variant: Variant, stacks: list[int]) -> Any:
    """Return the same hand in pokerkit, after antes and blinds."""
    ante = variant.antes[0] if variant.antes else 0
    pairs = zip_longest(variant.blinds, variant.posts, fillvalue=0)
    blinds = tuple(blind - post for blind, post in pairs)
    more: dict[str, Any] = {"mode": pk.Mode.TOURNAMENT}
    if variant.structure is Structure.FIXED_LIMIT:
        bet = variant.streets[0].bet
        return pk.FixedLimitTexasHoldem.create_state(
            _AUTOMATIONS, True, ante, blinds, bet, 2 * bet, tuple(stacks), len(stacks), **more
        )
    game: Any = pk.NoLimitTexasHoldem if variant.structure is Structure.NO_LIMIT else _PotLimitTexasHoldem
    return game.create_state(
        _AUTOMATIONS, True, ante, blinds, variant.streets[0].bet, tuple(stacks), len(stacks), **more
    )


class _PotLimitTexasHoldem(pk.NoLimitTexasHoldem):
    betting_structure = pk.BettingStructure.POT_LIMIT


def compare_hand(seed: int, has_posts: bool = False) -> Tally:
    """Play one random hand with both, and compare at every step."""
    rng = random.Random(seed)  # noqa: S311
    variant, stacks = random_setup(rng)
    if has_posts:
        variant, stacks = with_posts(variant, stacks, rng)
    dealt = deal(DECKS["52"], len(stacks), 5, np.random.default_rng(seed))
    ours = start_with_cards(variant, stacks, dealt.holdings, dealt.board)
    theirs = pokerkit_state(variant, stacks)
    for seat, holding in enumerate(dealt.holdings):
        theirs.deal_hole(format_cards(holding), seat)
    cards = list(dealt.board)
    _deal_board(theirs, cards)
    tally = Tally(hands=1)
    while not ours.is_over:
        differs = _compare(ours, theirs, seed)
        tally.reopened += differs == "reopened"
        tally.closed += differs == "closed"
        tally.actions += 1
        action = _choose(ours, rng, may_raise=not differs)
        ours = ours.play(action)
        if action == FOLD:
            theirs.fold()
        elif action == CALL:
            theirs.check_or_call()
        else:
            theirs.complete_bet_or_raise_to(action)
        _deal_board(theirs, cards)
    payoffs, expected = ours.payoffs(), _payoffs_by_pot(theirs)
    assert payoffs == expected, f"seed {seed}: payoffs {payoffs}, from pokerkit's pots {expected}"
    while theirs.can_kill_hand():
        theirs.kill_hand()
    assert not theirs.status, f"seed {seed}: pokerkit goes on"
    moved = sum(abs(a - b) for a, b in zip(payoffs, theirs.payoffs, strict=True)) // 2
    assert moved < len(stacks), f"seed {seed}: payoffs {payoffs}, pokerkit's {theirs.payoffs}"
    tally.merged += moved > 0
    return tally


def _payoffs_by_pot(theirs: Any) -> tuple[int, ...]:
    """Return payouts from pokerkit's pots before it discards losing hands, each shared by its best hands."""
    if not theirs.status:
        return tuple(theirs.payoffs)  # all but one folded
    payoffs = list(theirs.payoffs)
    for pot in theirs.pots:
        hands = {i: theirs.get_hand(i, 0, 0) for i in pot.player_indices}
        best = max(hands.values())
        winners = [i for i in pot.player_indices if hands[i] == best]
        for winner in winners:
            payoffs[winner] += pot.amount // len(winners)
        payoffs[winners[0]] += pot.amount % len(winners)
    return tuple(payoffs)


def _deal_board(theirs: Any, cards: list[int]) -> None:
    """Deal the next cards, and check that no player is asked when there is nobody left to bet against."""
    while theirs.status and (theirs.can_burn_card() or theirs.can_deal_board() or _nothing_to_decide(theirs)):
        if _nothing_to_decide(theirs):
            theirs.check_or_call()
        elif theirs.can_burn_card():
            theirs.burn_card("??")
        else:
            count = theirs.street.board_dealing_count
            theirs.deal_board(format_cards(cards[:count]))
            del cards[:count]


def _nothing_to_decide(theirs: Any) -> bool:
    """Return whether pokerkit asks for a check although nobody could call a bet; Riverboat does not ask."""
    seat = theirs.actor_index
    others = [i for i in theirs.player_indices if theirs.statuses[i] and i != seat]
    able = any(theirs.stacks[i] + theirs.bets[i] > max(theirs.bets) for i in others)
    return seat is not None and theirs.checking_or_calling_amount == 0 and not able


def _compare(ours: HandState, theirs: Any, seed: int) -> str:
    """Return how the two differ on reopened betting after short wagers; any other difference fails."""
    public = ours.public
    assert public.actor == theirs.actor_index, f"seed {seed}: seat {public.actor}, pokerkit's {theirs.actor_index}"
    assert public.stacks == tuple(theirs.stacks), f"seed {seed}: stacks"
    assert public.pot == theirs.total_pot_amount, f"seed {seed}: pot"
    assert public.to_call == theirs.checking_or_calling_amount, f"seed {seed}: to call"
    assert public.can_play(FOLD) == theirs.can_fold(), f"seed {seed}: fold"
    low = theirs.min_completion_betting_or_raising_to_amount
    limits = None if low is None else (low, theirs.max_completion_betting_or_raising_to_amount)
    if public.raise_limits is None and limits is not None:
        seat = theirs.actor_index
        acted = public.levels[seat] >= 0
        short = theirs.completion_betting_or_raising_amount < public.variant.streets[public.street].bet
        assert acted, f"seed {seed}: may raise"
        assert short, f"seed {seed}: may raise"
        return "reopened"
    if public.raise_limits is not None and limits is None:
        seat = theirs.actor_index
        facing = public.bet - public.levels[seat]
        assert facing >= public.full_raise, f"seed {seed}: may not raise"
        assert theirs.consecutive_short_all_in_amounts, f"seed {seed}: may not raise"
        return "closed"
    assert public.raise_limits == limits, f"seed {seed}: raises {public.raise_limits}, pokerkit's {limits}"
    return ""


def _choose(ours: HandState, rng: random.Random, may_raise: bool) -> int:
    public = ours.public
    choices = [CALL, CALL]
    if public.can_play(FOLD):
        choices.append(FOLD)
    if public.raise_limits and may_raise:
        low, high = public.raise_limits
        choices += [low, high, rng.randint(low, high), rng.randint(low, min(high, 3 * low))]
    return rng.choice(choices)


def compare_hands(seeds: range, has_posts: bool = False) -> Tally:
    """Play many hands with both."""
    warnings.simplefilter("ignore")
    total = Tally()
    for seed in seeds:
        total.add(compare_hand(seed, has_posts))
    return total


def main(count: int, has_posts: bool) -> None:
    """Play `count` hands on all cores, and print what was compared."""
    total, step = Tally(), 250
    with ProcessPoolExecutor() as pool:
        seeds = [range(i, min(i + step, count)) for i in range(0, count, step)]
        for part in pool.map(compare_hands, seeds, [has_posts] * len(seeds)):
            total.add(part)
            print(f"\r{total.hands:,} of {count:,} hands", end="", flush=True, file=sys.stderr)
    print(
        f"\n{total.hands:,} hands and {total.actions:,} decisions: the same players to act, stacks, pots, calls, "
        "folds, raise limits and payouts.\n"
        f"In {total.reopened:,} decisions only pokerkit reopens betting after a short wager, in {total.closed:,} it "
        f"forgets to;\nin {total.merged:,} hands it joins pots before it shares them, which moves odd chips."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, "posts" in sys.argv[2:])
