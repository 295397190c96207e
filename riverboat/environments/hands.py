"""Many hands side by side: each table is at a decision or its hand is over, and one call acts at all of them."""

from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.environments.game import (
    CALL_NUMBER,
    FIRST_RAISE,
    FOLD_NUMBER,
    NO_BOARD,
    GameArrays,
    LearningGame,
    game_arrays,
)
from riverboat.environments.observation import observation_size, write_observation
from riverboat.equity.sampler import advance, below, mixed
from riverboat.errors import IllegalAction
from riverboat.rules.betting import (
    ACTOR,
    BETS,
    CALL,
    FOLD,
    FOLDED,
    HEAD,
    OUT,
    PHASE,
    STREET,
    deal_on,
    legal,
    play,
    raise_by_size,
    start_hand,
    state_size,
)
from riverboat.rules.pots import write_payoffs
from riverboat.rules.public_state import PublicState
from riverboat.strength.evaluation import EMPTY_KEY, strength

I64 = NDArray[np.int64]
NOBODY = -1  # the actor where a hand is over


class TableArrays(NamedTuple):
    """The hands of N tables."""

    states: I64  # [N, state], see betting.py
    deals: I64  # [N, board + P * holding]: the whole board, then the cards of each seat
    deck: I64  # scratch for shuffling
    places: I64  # [52], the place of each card in the deck
    seeds: NDArray[np.uint64]  # [N], states of the random generators of the deals
    street_bets: I64  # [N, S, P], what each seat has bet on each street
    payoffs: I64  # [N, P], chips won or lost; zeros until the hand is over
    actors: I64  # [N], the seat to act or NOBODY
    raises: I64  # [N, A], the chips each action raises to; 0 if it is no raise
    masks: NDArray[np.int8]  # [N, A], 1 where the actor may choose an action
    observations: NDArray[np.float32]  # [N, F], of the actor


class Hands:
    """Hands of a game at N tables, which start and go on independently."""

    def __init__(self, game: LearningGame, table_count: int = 1) -> None:
        """Make tables without hands: call `start` first."""
        self.game = game
        self.arrays, self._game = _empty(game, table_count), game_arrays(game)

    def seed(self, rng: np.random.Generator) -> None:
        """Begin the deals of every table anew."""
        self.arrays.seeds[:] = rng.integers(0, 2**64, len(self.arrays.seeds), np.uint64)

    def start(self, table: int) -> None:
        """Deal a new hand at a table."""
        start_table(self._game, self.arrays, table)

    def chips_of(self, table: int, number: int) -> int:
        """Return an action by its number as the rules write it: fold, call, or the chips to raise to."""
        if not (0 <= number < self.arrays.masks.shape[1] and self.arrays.masks[table, number]):
            self._refuse(table, number)
        return int(_action(self.arrays, table, number))

    def _refuse(self, table: int, number: int) -> NoReturn:
        if self.arrays.actors[table] == NOBODY:
            raise IllegalAction("nobody is to act: the hand is over")
        possible = np.flatnonzero(self.arrays.masks[table]).tolist()
        raise IllegalAction(f"the actor cannot choose action {number}, only {', '.join(map(str, possible))}")

    def choose(self, table: int, number: int) -> None:
        """Let the actor of a table choose an action by its number."""
        if not (0 <= number < self.arrays.masks.shape[1] and self.arrays.masks[table, number]):
            self._refuse(table, number)
        choose_at(self._game, self.arrays, table, number)

    def play(self, table: int, action: int) -> None:
        """Let the actor of a table fold, call or raise to a number of chips, of the listed sizes or not."""
        if not legal(self._game.rules, self.arrays.states[table], action):
            self.public_state(table).verify_action(action)
        play_at(self._game, self.arrays, table, action)

    def public_state(self, table: int) -> PublicState:
        """Return what everybody at a table sees."""
        flat = self.arrays.states[table].copy()
        flat.setflags(write=False)
        board = self.arrays.deals[table, : self._game.board_sizes[flat[STREET]]]
        return PublicState(self.game.variant, self._game.rules, flat, tuple(board.tolist()))

    def holding(self, table: int, seat: int) -> tuple[int, ...]:
        """Return the private cards of a seat."""
        size = self._game.holding_size
        first = self._game.board_sizes[-1] + size * seat
        return tuple(sorted(self.arrays.deals[table, first : first + size].tolist(), reverse=True))


def _empty(game: LearningGame, table_count: int) -> TableArrays:
    variant, players, actions = game.variant, game.player_count, game.action_count
    places = np.zeros(NO_BOARD, np.int64)
    places[list(variant.deck.cards)] = np.arange(len(variant.deck.cards))
    return TableArrays(
        states=np.zeros((table_count, state_size(players)), np.int64),
        deals=np.zeros((table_count, variant.board_sizes[-1] + players * variant.deck.holding_size), np.int64),
        deck=np.array(variant.deck.cards, np.int64),
        places=places,
        seeds=np.zeros(table_count, np.uint64),
        street_bets=np.zeros((table_count, len(variant.streets), players), np.int64),
        payoffs=np.zeros((table_count, players), np.int64),
        actors=np.full(table_count, NOBODY, np.int64),
        raises=np.zeros((table_count, actions), np.int64),
        masks=np.zeros((table_count, actions), np.int8),
        observations=np.zeros((table_count, observation_size(game)), np.float32),
    )


@kernel
def start_table(game: GameArrays, hands: TableArrays, table: int) -> None:
    """Deal a new hand at a table and observe it."""
    _shuffle(game, hands, table)
    hands.street_bets[table] = 0
    hands.payoffs[table] = 0
    state = hands.states[table]
    start_hand(game.rules, game.stacks, state)
    count = game.stacks.size
    hands.street_bets[table, 0] = state[HEAD + BETS * count : HEAD + (BETS + 1) * count]
    deal_on(game.rules, state)
    _look(game, hands, table)


@kernel
def _shuffle(game: GameArrays, hands: TableArrays, table: int) -> None:
    """Deal the cards of a hand: a function of the table's seed, which moves on."""
    random, deal, deck = hands.seeds[table], hands.deals[table], hands.deck
    deck[:] = game.deck
    for i in range(deal.size):
        random = advance(random)
        j = i + np.int64(below(mixed(random), np.uint64(deck.size - i)))
        deck[i], deck[j] = deck[j], deck[i]
        deal[i] = deck[i]
    hands.seeds[table] = random


@kernel
def _action(hands: TableArrays, table: int, number: int) -> int:
    """Return an action by its number as the rules write it."""
    if number >= FIRST_RAISE:
        return int(hands.raises[table, number])
    return FOLD if number == FOLD_NUMBER else CALL


@kernel
def choose_at(game: GameArrays, hands: TableArrays, table: int, number: int) -> None:
    """Play an action by its number, which must be possible."""
    play_at(game, hands, table, _action(hands, table, number))


@kernel
def play_at(game: GameArrays, hands: TableArrays, table: int, action: int) -> None:
    """Play a legal action, and go on to the next decision or the end of the hand."""
    state, count = hands.states[table], game.stacks.size
    seat, street = state[ACTOR], state[STREET]
    play(game.rules, state, action)
    hands.street_bets[table, street, seat] = state[HEAD + BETS * count + seat]
    deal_on(game.rules, state)
    _look(game, hands, table)


@kernel
def _look(game: GameArrays, hands: TableArrays, table: int) -> None:
    """Write what the actor can do and observes; if the hand is over, who won."""
    state, mask, raises = hands.states[table], hands.masks[table], hands.raises[table]
    mask[:] = 0
    raises[:] = 0
    if state[PHASE] >= FOLDED:
        hands.actors[table] = NOBODY
        hands.observations[table] = 0.0
        _settle(game, hands, table)
        return
    hands.actors[table] = state[ACTOR]
    mask[FOLD_NUMBER], mask[CALL_NUMBER] = legal(game.rules, state, FOLD), 1
    for i in range(mask.size - FIRST_RAISE):
        to = raise_by_size(game.rules, state, game.sizes, i)
        raises[FIRST_RAISE + i] = to
        mask[FIRST_RAISE + i] = to > 0
        for other in range(i):  # sizes that come to the same raise are one action, the first
            if raises[FIRST_RAISE + other] == to:
                mask[FIRST_RAISE + i] = 0
    write_observation(
        game, state, hands.deals[table], hands.street_bets[table], hands.places, hands.observations[table]
    )


@kernel
def _settle(game: GameArrays, hands: TableArrays, table: int) -> None:
    """Write the chips that each seat has won or lost."""
    state, payoffs, count = hands.states[table], hands.payoffs[table], game.stacks.size
    payoffs[:] = 0  # if nobody compares hands, the last seat left wins with any strength
    if state[PHASE] != FOLDED:
        for seat in range(count):
            if not state[HEAD + OUT * count + seat]:
                payoffs[seat] = _strength_of_seat(game, hands.deals[table], seat)
    write_payoffs(game.rules, state, payoffs)


@kernel
def _strength_of_seat(game: GameArrays, deal: I64, seat: int) -> int:
    """Return the strength of a seat's cards on the whole board."""
    board_size = game.board_sizes[-1]
    first = board_size + game.holding_size * seat
    if game.pair_strengths.shape[0] > 0:
        return int(game.pair_strengths[deal[first], deal[0] if board_size else NO_BOARD])
    key, bits = EMPTY_KEY, np.uint64(0)
    for i in range(board_size):
        key += game.strengths.card_keys[deal[i]]
        bits |= game.strengths.card_bits[deal[i]]
    for i in range(first, first + game.holding_size):
        key += game.strengths.card_keys[deal[i]]
        bits |= game.strengths.card_bits[deal[i]]
    return int(strength(key, bits, game.strengths))
