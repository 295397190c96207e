"""Explains decisions: what each action is worth to a holding, and how the ranges compare.

The ranges and solutions come from studying the hand (`hand_study.py`). The last two streets are solved to the end of
the hand. On earlier streets the tree ends at the next deal, and what follows is estimated: by a value network if the
resolver has one for the deck and street, otherwise as if nobody bet again. The explanation says which.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from riverboat.cards import check_cards, format_cards
from riverboat.clients.analysis.comparison import compare, strengths_now
from riverboat.clients.analysis.explanation import Choice, Explanation, Response
from riverboat.clients.analysis.hand_study import HandStudy, Tell, TurnToStudy
from riverboat.clients.analysis.street_solution import StreetSolution
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import NodeAnswer
from riverboat.errors import InvalidInput
from riverboat.holdings import check_holding, holding_index, live_holdings
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64

_PLAYERS = 2
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
    check_two(public)
    if public.actor is None:
        raise InvalidInput("", "nobody is to act, so there is nothing to explain")
    turns = [*decisions, (public, taken)]
    (explained,) = explanations(link, turns, seat=public.actor, holding=holding, wanted=[len(decisions)], tell=tell)
    return explained


def check_two(public: PublicState) -> None:
    """Raise InvalidInput unless two players were dealt in."""
    if public.player_count != _PLAYERS:
        raise InvalidInput("", f"only two-player hands can be explained, and this one has {public.player_count}")


def explanations(
    link: ResolverClient,
    turns: Sequence[TurnToStudy],
    *,
    seat: int,
    holding: tuple[int, ...],
    wanted: Sequence[int],
    tell: Tell | None = None,
) -> Iterator[Explanation]:
    """Yield an explanation of each wanted turn of a hand, by its number; all are decisions of one seat, in order."""
    public = turns[wanted[-1]][0]
    deck = public.variant.deck
    check_two(public)
    check_holding(deck, holding)
    check_cards(deck, holding, public.board)
    place = holding_index(deck, holding)
    study = HandStudy(link, turns, seat, place, tell)
    for number, solution in study.stops(wanted):
        yield _explained(study, turns[number], solution, seat, holding)


def _explained(
    study: HandStudy, turn: TurnToStudy, solution: StreetSolution, seat: int, holding: tuple[int, ...]
) -> Explanation:
    public, taken = turn
    deck = public.variant.deck
    place, node = holding_index(deck, holding), solution.node()
    ranges = node.reach / np.maximum(node.reach.max(axis=1, keepdims=True), _NOTHING)
    opponent = ranges[1 - seat] * live_holdings(deck, holding)
    if not opponent.any():
        raise InvalidInput("holding", f"with {format_cards(holding)} held, the opponent's range is empty")
    ahead = _ahead(public, place)
    responses = {action: _response(solution.node(action), opponent, ahead) for action in node.actions if action > CALL}
    cost = solution.cost
    return Explanation(
        public=public,
        seat=seat,
        holding=holding,
        taken=taken,
        choices=_choices(node, ranges[seat], place, responses),
        ranges=ranges,
        equity=float(node.equity[seat, place]),
        comparison=compare(deck, public.board, holding, opponent),
        exploitability=max(0.0, cost.exploitability),
        scope=cost.scope,
        leaf=cost.leaf,
        read_count=study.read_count - study.solved_count * bool(public.board),
        resolved_count=study.resolved_count - study.solved_count * (not public.board),
        solved_count=study.solved_count,
    )


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
