"""Spaces and texts that all environments share."""

from typing import Any

import numpy as np
from gymnasium import spaces

from riverboat.cards import format_cards
from riverboat.environments.game import LearningGame
from riverboat.environments.hands import Hands
from riverboat.environments.observation import observation_size


def observation_space(game: LearningGame) -> spaces.Space[Any]:
    """Return the space of one observation: the vector of observation.py, and 1 for each possible action."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, game.player_count, (observation_size(game),), np.float32),
            "action_mask": spaces.Box(0, 1, (game.action_count,), np.int8),
        }
    )


def table_text(hands: Hands) -> str:
    """Return a table in words: board, pot, and the chips of each seat from the left of the button."""
    public = hands.public_state(0)
    seats = (
        f"seat {seat}{' folded' if public.folded[seat] else ''}: {stack} chips, bet {bet}"
        for seat, (stack, bet) in enumerate(zip(public.stacks, public.bets, strict=True))
    )
    turn = "the hand is over" if public.actor is None else f"seat {public.actor} to act, {public.to_call} to call"
    return "\n".join([f"board {format_cards(public.board) or '-'}, pot {public.pot}; {turn}", *seats])
