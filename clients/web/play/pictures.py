"""A hand at one moment, as a page draws it: seats, cards, chips, bets, pots, board."""

from collections.abc import Mapping, Sequence
from typing import Any

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import action_words
from riverboat.rules.state import PublicState

_CARD = 2  # characters


def cards_of(text: str) -> list[str]:
    """Return ["Ah", "Kd"] for "AhKd"."""
    return [text[i : i + _CARD] for i in range(0, len(text), _CARD)]


def hand_picture(state: PublicState) -> dict[str, Any]:
    """Return the shared parts: street, board, pots, and the chips in the middle, without bets in front of seats."""
    # Before somebody is all-in there is one pot, however unequal the bets in front still are.
    is_split = any(not stack and not folded for stack, folded in zip(state.stacks, state.folded, strict=True))
    pots = [{"chips": chips, "seats": list(seats)} for chips, seats in state.pots] if is_split else []
    return {
        "street": state.street,
        "board": cards_of(format_cards(state.board)),
        "board_size": state.variant.board_sizes[-1],
        "pot": state.pot,
        "in_middle": state.pot - sum(state.bets),
        "pots": pots if len(pots) > 1 else [],
    }


def seat_pictures(
    state: PublicState, names: Sequence[str], holdings: Mapping[int, str], words: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Return each seat; cards that may not be seen are "?", and `words` are the latest actions."""
    size = state.variant.deck.holding_size
    return [
        {
            "seat": seat,
            "name": names[seat] if seat < len(names) else f"seat {seat + 1}",
            "stack": state.stacks[seat],
            "bet": state.bets[seat],
            "paid": state.paid[seat],
            "folded": state.folded[seat],
            "all_in": not state.folded[seat] and state.stacks[seat] == 0,
            "cards": cards_of(holdings[seat]) if holdings.get(seat) else ["?"] * size,
            "is_button": seat == state.player_count - 1,
            "is_actor": seat == state.actor,
            "words": words.get(seat, ""),
        }
        for seat in range(state.player_count)
    ]


def short_words(before: PublicState, action: int) -> str:
    """Return an action as the page writes it beside a seat: "Raise to 300"."""
    words = action_words(before, action)
    return words[:1].upper() + words[1:]
