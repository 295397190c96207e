"""Why to do what: both ranges before a decision, what each action is worth, and how the holding stands.

The ranges come from following the hand (`tracking.py`). The spot is then solved anew, with more iterations than play
needs. The last two streets are solved to the end of the hand; before that the tree ends at the next deal, and what
lies behind it is estimated: by a value network if the resolver has one for the deck and street, otherwise as if nobody
bet any more. The explanation says which.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from riverboat.cards import check_cards, format_cards
from riverboat.clients.analysis.comparison import Standing, standing_of, strengths_now
from riverboat.clients.analysis.plans import Plan, plan_of, root_of
from riverboat.clients.analysis.tracker import Tracker
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import NodeAnswer, Scope, Solved
from riverboat.errors import InvalidInput
from riverboat.holdings import check_holding, holding_index, live_holdings
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState
from riverboat.solving.solve import Limits
from riverboat.solving.subgame import F64

Decision = tuple[PublicState, int]  # a state, and what was done in it
Tell = Callable[[float], None]  # how much is done, 0 to 1

MISTAKES = 0.1  # how often the player is thought to do something else than the strategy says
_PLAYERS = 2
_TIMES = 4  # as many iterations as play needs
_EXPLOITABILITY = 1e-3  # of the pot: precise enough
_SLACK = 1e-2  # of the pot: values of single holdings are known less well than their average
_POSSIBLE = 2e-3  # weight of the holding that is held, at least: whatever its range says, it is there
_TRACKED = 0.3  # of all the work: following the hand


@dataclass(frozen=True, slots=True)
class Response:
    """What the opponent does after a raise."""

    folds: float  # share of its range that folds
    better_folds: float  # share of what folds that is ahead of the holding
    beaten_stays: float  # share of what stays in that the holding is ahead of


@dataclass(frozen=True, slots=True)
class Choice:
    """One action, for the holding that is held."""

    action: int
    frequency: float
    range_frequency: float  # over the whole range
    ev: float  # chips, counted from here on as a share of what will be in the pot; folding is 0
    loss: float  # chips less than the best action
    response: Response | None  # to a raise


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """All there is to know about one decision of one holding."""

    public: PublicState
    seat: int
    holding: tuple[int, ...]
    taken: int | None  # what was done, if that is known
    choices: tuple[Choice, ...]  # fold, call, raises in ascending order
    ranges: F64  # [2, H] by seat, each up to one
    equity: float  # share of the pot if nobody bets any more
    standing: Standing
    exploitability: float  # chips, in `scope`
    scope: Scope = Scope.WHOLE
    leaf: str = ""  # what lay below the cut: "equity", the name of a network, or nothing
    read_count: int = 0  # the opponent's actions after the flop, which its range was guessed from by reading them
    resolved_count: int = 0  # and those before the flop, by re-solving

    @property
    def best(self) -> Choice:
        """The action that is worth most."""
        return max(self.choices, key=lambda choice: choice.ev)

    @property
    def slack(self) -> float:
        """Chips up to which two values may be the same."""
        return max(self.exploitability, _SLACK * self.public.pot)

    @property
    def is_estimate(self) -> bool:
        """Whether what lies behind the next deal was estimated."""
        return bool(self.leaf)

    def choice(self, action: int) -> Choice:
        """The choice that is this action."""
        return next(choice for choice in self.choices if choice.action == action)


def explain(
    link: ResolverClient,
    decisions: Sequence[Decision],
    public: PublicState,
    holding: tuple[int, ...],
    taken: int | None = None,
    tell: Tell | None = None,
) -> Explanation:
    """Explain a decision of whoever is to act in a state, after the decisions of the hand before it."""
    return explain_next(link, tracker_for(link, public), decisions, public, holding, taken, tell)


def tracker_for(link: ResolverClient, public: PublicState) -> Tracker:
    """What follows a hand of two players from the actor's side; raises for hands of more."""
    check_two(public)
    if public.actor is None:
        raise InvalidInput("", "nobody is to act, so there is nothing to explain")
    return Tracker(link, public.actor, MISTAKES)


def check_two(public: PublicState) -> None:
    """Raise unless two play."""
    if public.player_count != _PLAYERS:
        raise InvalidInput("", f"only hands of two players can be explained, and this one has {public.player_count}")


def explain_next(
    link: ResolverClient,
    tracker: Tracker,
    decisions: Sequence[Decision],
    public: PublicState,
    holding: tuple[int, ...],
    taken: int | None,
    tell: Tell | None = None,
) -> Explanation:
    """The same with a tracker that may have followed a part of the hand already."""
    seat, deck = public.actor or 0, public.variant.deck
    check_holding(deck, holding)
    check_cards(deck, holding, public.board)
    for count in range(min(tracker.seen_count, len(decisions)) + 1, len(decisions)):
        tracker.ranges_after(decisions[:count], public)
        if tell:
            tell(_TRACKED * count / len(decisions))
    ranges = tracker.ranges_after(decisions, public)
    place = holding_index(deck, holding)
    ranges[seat, place] = max(ranges[seat, place], _POSSIBLE)
    opponent = ranges[1 - seat] * live_holdings(deck, holding)
    if not opponent.any():
        raise InvalidInput("holding", f"with {format_cards(holding)} held, nothing is left that the opponent can have")
    solved = _solve(link, public, taken, ranges, tell)
    try:
        root = link.node(solved.handle)
        raised = {action: link.node(solved.handle, [action]) for action in root.actions if action > CALL}
    finally:
        link.release(solved.handle)
    ahead = _ahead(public, holding)
    responses = {action: _response(node, opponent, ahead) for action, node in raised.items()}
    return Explanation(
        public=public,
        seat=seat,
        holding=holding,
        taken=taken,
        choices=_choices(root, ranges[seat], place, responses),
        ranges=ranges,
        equity=float(root.equity[seat, place]),
        standing=standing_of(deck, public.board, holding, opponent),
        exploitability=max(0.0, solved.cost.exploitability),
        scope=solved.cost.scope,
        leaf=solved.cost.leaf,
        read_count=tracker.read_count,
        resolved_count=tracker.resolved_count,
    )


def is_cut(public: PublicState) -> bool:
    """Whether what follows the next deal is estimated: unless one street or none is to come."""
    return public.street + 2 < len(public.variant.streets)


def _depth(public: PublicState, has_network: bool) -> tuple[int, int] | None:
    """Where to cut: at the next deal, or right after it for a network that knows its cards."""
    return (public.street + 1, int(has_network and bool(public.board))) if is_cut(public) else None


def _plan(public: PublicState, taken: int | None, has_network: bool) -> Plan:
    # More iterations than play has would only make use of a network's errors.
    plan = plan_of(public, has_network) if has_network and is_cut(public) else plan_of(public).harder(_TIMES)
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


def _ahead(public: PublicState, holding: tuple[int, ...]) -> F64:
    """How each holding of the opponent compares with ours: 1 it is ahead, -1 behind [H]."""
    strengths = strengths_now(public.variant.deck, public.board)
    compared: F64 = np.sign(strengths - strengths[holding_index(public.variant.deck, holding)]).astype(np.float64)
    return compared


def _response(node: NodeAnswer, opponent: F64, ahead: F64) -> Response:
    """What happens to the opponent's range after a raise."""
    folding = opponent * node.strategy[node.actions.index(FOLD)]
    staying = opponent - folding
    return Response(
        folds=float(folding.sum() / opponent.sum()),
        better_folds=float(folding[ahead > 0].sum() / max(folding.sum(), 1e-12)),
        beaten_stays=float(staying[ahead < 0].sum() / max(staying.sum(), 1e-12)),
    )
