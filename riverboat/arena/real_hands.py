"""Real hands of a response against an agent: both hold cards, and the agent decides by its own code."""

from collections.abc import Iterator

import numpy as np

from riverboat.arena.bot import F64, MakeBot
from riverboat.arena.deal_processes import child_of
from riverboat.arena.hand import play_hand
from riverboat.arena.local_best_response import check_deals
from riverboat.rules.state import start_random
from riverboat.rules.variant import Variant


def real_steps(
    variant: Variant, stack: int, response: MakeBot, agent: MakeBot, deals: range, rng: np.random.Generator
) -> Iterator[F64]:
    """Play deals in both seats; yield after each what the response won in each seat, in chips [2, 1].

    Both hands of a deal have the same cards, so a deal is one sample. All-ins count by equity. Nothing about the agent
    is assumed, so the mean is what the response really wins, however well it knows the agent. Deal n has a generator
    of its own, the nth child of `rng`.
    """
    check_deals(deals)
    for deal in deals:
        chances = child_of(rng, deal)
        hand = start_random(variant, [stack, stack], chances)
        won = np.zeros(2)
        for seat in (0, 1):
            bots = [response(chances.spawn(1)[0]), agent(chances.spawn(1)[0])]
            won[seat] = play_hand(hand, bots if seat == 0 else bots[::-1]).payoffs(on_average=True)[seat]
        yield won[:, None]
