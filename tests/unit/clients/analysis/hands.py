"""Hands of two players, played by a list of actions."""

from collections.abc import Sequence
from dataclasses import replace

from riverboat.cards import find_deck, parse_cards
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import no_limit

SMALL = replace(no_limit(50, 100), deck=find_deck("24"))
RIVER = "AhKdTc9s9c"
CHECKED_DOWN = [250, 0, 0, 0, 0, 0]  # a raise and a call, then checks until the river


def played(
    actions: Sequence[int], board: str = RIVER, stacks: Sequence[int] = (10_000, 10_000)
) -> tuple[list[tuple[PublicState, int]], PublicState]:
    """Return the decisions of a hand with the small deck, and the state after them."""
    cards, state = parse_cards(board), start(SMALL, stacks)
    decisions = list[tuple[PublicState, int]]()
    for action in [*actions, None]:
        while state.board_count:
            state = state.deal(cards[len(state.board) : len(state.board) + state.board_count])
        if action is not None:
            decisions.append((state, action))
            state = state.play(action)
    return decisions, state
