"""Explains decisions: follows both ranges through the hand, then solves the spot once more.

The ranges come from following the hand (`tracker.py`). The spot is then solved with more iterations than play needs.
The last two streets are solved to the end of the hand. On earlier streets the tree ends at the next deal, and what
follows is estimated: by a value network if the resolver has one for the deck and street, otherwise as if nobody bet
any more. The explanation says which.
"""

from collections.abc import Callable, Sequence

import numpy as np

from riverboat.cards import check_cards, format_cards
from riverboat.clients.analysis.comparison import compare, strengths_now
from riverboat.clients.analysis.explanation import Choice, Explanation, Response
from riverboat.clients.analysis.plans import DecisionPlan, plan_of, root_of
from riverboat.clients.analysis.tracker import TakenAction, Tracker
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import NodeAnswer, Solved
from riverboat.errors import InvalidInput
from riverboat.holdings import check_holding, holding_index, live_holdings
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState
from riverboat.solving.loop import Limits
from riverboat.solving.subgame import F64
from riverboat.streets import is_cut

Tell = Callable[[float], None]  # how much is done, 0 to 1

MISTAKES = 0.1  # how often the player is assumed to deviate from the strategy
_PLAYERS = 2
_TIMES = 4  # as many iterations as play needs
_EXPLOITABILITY = 1e-3  # of the pot: precise enough
_LEAST_WEIGHT = 2e-3  # of the holding that is held: the player has it, whatever the range says
_TRACKED = 0.3  # of all the work: following the hand
_NOTHING = 1e-12


def explain(
    link: ResolverClient,
    decisions: Sequence[TakenAction],
    public: PublicState,
    holding: tuple[int, ...],
    taken: int | None = None,
    tell: Tell | None = None,
) -> Explanation:
    """Explain the decision of the player to act in a state, after the decisions of the hand before it."""
    return explain_next(
        link,
        tracker_for(link, public),
        decisions=decisions,
        public=public,
        holding=holding,
        taken=taken,
        tell=tell,
    )


def tracker_for(link: ResolverClient, public: PublicState) -> Tracker:
    """Return a tracker that follows a two-player hand from the actor's side; raise for hands of more."""
    check_two(public)
    if public.actor is None:
        raise InvalidInput("", "nobody is to act, so there is nothing to explain")
    return Tracker(link, public.actor, MISTAKES)


def check_two(public: PublicState) -> None:
    """Raise unless two play."""
    if public.player_count != _PLAYERS:
        raise InvalidInput("", f"only two-player hands can be explained, and this one has {public.player_count}")


def explain_next(
    link: ResolverClient,
    tracker: Tracker,
    *,
    decisions: Sequence[TakenAction],
    public: PublicState,
    holding: tuple[int, ...],
    taken: int | None,
    tell: Tell | None = None,
) -> Explanation:
    """Explain a decision with a tracker that may have followed a part of the hand already."""
    seat, deck = public.actor or 0, public.variant.deck
    check_holding(deck, holding)
    check_cards(deck, holding, public.board)
    ranges = _follow(tracker, decisions, public, tell)
    place = holding_index(deck, holding)
    ranges[seat, place] = max(ranges[seat, place], _LEAST_WEIGHT)
    opponent = ranges[1 - seat] * live_holdings(deck, holding)
    if not opponent.any():
        raise InvalidInput("holding", f"with {format_cards(holding)} held, the opponent's range is empty")
    solved = _solve(link, public, taken, ranges, tell)
    root, raised = _nodes(link, solved.handle)
    ahead = _ahead(public, place)
    responses = {action: _response(node, opponent, ahead) for action, node in raised.items()}
    return Explanation(
        public=public,
        seat=seat,
        holding=holding,
        taken=taken,
        choices=_choices(root, ranges[seat], place, responses),
        ranges=ranges,
        equity=float(root.equity[seat, place]),
        comparison=compare(deck, public.board, holding, opponent),
        exploitability=max(0.0, solved.cost.exploitability),
        scope=solved.cost.scope,
        leaf=solved.cost.leaf,
        read_count=tracker.read_count,
        resolved_count=tracker.resolved_count,
    )


def _follow(tracker: Tracker, decisions: Sequence[TakenAction], public: PublicState, tell: Tell | None) -> F64:
    """Return both ranges after some decisions [2, H], and tell how far it is after each."""
    for count in range(min(tracker.seen_count, len(decisions)) + 1, len(decisions)):
        tracker.ranges_after(decisions[:count], public)
        if tell:
            tell(_TRACKED * count / len(decisions))
    return tracker.ranges_after(decisions, public)


def _depth(public: PublicState, has_network: bool) -> tuple[int, int] | None:
    """Return where to cut: at the next deal, or right after it for a network that knows its cards."""
    return (public.street + 1, int(has_network and bool(public.board))) if is_cut(public.streets_left) else None


def _plan(public: PublicState, taken: int | None, has_network: bool) -> DecisionPlan:
    # More iterations than play has would only exploit a network's errors.
    by_network = has_network and is_cut(public.streets_left)
    plan = plan_of(public, has_network) if by_network else plan_of(public).harder(_TIMES)
    if taken is None or taken <= CALL:
        return plan
    in_tree = taken in restricted_actions(public, parse_bet_sizes(plan.bet_sizes(public.street)))
    return plan if in_tree else plan.with_raise(public, taken)


def _solve(link: ResolverClient, public: PublicState, taken: int | None, ranges: F64, tell: Tell | None) -> Solved:
    has_network = link.knows_beyond(public)
    plan = _plan(public, taken, has_network)
    limits = Limits(plan.iterations, _EXPLOITABILITY * public.pot)
    sizes, depth = plan.bet_sizes(public.street), _depth(public, has_network)
    steps = link.solve(root_of(public), sizes, ranges, limits, depth=depth)
    solved = next(steps)
    while not solved.handle:  # the last message has it
        if tell:
            tell(_TRACKED + (1 - _TRACKED) * min(1.0, solved.cost.iterations / plan.iterations))
        solved = next(steps)
    return solved


def _nodes(link: ResolverClient, handle: str) -> tuple[NodeAnswer, dict[int, NodeAnswer]]:
    """Return the root of a solution and the nodes after its raises, and release the solution."""
    try:
        root = link.node(handle)
        return root, {action: link.node(handle, [action]) for action in root.actions if action > CALL}
    finally:
        link.release(handle)


def _choices(root: NodeAnswer, weights: F64, place: int, responses: dict[int, Response]) -> tuple[Choice, ...]:
    shares = weights / weights.sum()
    evs = [
        0.0 if action == FOLD else float(ev) for action, ev in zip(root.actions, root.action_evs[:, place], strict=True)
    ]
    often = root.strategy @ shares
    return tuple(
        Choice(
            action=action,
            frequency=float(root.strategy[i, place]),
            range_frequency=float(often[i]),
            ev=evs[i],
            loss=max(evs) - evs[i],
            response=responses.get(action),
        )
        for i, action in enumerate(root.actions)
    )


def _ahead(public: PublicState, place: int) -> F64:
    """Return 1 for each holding that is ahead of the one at a place, -1 for each that is behind [H]."""
    strengths = strengths_now(public.variant.deck, public.board)
    signs: F64 = np.sign(strengths - strengths[place]).astype(np.float64)
    return signs


def _response(node: NodeAnswer, opponent: F64, ahead: F64) -> Response:
    """Return the opponent's range after a raise, in words."""
    folding = opponent * node.strategy[node.actions.index(FOLD)]
    staying = opponent - folding
    return Response(
        folds=float(folding.sum() / opponent.sum()),
        better_folds=float(folding[ahead > 0].sum() / max(folding.sum(), _NOTHING)),
        beaten_stays=float(staying[ahead < 0].sum() / max(staying.sum(), _NOTHING)),
    )
