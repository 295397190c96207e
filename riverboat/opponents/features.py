"""Features of a decision, for models that predict it: what everybody at the table can see, without private cards.

The same kernels serve offline, over stored hands, and online, at a table: `start_record` at the start of a hand,
`write_features` before a decision, and `record_move` before each move is played. Amounts are in big blinds. A feature
that has no meaning in a situation is 0; a missing rank is -1.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.opponents.counting import BETS, CHECKS, FOLDS, kind_of_move
from riverboat.opponents.moves import class_of_move
from riverboat.rules.betting import ACTOR, BET, HEAD, LEVELS, OUT, POT, STACKS, STREET, TO_CALL
from riverboat.rules.betting import BETS as SEAT_BETS
from riverboat.rules.variant import SEAT_COUNT
from riverboat.streets import STREETS

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

STREET_COUNT = len(STREETS)
NAMES = (
    "active_players", "active_share", "aggressive_share_preflop", "aggressive_share_flop", "aggressive_share_turn",
    "aggressive_share_river", "all_in_with_call", "to_call", "average_rank", "callers_since_raise",
    "effective_stack", "effective_stack_to_aggressor", "highest_card_flop", "highest_card_turn", "highest_card_river",
    "implied_odds", "is_last_to_act", "is_after_aggressor", "most_of_suit_flop", "most_of_suit_turn",
    "most_of_suit_river", "most_of_rank", "bets_preflop", "bets_flop", "bets_turn", "bets_river", "high_cards",
    "players_behind", "own_last_move", "own_last_kind", "players_acted", "players_to_act", "pot_odds", "pot", "stack",
    "straights_flop", "straights_turn", "straights_river", "was_aggressor_preflop", "was_aggressor_flop",
    "was_aggressor_turn",
)  # fmt: skip
FEATURE_COUNT = len(NAMES)
(
    _ACTIVE, _ACTIVE_SHARE, _AGGRESSIVE, _, _, _, _ALL_IN, _TO_CALL, _AVERAGE_RANK, _CALLERS, _EFFECTIVE,
    _EFFECTIVE_AGGRESSOR, _HIGHEST, _, _, _IMPLIED, _LAST, _AFTER, _SUITS, _, _, _RANKS, _BETS, _, _, _, _HIGH_CARDS,
    _BEHIND, _OWN_MOVE, _OWN_KIND, _ACTED, _TO_ACT, _POT_ODDS, _POT, _STACK, _STRAIGHTS, _, _, _WAS_AGGRESSOR, _, _,
) = range(FEATURE_COUNT)  # fmt: skip

# Places in the record of a hand: for each street aggressive and passive moves and the last aggressor; then callers and
# players who have acted since the last bet or raise on this street, and that street; then each seat's last class and
# kind of move.
_AGGRESSIVE_MOVES, _PASSIVE_MOVES, _AGGRESSORS = 0, STREET_COUNT, 2 * STREET_COUNT
_CALLED, _PLAYED, _NOW = 3 * STREET_COUNT, 3 * STREET_COUNT + 1, 3 * STREET_COUNT + 2
_SEATS = 3 * STREET_COUNT + 3
NONE = -1

_JACK = 9
_BOARD_SIZES = np.array([0, 3, 4, 5])
_RUNS = np.array([0b11111 << low for low in range(9)] + [0b1111 | 1 << 12])
_IS_STRAIGHT = np.array([any(mask & run == run for run in _RUNS.tolist()) for mask in range(1 << 13)])


@kernel
def record_size(player_count: int) -> int:
    """Return the length of the record of a hand."""
    return _SEATS + 2 * player_count


@kernel
def situation_of(street: int, faces_bet: bool) -> int:
    """Return the situation of a decision, 0 to 7: by street, and by whether there is a bet to call."""
    return 2 * street + int(faces_bet)


@kernel
def start_record(record: I64) -> None:
    """Begin the record of a hand."""
    record[:] = 0
    record[_AGGRESSORS : _AGGRESSORS + STREET_COUNT] = NONE
    record[_SEATS:] = NONE


@kernel
def aggressor_of(record: I64, street: int) -> int:
    """Return the seat that made the last bet or raise on a street; NONE if nobody did."""
    return int(record[_AGGRESSORS + street])


@kernel
def record_move(rules: I64, state: I64, record: I64, move: int) -> None:
    """Add a move that is about to be played."""
    count, seat, street = rules[SEAT_COUNT], state[ACTOR], state[STREET]
    _turn_to(record, street)
    kind = kind_of_move(state, move)
    record[_SEATS + seat] = class_of_move(state, move)
    record[_SEATS + count + seat] = kind
    if kind >= BETS:
        record[_AGGRESSIVE_MOVES + street] += 1
        record[_AGGRESSORS + street] = seat
        record[_CALLED] = 0
        record[_PLAYED] = 0
        return
    record[_PLAYED] += 1
    if kind != FOLDS:
        record[_PASSIVE_MOVES + street] += 1
        record[_CALLED] += kind != CHECKS


@kernel
def _turn_to(record: I64, street: int) -> None:
    """Forget what was counted since the last raise, if a new street has begun."""
    if record[_NOW] != street:
        record[_NOW], record[_CALLED], record[_PLAYED] = street, 0, 0


@kernel
def write_features(rules: I64, state: I64, record: I64, board: U8, big_blind: int, out: F64) -> None:
    """Write the features [FEATURE_COUNT] of the decision that `state` waits for; board [5] may be longer than now."""
    count, seat, street = rules[SEAT_COUNT], state[ACTOR], state[STREET]
    _turn_to(record, street)
    out[:] = 0
    stack, to_call, pot = state[HEAD + STACKS * count + seat], state[TO_CALL], state[POT]
    own = stack + state[HEAD + SEAT_BETS * count + seat]
    aggressor = record[_AGGRESSORS + street]
    out[_LAST] = 1
    for other in range(count):
        if state[HEAD + OUT * count + other]:
            continue
        out[_ACTIVE] += 1
        if other == seat:
            continue
        theirs = state[HEAD + STACKS * count + other] + state[HEAD + SEAT_BETS * count + other]
        out[_EFFECTIVE] = max(out[_EFFECTIVE], min(own, theirs) / big_blind)
        if other == aggressor:
            out[_EFFECTIVE_AGGRESSOR] = min(own, theirs) / big_blind
        if other > seat:
            out[_BEHIND] += 1
            out[_LAST] = 0
        can_act = state[HEAD + STACKS * count + other] > 0
        has_to = state[HEAD + LEVELS * count + other] < 0 or state[HEAD + SEAT_BETS * count + other] < state[BET]
        out[_TO_ACT] += can_act and has_to
    out[_ACTIVE_SHARE] = out[_ACTIVE] / count
    out[_AFTER] = aggressor >= 0 and seat > aggressor
    out[_TO_CALL], out[_POT], out[_STACK] = to_call / big_blind, pot / big_blind, stack / big_blind
    out[_ALL_IN] = to_call > 0 and to_call >= stack
    out[_POT_ODDS] = to_call / (to_call + pot)
    out[_IMPLIED] = to_call / (to_call + pot + out[_EFFECTIVE_AGGRESSOR] * big_blind)
    out[_CALLERS], out[_ACTED] = record[_CALLED], record[_PLAYED]
    out[_OWN_MOVE], out[_OWN_KIND] = record[_SEATS + seat], record[_SEATS + count + seat]
    for past in range(street + 1):
        bets, passive = record[_AGGRESSIVE_MOVES + past], record[_PASSIVE_MOVES + past]
        out[_AGGRESSIVE + past] = bets / max(1, bets + passive)
        out[_BETS + past] = bets
        if past < street:
            out[_WAS_AGGRESSOR + past] = record[_AGGRESSORS + past] == seat
    _write_board(board, street, out)


@kernel
def _write_board(board: U8, street: int, out: F64) -> None:
    """Write the features of the board, as it is now and as it was on each earlier street."""
    for place in range(STREET_COUNT - 1):
        out[_HIGHEST + place] = NONE
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    for now in range(1, street + 1):
        for card in board[_BOARD_SIZES[now - 1] : _BOARD_SIZES[now]]:
            ranks[card >> 2] += 1
            suits[card & 3] += 1
        for rank in range(13):
            if ranks[rank]:
                out[_HIGHEST + now - 1] = rank
        out[_SUITS + now - 1] = suits.max()
        out[_STRAIGHTS + now - 1] = straight_share(ranks)
    if street > 0:
        out[_RANKS] = ranks.max()
        for rank in range(13):
            out[_AVERAGE_RANK] += rank * ranks[rank] / _BOARD_SIZES[street]
            out[_HIGH_CARDS] += rank >= _JACK and ranks[rank] > 0


@kernel
def straight_share(ranks: I64) -> float:
    """Return the share of all holdings that make a straight with a board of these ranks [13]."""
    mask, left = 0, 52
    for rank in range(13):
        left -= ranks[rank]
        if ranks[rank]:
            mask |= 1 << rank
    made = 0
    for high in range(13):
        for low in range(high + 1):
            if _IS_STRAIGHT[mask | 1 << high | 1 << low]:
                a, b = 4 - ranks[high], 4 - ranks[low]
                made += a * b if high != low else a * (a - 1) // 2
    return made / (left * (left - 1) / 2)
