"""A player that re-solves at every decision, in games small enough for exact values."""

import numpy as np
import pytest

from riverboat.arena.bot import Strategy
from riverboat.arena.exploit import Ask, exploit
from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.resolving.local_solves import LocalSolution, LocalSolves
from riverboat.resolving.player import ContinualPlayer
from riverboat.resolving.solution import Bound, Passage, SolvedStart
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL
from riverboat.rules.state import PublicState, View, start
from riverboat.rules.variant import KUHN, LEDUC, Street, Structure, Variant
from riverboat.solving.memory import Precision
from riverboat.solving.subgame import F64

NO_LIMIT_LEDUC = Variant(
    name="no-limit leduc",
    deck=DECKS["leduc"],
    structure=Structure.NO_LIMIT,
    streets=(Street(0, 1), Street(1, 1)),
    blinds=(1, 2),
)


def solves(iterations: int, sizes: str = "all-in") -> LocalSolves:
    return LocalSolves(parse_bet_sizes(sizes), iterations, precision=Precision.DOUBLE)


def asked(iterations: int) -> Ask:
    players = [ContinualPlayer(solves(iterations), seat) for seat in (0, 1)]

    def ask(view: View) -> Strategy:
        decision = players[view.seat].decide(view)
        return Strategy(decision.actions, decision.strategy)

    return ask


def test_kuhn_is_lost_to_nobody() -> None:
    assert exploit(KUHN, 2, asked(300)).chips < 0.005


def test_leduc_is_lost_to_nobody() -> None:
    """It was .0158 when this test was written; always folding loses 1.00."""
    assert exploit(LEDUC, 13, asked(100)).chips < 0.02


def test_more_iterations_lose_less() -> None:
    lost = [exploit(LEDUC, 13, asked(iterations)).chips for iterations in (25, 100, 400)]
    assert lost == sorted(lost, reverse=True)


def leduc_view(board: tuple[int, ...], actions: tuple[int, ...]) -> View:
    state = start(LEDUC, [13, 13])
    for action in actions:
        if state.board_count:
            state = state.deal(board)
        state = state.play(action)
    if state.board_count:
        state = state.deal(board)
    assert state.actor is not None
    cards = [card for card in LEDUC.deck.cards if card not in board]
    return View(state.actor, state, (cards[0],), actions)


def test_it_may_begin_anywhere() -> None:
    board = (LEDUC.deck.cards[2],)
    views = [leduc_view(board, actions) for actions in ((CALL,), (CALL, 2, CALL, CALL), (CALL, 2, CALL, CALL, 4, 8))]
    views = [view for view in views if view.seat == views[0].seat]
    along = ContinualPlayer(solves(30), views[0].seat)
    for view in views:
        met = along.decide(view)
        anew = ContinualPlayer(solves(30), view.seat).decide(view)
        assert met.actions == anew.actions
        np.testing.assert_array_equal(met.strategy, anew.strategy)


def test_the_own_range_follows_the_own_strategy() -> None:
    board = (LEDUC.deck.cards[2],)
    player = ContinualPlayer(solves(100), 1)
    first = player.decide(leduc_view(board, (CALL,)))
    second = player.decide(leduc_view(board, (CALL, 2, CALL, CALL)))
    expected = first.own * first.strategy[first.actions.index(2)]
    live = np.arange(6) != 2
    expected = np.where(live, np.maximum(expected, 1e-6 * expected[live].max()), 0)
    np.testing.assert_allclose(second.own, expected / expected.sum(), rtol=1e-6)


class Counting:
    """Forwards questions, and records states and values."""

    def __init__(self, inner: LocalSolves) -> None:
        self._inner = inner
        self.asked: list[tuple[PublicState, F64 | None, int | None]] = []
        self.past: list[bool] = []
        self.start_count = 0

    def resolve(
        self, public: PublicState, own: F64, bound: Bound, is_past: bool = False, played: int | None = None
    ) -> LocalSolution:
        self.asked.append((public, bound.values, played))
        self.past.append(is_past)
        return self._inner.resolve(public, own, bound, is_past, played)

    def solve_start(self, public: PublicState, own: F64, other: F64, opponent: int) -> SolvedStart:
        self.start_count += 1
        return self._inner.solve_start(public, own, other, opponent)


def no_limit_view(actions: tuple[int, ...], seat: int) -> View:
    state = start(NO_LIMIT_LEDUC, [40, 40])
    for action in actions:
        state = state.play(action)
    assert state.actor == seat
    return View(seat, state, (NO_LIMIT_LEDUC.deck.cards[0],), actions)


def test_a_bet_of_any_size_is_answered_where_it_was_made() -> None:
    """The solved state includes the bet, and the opponent's values are those from before it."""
    first = start(NO_LIMIT_LEDUC, [40, 40]).actor
    assert first is not None
    answers = []
    for to in (5, 7, 23):
        counting = Counting(solves(50, "1p all-in"))
        decision = ContinualPlayer(counting, 1 - first).decide(no_limit_view((to,), 1 - first))
        (public, values, _), *more = counting.asked
        assert (public.bet, more) == (to, [])
        answers.append((values, decision.strategy[decision.actions.index(-1)].mean()))
    np.testing.assert_array_equal(answers[0][0], answers[2][0])
    assert answers[0][1] < answers[2][1]  # it folds more often to a much larger bet


def test_an_own_action_outside_the_tree_is_put_into_it() -> None:
    """Another player acted for the seat before: the tree includes that raise, and the player continues."""
    first = start(NO_LIMIT_LEDUC, [40, 40]).actor
    assert first is not None
    counting = Counting(solves(30, "1p all-in"))
    decision = ContinualPlayer(counting, first).decide(no_limit_view((5, 13), first))
    assert [played for _, _, played in counting.asked] == [None, 5, None]
    assert np.isfinite(decision.strategy).all()
    assert decision.bound.values is not None
    assert np.isfinite(decision.bound.values).all()


def test_it_refuses_what_it_is_not_for() -> None:
    view = leduc_view((), (CALL,))
    with pytest.raises(InvalidInput):
        ContinualPlayer(solves(1), 1 - view.seat).decide(view)
    three = start(NO_LIMIT_LEDUC, [40, 40, 40])
    with pytest.raises(InvalidInput):
        ContinualPlayer(solves(1), 0).decide(View(0, three, (NO_LIMIT_LEDUC.deck.cards[0],), ()))


def test_values_after_a_passage_are_over_the_range_then() -> None:
    """After a deal the values are those of the opponent's best response on that board."""
    view = leduc_view((), (CALL,))
    player = ContinualPlayer(solves(400), view.seat)
    decision = player.decide(view)
    card = LEDUC.deck.cards[0]
    values = decision.solution.opponent_values(Passage(CALL, None, (card,)))
    assert values is not None
    left = decision.own * decision.strategy[decision.actions.index(CALL)]
    left[0] = 0
    left /= left.sum()
    # A pair of jacks cannot lose: from every other holding it wins at least the ante.
    assert values[1] >= (1 - left[1]) - 1e-6
    assert values[0] == 0


def test_a_past_decision_may_be_solved_more_quickly() -> None:
    counting = Counting(solves(20))
    view = leduc_view((LEDUC.deck.cards[2],), (2, CALL))
    ContinualPlayer(counting, view.seat).decide(view)
    assert counting.past == [True, False]


def test_what_the_solution_has_is_not_solved_again() -> None:
    """One solve for the street's start, where the opponent acted, and the player follows it after a raise, too."""
    counting = Counting(solves(20))
    player = ContinualPlayer(counting, leduc_view((), (CALL,)).seat)
    first, second = player.decide(leduc_view((), (CALL,))), player.decide(leduc_view((), (CALL, 2, 4)))
    assert [counting.start_count, len(counting.asked)] == [1, 0]
    assert isinstance(first.solution, LocalSolution)
    assert isinstance(second.solution, LocalSolution)
    assert first.solution.resolution is second.solution.resolution
    assert first.actions == (0, 2)
    assert second.actions == (-1, 0)
    player.decide(leduc_view((LEDUC.deck.cards[2],), (CALL, 2, 4, CALL, CALL)))
    assert len(counting.asked) == 1, "a deal is solved anew"


def test_a_bet_that_the_solution_lacks_is_solved() -> None:
    counting = Counting(solves(20))
    view = no_limit_view((7,), 1 - (start(NO_LIMIT_LEDUC, [40, 40]).actor or 0))
    ContinualPlayer(counting, view.seat).decide(view)
    assert [counting.start_count, len(counting.asked)] == [1, 1]


def test_mistakes_leave_every_holding_possible() -> None:
    view = leduc_view((LEDUC.deck.cards[2],), (CALL, 2, CALL, CALL))
    sure, unsure = (ContinualPlayer(solves(100), view.seat, mistakes).decide(view).own for mistakes in (0.0, 0.5))
    live = sure > 0
    assert unsure[live].min() > sure[live].min()
    assert unsure.max() < sure.max()


def test_names_of_suits_do_not_matter() -> None:
    """Boards that differ only by suits get the same strategy to the bit, and are solved once."""
    counting = Counting(solves(30))
    actions = (CALL, 2, CALL, CALL)
    one, other = (leduc_view((LEDUC.deck.cards[place],), actions) for place in (2, 3))
    player = ContinualPlayer(counting, one.seat)
    first = player.decide(one)
    solved = len(counting.asked)
    second = player.decide(other)
    assert len(counting.asked) == solved
    swapped = [1, 0, 3, 2, 5, 4]  # the suits of each rank
    np.testing.assert_array_equal(second.strategy, first.strategy[:, swapped])
    np.testing.assert_array_equal(second.own, first.own[swapped])
    apart = ContinualPlayer(solves(30), one.seat).decide(other)
    np.testing.assert_array_equal(second.strategy, apart.strategy)


def test_what_is_kept_is_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no more room than for the decisions of a hand, every situation gets the same strategy."""
    views = [
        leduc_view((LEDUC.deck.cards[place],), actions)
        for place in (0, 2, 4, 0)
        for actions in ((CALL,), (CALL, 2, CALL, CALL), (CALL, 2, CALL, CALL, 4, 8))
    ]
    views = [view for view in views if view.seat == views[0].seat]
    strategies, solved = [], []
    for most in (10**6, 3 * len(LEDUC.deck.cards)):
        monkeypatch.setattr("riverboat.resolving.player._MOST_KEPT", most)
        counting = Counting(solves(20))
        player = ContinualPlayer(counting, views[0].seat)
        strategies.append([player.decide(view).strategy for view in views])
        solved.append(len(counting.asked))
    assert solved[0] < solved[1]
    for kept, dropped in zip(*strategies, strict=True):
        np.testing.assert_array_equal(kept, dropped)
