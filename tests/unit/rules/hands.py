"""Random hands for tests of the rules."""

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from riverboat.rules.state import HandState, start_random
from riverboat.rules.variant import (
    KUHN,
    LEDUC,
    Street,
    Structure,
    Variant,
    fixed_limit,
    no_limit,
    pot_limit,
)
from tests.referee import random_setup

CAPPED = Variant(
    "capped", no_limit(1, 2).deck, Structure.NO_LIMIT,
    (Street(0, 2, 2), Street(3, 2, 1), Street(1, 2, 1), Street(1, 2, 3)), (1, 2), (1,), pot_cap=60, all_in=False,
)  # fmt: skip
BIG_BLIND_ANTE = replace(no_limit(5, 10), antes=(0, 10))
GAMES = (no_limit(1, 2), no_limit(5, 10, 20, ante=3), pot_limit(1, 2), fixed_limit(4, ante=1), CAPPED, BIG_BLIND_ANTE)

seeds = st.integers(0, 2**32 - 1)


def setup(seed: int) -> tuple[Variant, list[int]]:
    """A game and stacks: the referee's, with short largest blinds at times, or one of the games above."""
    rng = random.Random(seed)  # noqa: S311
    kind = rng.random()
    if kind < 0.1:
        return rng.choice((KUHN, LEDUC)), [rng.randint(1, 30), rng.randint(1, 30)]
    if kind < 0.5:
        variant = rng.choice(GAMES)
        count = rng.randint(max(2, len(variant.blinds)), 10)
        return variant, [rng.randint(1, rng.choice((3, 30, 300))) for _ in range(count)]
    variant, stacks = random_setup(rng)
    if rng.random() < 0.5:
        stacks[rng.randrange(len(stacks))] = 1
    return variant, stacks


def play_out(seed: int) -> Iterator[tuple[HandState, int | None]]:
    """Every state of a random hand, and the action chosen in it; None at the end."""
    variant, stacks = setup(seed)
    rng = random.Random(seed + 1)  # noqa: S311
    hand = start_random(variant, stacks, np.random.default_rng(seed))
    while not hand.is_over:
        action = choose(hand, rng)
        yield hand, action
        hand = hand.play(action)
    yield hand, None


def choose(hand: HandState, rng: random.Random) -> int:
    """A legal action."""
    public = hand.public
    choices = [0] + ([-1] if public.can_play(-1) else [])
    if public.raise_limits:
        low, high = public.raise_limits
        choices += [low, high, rng.randint(low, high)]
    return rng.choice(choices)
