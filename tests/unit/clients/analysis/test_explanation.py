"""Explanations with real solutions, and slow, obvious twins of their numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.clients.analysis.explainer import explain
from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.analysis.wording import pot_odds, why
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import NodeAnswer, Scope, Step
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import start
from riverboat.strength.hands import strength_of
from tests.unit.clients.analysis.hands import CHECKED_DOWN, SMALL, played

NUTS, CATCHER, AIR = parse_cards("9h9d"), parse_cards("KsQd"), parse_cards("JsTd")  # on AhKdTc9s9c


def explained(
    link: ResolverClient, actions: list[int], holding: tuple[int, ...], taken: int | None = None
) -> Explanation:
    decisions, state = played(actions)
    return explain(link, decisions, state, holding, taken)


def shares_by_hand(explanation: Explanation) -> tuple[float, float, float]:
    """Return the shares of the opponent's range that are beaten, better and equal, holding by holding."""
    deck, board = SMALL.deck, explanation.public.board
    mine = strength_of(deck, (*explanation.holding, *board))
    sums = [0.0, 0.0, 0.0]
    for place, weight in enumerate(explanation.ranges[1 - explanation.seat].tolist()):
        cards = [int(card) for card in holdings_of(deck).cards[place]]
        if weight and not set(cards) & {*explanation.holding, *board}:
            theirs = strength_of(deck, [*cards, *board])
            sums[0 if theirs < mine else 1 if theirs > mine else 2] += weight
    return sums[0] / sum(sums), sums[1] / sum(sums), sums[2] / sum(sums)


def test_the_nuts(link: ResolverClient) -> None:
    explanation = explained(link, [*CHECKED_DOWN, 400], NUTS)
    assert explanation.comparison.beats == pytest.approx(1)
    assert explanation.equity == pytest.approx(1)
    assert explanation.best.action > CALL
    fold = explanation.choice(FOLD)
    assert fold.ev == 0
    assert fold.loss == pytest.approx(explanation.best.ev)
    assert explanation.best.ev > explanation.public.pot
    assert fold.frequency < 0.01
    said = why(explanation, "Bob")
    assert said.startswith("You beat all of Bob's range. ")
    assert "none of it better than your hand" in said


@pytest.mark.parametrize("holding", [NUTS, CATCHER, AIR])
@pytest.mark.parametrize("actions", [[250, 0], [250, 0, 0, 300, 0], CHECKED_DOWN, [*CHECKED_DOWN, 400]])
def test_numbers_fit_together(link: ResolverClient, holding: tuple[int, ...], actions: list[int]) -> None:
    explanation = explained(link, actions, holding)
    assert sum(choice.frequency for choice in explanation.choices) == pytest.approx(1, abs=1e-4)
    assert sum(choice.range_frequency for choice in explanation.choices) == pytest.approx(1, abs=1e-3)
    assert explanation.best.loss == 0
    assert all(choice.loss >= 0 for choice in explanation.choices)
    assert [choice.response is not None for choice in explanation.choices] == [
        choice.action > CALL for choice in explanation.choices
    ]
    for choice in explanation.choices:
        if choice.response:
            shares = (choice.response.folds, choice.response.better_folds, choice.response.beaten_stays)
            assert all(-1e-6 <= share <= 1 + 1e-6 for share in shares)
    assert explanation.ranges.shape == (2, 276)
    # Above a network use fewer iterations: more would exploit its errors.
    assert explanation.exploitability < (0.03 if explanation.is_estimate else 0.01) * explanation.public.pot
    standing = explanation.comparison
    assert (standing.beats, standing.loses, standing.ties) == pytest.approx(shares_by_hand(explanation))


def test_a_bluff_catcher_s_pot_odds(link: ResolverClient) -> None:
    explanation = explained(link, [*CHECKED_DOWN, 400], CATCHER)
    beats, loses, ties = shares_by_hand(explanation)
    assert explanation.equity == pytest.approx(beats + ties / 2, abs=1e-3)  # the same number by the resolver
    assert pot_odds(explanation.public) == pytest.approx(400 / 1300)
    assert explanation.choice(CALL).ev == pytest.approx(explanation.equity * 1300 - 400, abs=1)
    said = why(explanation, "Bob")
    assert said.startswith(f"You beat {100 * beats:.0f} % of Bob's range (")
    assert f"lose to {100 * loses:.0f} %" in said
    assert f"A call of 400 needs 31 % of the pot and your hand has {100 * explanation.equity:.0f} %" in said


class Recorder:
    """A resolver that records the nodes it was asked for."""

    def __init__(self, link: ResolverClient) -> None:
        self._link = link
        self.nodes: dict[tuple[object, ...], NodeAnswer] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)

    def node(self, handle: str, path: Sequence[Step] = ()) -> NodeAnswer:
        self.nodes[tuple(path)] = self._link.node(handle, path)
        return self.nodes[tuple(path)]


def test_what_a_bet_folds_out_by_hand(link: ResolverClient) -> None:
    recorder: Any = Recorder(link)
    explanation = explained(recorder, CHECKED_DOWN, AIR)
    bets = [choice for choice in explanation.choices if choice.response]
    assert bets
    board = explanation.public.board
    mine = strength_of(SMALL.deck, (*AIR, *board))
    for bet in bets:
        node = recorder.nodes[(bet.action,)]
        all_of_it = folds = better = stays = beaten = 0.0
        for place, weight in enumerate(explanation.ranges[1 - explanation.seat].tolist()):
            cards = [int(card) for card in holdings_of(SMALL.deck).cards[place]]
            if not weight or set(cards) & {*AIR, *board}:
                continue
            part, theirs = weight * node.strategy[0, place], strength_of(SMALL.deck, [*cards, *board])
            all_of_it, folds, stays = all_of_it + weight, folds + part, stays + weight - part
            better += part * (theirs > mine)
            beaten += (weight - part) * (theirs < mine)
        shares = (folds / all_of_it, better / folds, beaten / stays)
        assert bet.response
        assert (bet.response.folds, bet.response.better_folds, bet.response.beaten_stays) == pytest.approx(shares)


def test_a_raise_that_was_made_is_in_the_tree(link: ResolverClient) -> None:
    explanation = explained(link, CHECKED_DOWN, CATCHER, taken=333)
    assert 333 in [choice.action for choice in explanation.choices]


def test_the_same_question_has_the_same_answer(link: ResolverClient) -> None:
    one, other = (explained(link, [250, 0, 0], CATCHER) for _ in range(2))
    assert one.choices == other.choices
    assert np.array_equal(one.ranges, other.ranges)
    assert why(one) == why(other)


def test_the_holding_is_always_possible(link: ResolverClient) -> None:
    """A player who raised the worst cards before the flop still has them in the range."""
    worst = parse_cards("Td9h")
    explanation = explained(link, [2_000, 0, 0, 2_000, 0, 0], worst)
    assert explanation.ranges[explanation.seat, holding_index(SMALL.deck, worst)] > 0
    assert all(np.isfinite(choice.ev) for choice in explanation.choices)


def test_all_in_there_is_only_to_call(link: ResolverClient) -> None:
    decisions, state = played([*CHECKED_DOWN, 0, 750], stacks=(600, 1_000))
    explanation = explain(link, decisions, state, CATCHER)
    assert [choice.action for choice in explanation.choices] == [FOLD, CALL]
    assert "A call of 350 needs 29 % of the pot" in why(explanation)  # an uncalled 400 of the bet go back
    assert explanation.choice(CALL).ev == pytest.approx(explanation.equity * 1200 - 350, abs=1)


def test_a_larger_bet_than_one_can_call_has_its_odds() -> None:
    state = start(SMALL, [600, 1_000]).play(1_000)
    assert state.to_call == 500
    assert pot_odds(state) == pytest.approx(500 / 1_200)


@pytest.mark.parametrize(("actions", "network"), [([], "24-preflop-"), ([200, CALL], "24-turn-")])
def test_what_follows_is_estimated_as_in_play(
    link: ResolverClient, actions: list[int], network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the networks that ship with Riverboat, where one fits."""
    leaves: list[str] = []
    solve = link.solve

    def listened(*words: Any, **more: Any) -> Any:
        for solved in solve(*words, **more):
            leaves.append(solved.cost.leaf)
            yield solved

    monkeypatch.setattr(link, "solve", listened)
    decisions, state = played(actions)
    explanation = explain(link, decisions, state, parse_cards("AcAs") if not actions else NUTS)
    assert explanation.is_estimate
    assert explanation.scope is Scope.ABOVE_CUT
    assert explanation.leaf == leaves[-1]
    assert explanation.leaf.startswith(network)


@pytest.mark.parametrize(
    ("actions", "counts"),
    [([], (0, 0, 0)), ([250, CALL], (0, 1, 0)), ([250, CALL, CALL, 300], (0, 1, 1)), (CHECKED_DOWN, (2, 1, 0))],
)
def test_it_knows_what_the_opponent_s_range_was_guessed_from(
    link: ResolverClient, actions: list[int], counts: tuple[int, int, int]
) -> None:
    explanation = explained(link, actions, NUTS if actions else parse_cards("AcAs"))
    assert (explanation.read_count, explanation.resolved_count, explanation.solved_count) == counts
    assert explanation.scope is (Scope.ABOVE_CUT if explanation.leaf else Scope.WHOLE)


def test_progress_goes_up(link: ResolverClient) -> None:
    told = list[float]()
    decisions, state = played([250, 0, 0, 0])
    explain(link, decisions, state, CATCHER, None, told.append)
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1


@pytest.mark.parametrize(
    ("stacks", "holding", "said"),
    [
        ([10_000] * 3, "AsAd", "only two-player hands can be explained, and this one has 3"),
        ([10_000] * 2, "As", "a holding of the 24 deck has 2 cards, not 1"),
        ([10_000] * 2, "AsAs", "As appears twice"),
        ([10_000] * 2, "As2d", "2d"),
    ],
)
def test_refused(link: ResolverClient, stacks: list[int], holding: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        explain(link, [], start(SMALL, stacks), parse_cards(holding))
