"""Random hands for tests of the rules."""

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import HandState, start_random
from riverboat.rules.variant import KUHN, LEDUC, Street, Structure, Variant, fixed_limit, no_limit, pot_limit
from tests.referee import random_setup

CAPPED = Variant(
    name="capped", deck=no_limit(1, 2).deck, structure=Structure.NO_LIMIT,
    streets=(Street(0, 2, 2), Street(3, 2, 1), Street(1, 2, 1), Street(1, 2, 3)),
    blinds=(1, 2), antes=(1,), pot_cap=60, all_in=False,
)  # fmt: skip
SIZED = replace(no_limit(1, 2), bet_sizes=parse_bet_sizes("1b 0.5p / 1p all-in; 1p / ; 5 / 0.33p 3b 7"))
SIZED_CAPPED = replace(pot_limit(1, 2), bet_sizes=parse_bet_sizes("1b 1p"), pot_cap=50, all_in=False)
BIG_BLIND_ANTE = replace(no_limit(5, 10), antes=(0, 10))
RESTRICTED = (CAPPED, SIZED, SIZED_CAPPED)
POSTED = replace(no_limit(5, 10), posts=(0, 0, 10, 5))
STRADDLED = replace(no_limit(5, 10), blinds=(5, 10, 0, 20), posts=(0, 0, 10))  # out of turn
GAMES = (
    no_limit(1, 2), no_limit(5, 10, 20, ante=3), pot_limit(1, 2), fixed_limit(4, ante=1), BIG_BLIND_ANTE, *RESTRICTED,
    POSTED, STRADDLED,
)  # fmt: skip

# Sizes of bets and raises for games that have a list.
LISTS = ("1b", "0.5p 1p", "1b 3b", "300", "100 0.5p; 1p", "1p / 0.5p / / 2p", "0.33p 2p all-in", "; 1p / 150 700")

seeds = st.integers(0, 2**32 - 1)


def setup(seed: int) -> tuple[Variant, list[int]]:
    """Return a game and stacks: the referee's, sometimes with a short largest blind, or one of the games above."""
    rng = random.Random(seed)  # noqa: S311
    kind = rng.random()
    if kind < 0.1:
        return rng.choice((KUHN, LEDUC)), [rng.randint(1, 30), rng.randint(1, 30)]
    if kind < 0.5:
        variant = rng.choice(GAMES)
        count = rng.randint(max(2, len(variant.blinds), len(variant.posts)), 10)
        return variant, [rng.randint(1, rng.choice((3, 30, 300))) for _ in range(count)]
    variant, stacks = random_setup(rng)
    if rng.random() < 0.5:
        stacks[rng.randrange(len(stacks))] = 1
    return variant, stacks


def play_out(seed: int) -> Iterator[tuple[HandState, int | None]]:
    """Yield every state of a random hand, and the action taken in it; None at the end."""
    variant, stacks = setup(seed)
    rng = random.Random(seed + 1)  # noqa: S311
    hand = start_random(variant, stacks, np.random.default_rng(seed))
    while not hand.is_over:
        action = choose(hand, rng)
        yield hand, action
        hand = hand.play(action)
    yield hand, None


def choose(hand: HandState, rng: random.Random) -> int:
    """Choose a legal action."""
    public = hand.public
    choices = [0] + ([-1] if public.can_play(-1) else [])
    if public.raise_limits:
        low, high = public.raise_limits
        choices += [low, high, public.nearest_raise(rng.randint(low, high)) or low]
    return rng.choice(choices)


def restricted_setup(seed: int) -> tuple[Variant, list[int]]:
    """Return any combination of restrictions, with any stacks."""
    rng = random.Random(seed)  # noqa: S311
    variant = rng.choice((no_limit(50, 100), pot_limit(50, 100), no_limit(50, 100, 200), no_limit(50, 100, deck="24")))
    cap = rng.choice((0, 1, 2, 4))
    variant = replace(
        variant,
        streets=tuple(replace(street, raise_cap=cap) for street in variant.streets),
        pot_cap=rng.choice((0, 0, 400, 3000)),
        all_in=rng.random() < 0.6,
    )
    sizes = rng.choice((None, *LISTS))
    if sizes is not None and (variant.all_in or "all-in" not in sizes):
        variant = replace(variant, bet_sizes=parse_bet_sizes(sizes))
    count = rng.randint(max(2, len(variant.blinds), len(variant.posts)), 5)
    return variant, [rng.choice((20, 150, 1000, 10_000)) + rng.randint(0, 90) for _ in range(count)]
