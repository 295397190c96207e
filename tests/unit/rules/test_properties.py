"""Properties of every hand, whatever the game and the stacks."""

import numpy as np
from hypothesis import given, settings

from riverboat.rules.parts import Parts, SeatParts, assemble
from riverboat.rules.state import PublicState
from tests.unit.rules.hands import play_out, seeds, setup


def parts_of(public: PublicState) -> Parts:
    columns = zip(public.stacks, public.bets, public.paid, public.folded, public.levels, public.dead, strict=True)
    seats = [SeatParts(stack=a, bet=b, paid=c, folded=d, level=e, dead=f) for a, b, c, d, e, f in columns]
    return Parts(
        variant=public.variant, street=public.street, board=public.board, seats=seats,
        pot=public.pot, bet=public.bet,
        full_raise=public.full_raise, raise_count=public.raise_count, action_count=public.action_count,
        aggressor=-1 if public.aggressor is None else public.aggressor,
        actor=-1 if public.actor is None else public.actor,
    )  # fmt: skip


@settings(max_examples=400)
@given(seeds)
def test_chips_are_conserved_and_every_path_ends(seed: int) -> None:
    _, stacks = setup(seed)
    for step, (hand, _) in enumerate(play_out(seed)):
        public = hand.public
        assert sum(public.stacks) + public.pot == sum(stacks)
        assert sum(public.paid) + sum(public.dead) == public.pot
        assert min(public.stacks) >= 0
        assert all(bet <= paid for bet, paid in zip(public.bets, public.paid, strict=True))
        assert step < 2000
    payoffs = hand.payoffs()
    assert sum(payoffs) == 0
    assert all(payoff >= -stack for payoff, stack in zip(payoffs, stacks, strict=True))
    for seat, payoff in enumerate(payoffs):  # no player wins more from another than they paid themselves
        most = sum(min(hand.public.paid[seat], paid) for i, paid in enumerate(hand.public.paid) if i != seat)
        assert payoff <= most + sum(hand.public.dead)
        assert not (hand.public.folded[seat] and payoff > 0)


@settings(max_examples=200)
@given(seeds)
def test_legal_means_applicable_and_nothing_else_is(seed: int) -> None:
    for hand, _ in play_out(seed):
        public = hand.public
        if public.actor is None:
            assert not public.can_play(0)
            continue
        low, high = public.raise_limits or (10**9, 0)
        for action in {-2, -1, 0, 1, public.bet, low - 1, low, low + 1, high - 1, high, high + 1, 10**12}:
            raises = public.raises_to if public.variant.bet_sizes else range(low, high + 1)
            legal = action == 0 or action in raises or (action == -1 and public.to_call > 0)
            assert public.can_play(action) == legal
            if legal:
                after = public.play(action)
                assert after != public
                assert after.pot >= public.pot
        assert (public.raise_limits is None) or public.bet < low <= high <= public.stacks[public.actor] + public.bets[
            public.actor
        ]


@settings(max_examples=200)
@given(seeds)
def test_states_do_not_change(seed: int) -> None:
    for hand, action in play_out(seed):
        before = hand.public.flat.copy()
        if action is not None:
            hand.play(action)
        assert np.array_equal(before, hand.public.flat)


@settings(max_examples=300)
@given(seeds)
def test_states_are_what_their_parts_say(seed: int) -> None:
    for hand, _ in play_out(seed):
        assert assemble(parts_of(hand.public)) == hand.public
