"""What the acting player observes, as one vector of numbers: only what its seat may see.

Chips are in units of the largest starting stack, so no number is above P. Seats are relative to the player: its own
first, then to its left.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.environments.game import GameArrays, LearningGame
from riverboat.rules.betting import (
    ACTOR,
    BET,
    BETS,
    FULL_RAISE,
    HEAD,
    HIGH,
    LEVELS,
    LOW,
    OUT,
    POT,
    RAISES,
    STACKS,
    STREET,
    TO_CALL,
)

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]

_TABLE_NUMBERS = 7  # pot, to call, bet, smallest and largest raise, full raise, raises on this street
_RAISES_SCALE = 0.25
_SEAT_BLOCKS = 5  # stack, bet on this street, folded, all-in, has acted on this street


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the vector: its name and its size."""

    name: str
    size: int


def layout(game: LearningGame) -> tuple[Part, ...]:
    """Return the parts of an observation in order; their sizes add up to F."""
    players, cards, streets = game.player_count, len(game.variant.deck.cards), len(game.variant.streets)
    return (
        Part("own cards", cards),
        Part("board", cards),
        Part("street", streets),
        Part("own seat, counted from the left of the button", players),
        Part("pot, to call, bet, smallest raise, largest raise, full raise, raises on this street / 4", _TABLE_NUMBERS),
        Part("stack by seat", players),
        Part("bet on this street by seat", players),
        Part("folded by seat", players),
        Part("all-in by seat", players),
        Part("has acted on this street by seat", players),
        Part("chips bet on each street by seat", streets * players),
    )


def observation_size(game: LearningGame) -> int:
    """Return F."""
    return sum(part.size for part in layout(game))


@kernel
def write_observation(game: GameArrays, state: I64, deal: I64, street_bets: I64, places: I64, out: F32) -> None:
    """Write what the actor observes to out [F].

    `deal` has the whole board, then the cards of each seat; `street_bets` [S, P] is what seats have bet on each street;
    `places` [52] is the place of each card in the deck.
    """
    seat, count, street_count = state[ACTOR], game.stacks.size, game.board_sizes.size
    card_count, chips = game.deck.size, 1.0 / game.stacks.max()
    out[:] = 0.0
    first = game.board_sizes[-1] + game.holding_size * seat
    for i in range(first, first + game.holding_size):
        out[places[deal[i]]] = 1.0
    for i in range(game.board_sizes[state[STREET]]):
        out[card_count + places[deal[i]]] = 1.0
    at = 2 * card_count
    out[at + state[STREET]] = 1.0
    at += street_count
    out[at + seat] = 1.0
    at += count
    for i, field in enumerate((POT, TO_CALL, BET, LOW, HIGH, FULL_RAISE)):
        out[at + i] = state[field] * chips
    out[at + 6] = min(1.0, state[RAISES] * _RAISES_SCALE)
    at += _TABLE_NUMBERS
    for step in range(count):
        other = (seat + step) % count
        stack, is_out = state[HEAD + STACKS * count + other], state[HEAD + OUT * count + other]
        out[at + step] = stack * chips
        out[at + count + step] = state[HEAD + BETS * count + other] * chips
        out[at + 2 * count + step] = is_out
        out[at + 3 * count + step] = 1.0 if stack == 0 and not is_out else 0.0
        out[at + 4 * count + step] = 1.0 if state[HEAD + LEVELS * count + other] >= 0 else 0.0
        for street in range(state[STREET] + 1):
            out[at + (_SEAT_BLOCKS + street) * count + step] = street_bets[street, other] * chips


def observation_parts(game: LearningGame, observation: F32) -> dict[str, Any]:
    """Return the parts of an observation by name, as lists."""
    parts, at = {}, 0
    for part in layout(game):
        parts[part.name] = observation[at : at + part.size].tolist()
        at += part.size
    return parts
