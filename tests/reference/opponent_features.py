"""Features of a decision, one by one from their definitions, from a hand's states and moves so far."""

from collections.abc import Sequence
from itertools import combinations

from riverboat.rules.state import PublicState
from tests.reference.players import kind_of

SHARES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
KINDS = ("fold", "check", "call", "bet", "raise")
PASSIVE, AGGRESSIVE = ("check", "call"), ("bet", "raise")
STREETS = ("preflop", "flop", "turn", "river")
BOARD_SIZES = (0, 3, 4, 5)

Past = Sequence[tuple[PublicState, int]]  # each state in which somebody moved, and the move


def move_class(state: PublicState, move: int) -> int:
    """Return 0 fold, 1 check, 2 call, 3 to 9 bets and 10 to 16 raises by size."""
    kind = kind_of(state, move)
    if kind in ("fold", "check", "call"):
        return KINDS.index(kind)
    pot = state.pot + state.to_call
    sizes = [(float(state.full_raise), 0)]
    sizes += [(share * pot, place) for place, share in enumerate(SHARES, start=1) if share * pot > state.full_raise]
    by = move - state.bet
    below = [size for size in sizes if size[0] <= by] or sizes[:1]
    above = [size for size in sizes if size[0] > by]
    nearest = below[-1]
    if above and by > nearest[0] and nearest[0] / by < by / above[0][0]:
        nearest = above[0]
    return (3 if kind == "bet" else 10) + nearest[1]


def features(state: PublicState, past: Past) -> dict[str, float]:
    """Return the features of the decision that a state waits for, by name."""
    seat, blind = state.actor, state.variant.big_blind
    assert seat is not None
    here = [(before, move) for before, move in past if before.street == state.street]
    since = [
        (before, move)
        for place, (before, move) in enumerate(here)
        if not any(kind_of(*later) in AGGRESSIVE for later in here[place:])
    ]
    aggressors = [before.actor for before, move in here if kind_of(before, move) in AGGRESSIVE]
    aggressor = aggressors[-1] if aggressors else None
    count, totals = state.player_count, [a + b for a, b in zip(state.stacks, state.bets, strict=True)]
    others = [other for other in range(count) if other != seat and not state.folded[other]]
    to_aggressor = min(totals[seat], totals[aggressor]) if aggressor in others and aggressor is not None else 0
    own = [(before, move) for before, move in past if before.actor == seat]
    numbers = {
        "active_players": len(others) + 1,
        "active_share": (len(others) + 1) / count,
        "all_in_with_call": state.to_call > 0 and state.to_call == state.stacks[seat],
        "to_call": state.to_call / blind,
        "callers_since_raise": sum(kind_of(*one) == "call" for one in since),
        "effective_stack": max(min(totals[seat], totals[other]) for other in others) / blind,
        "effective_stack_to_aggressor": to_aggressor / blind,
        "implied_odds": state.to_call / (state.to_call + state.pot + to_aggressor),
        "is_last_to_act": all(other < seat for other in others),
        "is_after_aggressor": aggressor is not None and seat > aggressor,
        "players_behind": sum(other > seat for other in others),
        "own_last_move": move_class(*own[-1]) if own else -1,
        "own_last_kind": KINDS.index(kind_of(*own[-1])) if own else -1,
        "players_acted": len(since),
        "players_to_act": sum(
            state.stacks[other] > 0 and (state.levels[other] < 0 or state.bets[other] < state.bet) for other in others
        ),
        "pot_odds": state.to_call / (state.to_call + state.pot),
        "pot": state.pot / blind,
        "stack": state.stacks[seat] / blind,
    }
    return {**numbers, **_streets(state, past, seat), **_board(state)}


def _streets(state: PublicState, past: Past, seat: int) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for street, name in enumerate(STREETS):
        moves = [(before, kind_of(before, move)) for before, move in past if before.street == street]
        bets = [before.actor for before, kind in moves if kind in AGGRESSIVE]
        passive = sum(kind in PASSIVE for _, kind in moves)
        numbers[f"aggressive_share_{name}"] = len(bets) / (len(bets) + passive) if bets else 0
        numbers[f"bets_{name}"] = len(bets)
        if name != "river":
            numbers[f"was_aggressor_{name}"] = street < state.street and bets[-1:] == [seat]
    return numbers


def _board(state: PublicState) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for street, name in enumerate(STREETS[1:], start=1):
        board = state.board[: BOARD_SIZES[street]] if street <= state.street else ()
        numbers[f"highest_card_{name}"] = max((card // 4 for card in board), default=-1)
        numbers[f"most_of_suit_{name}"] = max((sum(c % 4 == card % 4 for c in board) for card in board), default=0)
        numbers[f"straights_{name}"] = straight_share(board) if board else 0
    ranks = [card // 4 for card in state.board]
    numbers["average_rank"] = sum(ranks) / len(ranks) if ranks else 0
    numbers["most_of_rank"] = max(map(ranks.count, ranks), default=0)
    numbers["high_cards"] = len({rank for rank in ranks if rank >= 9})
    return numbers


def straight_share(board: Sequence[int]) -> float:
    """Return the share of the holdings that make a straight with a board."""
    holdings = list(combinations([card for card in range(52) if card not in board], 2))
    made = 0
    for holding in holdings:
        ranks = {card // 4 for card in (*board, *holding)}
        runs = ({low, low + 1, low + 2, low + 3, low + 4} for low in range(9))
        made += {12, 0, 1, 2, 3} <= ranks or any(run <= ranks for run in runs)
    return made / len(holdings)
