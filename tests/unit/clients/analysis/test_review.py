import pytest

from riverboat.cards import parse_cards
from riverboat.clients.analysis.explainer import explain
from riverboat.clients.analysis.review import Grade, grade_of, review
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.errors import InvalidInput
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import start
from tests.unit.clients.analysis.hands import CHECKED_DOWN, SMALL, played
from tests.unit.clients.analysis.test_wording import explanation

NUTS = parse_cards("9h9d")


def test_folding_the_nuts_is_a_blunder(link: ResolverClient) -> None:
    decisions, _ = played([*CHECKED_DOWN, 0, 400, FOLD])
    told = list[float]()
    reviewed = list(review(link, decisions, 0, NUTS, told.append))
    assert [one.taken.action for one in reviewed] == [CALL, CALL, CALL, CALL, FOLD]
    assert [one.explanation.public.street for one in reviewed] == [0, 1, 2, 3, 3]
    assert reviewed[-1].grade is Grade.BLUNDER
    assert reviewed[-1].taken.loss == pytest.approx(reviewed[-1].best.ev)
    assert reviewed[-1].pot_share == pytest.approx(reviewed[-1].best.ev / 900)
    assert told == sorted(told)


@pytest.mark.slow
def test_each_is_the_explanation_of_that_decision(link: ResolverClient) -> None:
    decisions, _ = played([250, 0, 0, 300, 0])
    reviewed = list(review(link, decisions, 1, NUTS))
    assert [one.taken.action for one in reviewed] == [250, 300]
    alone = explain(link, decisions[:3], decisions[3][0], NUTS, 300)
    assert reviewed[1].explanation.choices == alone.choices
    assert reviewed[1].best == alone.best


def test_the_best_action_is_fine(link: ResolverClient) -> None:
    decisions, state = played(CHECKED_DOWN)
    best = explain(link, decisions, state, NUTS).best.action
    decisions, _ = played([*CHECKED_DOWN, best])
    last = list(review(link, decisions, 0, NUTS))[-1]
    assert (last.taken.loss, last.grade) == (0, Grade.FINE)


def test_who_has_not_acted_has_nothing_to_review(link: ResolverClient) -> None:
    decisions, _ = played([FOLD])
    assert not list(review(link, decisions, 0, NUTS))


def test_more_than_two_are_refused(link: ResolverClient) -> None:
    state = start(SMALL, [10_000] * 3)
    with pytest.raises(InvalidInput, match="only two-player hands"):
        list(review(link, [(state, CALL)], state.actor or 0, NUTS))


@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (0, Grade.FINE),
        (5, Grade.FINE),
        (5.1, Grade.SMALL),
        (24.9, Grade.SMALL),
        (25, Grade.MISTAKE),
        (75, Grade.BLUNDER),
    ],
)
def test_grades_are_shares_of_the_pot(loss: float, grade: Grade) -> None:
    assert grade_of(loss, explanation([(CALL, 1, 100)])) is grade  # the pot is 500


def test_what_the_solution_is_not_exact_to_is_fine() -> None:
    assert grade_of(40, explanation([(CALL, 1, 100)], exploitability=41)) is Grade.FINE
