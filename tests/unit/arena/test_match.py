"""Duplicate deals, seeds, processes, intervals, and bots that break the rules."""

import multiprocessing
import pickle
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.arena.bot import IllegalBotAction, MakeBot
from riverboat.arena.bots import CallBot, FoldBot
from riverboat.arena.match import Match, Played, match_steps, play_deal, play_match
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.marks import fallback
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, start_random
from riverboat.rules.variant import KUHN, LEDUC, Variant, fixed_limit, no_limit, pot_limit
from tests.unit.arena.bots import MostBot, RandomBot

HOLDEM = no_limit(50, 100)


class HighCardBot:
    """A deterministic bot that raises or calls with a high card."""

    def __init__(self, rng: np.random.Generator) -> None:
        pass

    def act(self, view: View) -> int:
        limits = view.public.raise_limits
        if max(view.holding) >= 44 and limits:
            return min(limits[1], 3 * limits[0])
        return FOLD if view.public.to_call and max(view.holding) < 32 else CALL


class CoinBot:
    """A bot that folds to any bet half of the time, and calls otherwise."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def act(self, view: View) -> int:
        return FOLD if view.public.to_call and self.rng.random() < 0.5 else CALL


class FaultyBot:
    """A bot that calls before the flop, and returns something illegal on it."""

    action: ClassVar[object] = 7

    def __init__(self, rng: np.random.Generator) -> None:
        pass

    def act(self, view: View) -> int:
        return self.action if view.public.board else CALL  # type: ignore[return-value]


class NumpyBot(CallBot):
    def act(self, view: View) -> int:
        return np.int64(CALL)  # type: ignore[return-value]


class StrandedBot(CallBot):
    def act(self, view: View) -> int:
        return fallback(CALL, "nobody answers")


class FailingBot(CallBot):
    def act(self, view: View) -> int:
        raise ZeroDivisionError("no idea")


def between(
    *makes: MakeBot, variant: Variant = HOLDEM, stack: int = 1000, seed: int = 1, on_average: bool = False
) -> Match:
    bots = {f"bot {i}": make for i, make in enumerate(makes)}
    return Match(variant, [stack] * len(makes), bots, np.random.default_rng(seed), on_average)


@pytest.mark.parametrize("make", [CallBot, FoldBot, MostBot, HighCardBot])
@pytest.mark.parametrize("variant", [HOLDEM, fixed_limit(100), pot_limit(50, 100, deck="24"), LEDUC, KUHN])
def test_a_bot_is_exactly_as_good_as_itself(make: MakeBot, variant: Variant) -> None:
    assert not play_match(between(make, make, variant=variant), 20).chips.any()


@pytest.mark.parametrize("player_count", [3, 6])
def test_each_bot_plays_every_seat_of_a_deal(player_count: int) -> None:
    seen: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(player_count)]

    def recording(bot: int) -> MakeBot:
        class Recorder(CallBot):
            def act(self, view: View) -> int:
                if not view.public.board:
                    seen[bot].append((view.seat, view.holding))
                return CALL

        return Recorder

    match = between(*(recording(bot) for bot in range(player_count)))
    play_deal(match, 3)
    for visits in seen:
        assert len(visits) == player_count
        assert dict(visits) == dict(seen[0])
        assert sorted(seat for seat, _ in visits) == list(range(player_count))
    dealt = start_random(HOLDEM, match.stacks, np.random.default_rng(1).spawn(4)[3])
    assert dict(seen[0]) == dict(enumerate(dealt.holdings))


@pytest.mark.parametrize("done", [1, 7, 20])
def test_an_interrupted_match_continues(done: int) -> None:
    match = between(RandomBot, CallBot)
    whole = play_match(match, 20).chips
    before = play_match(match, done)
    *_, last = match_steps(match, 20, played=Played(before.chips, tuple(before.decisions), before.chips))
    assert np.array_equal(last.chips, whole)
    assert last.decisions == play_match(match, 20).decisions
    with pytest.raises(InvalidInput, match="has 20 deals, more than the 19 of the match"):
        next(match_steps(match, 19, played=Played(whole, tuple(last.decisions), whole)))


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.slow
def test_decisions_are_counted_by_bot(processes: int) -> None:
    """Everybody checks and calls, on four streets, in as many rotations as there are bots."""
    result = play_match(between(CallBot, StrandedBot, CallBot), 10, processes)
    made = [(counts.decision_count, counts.partial_count, counts.fallback_count) for counts in result.decisions]
    assert made == [(120, 0, 0), (120, 0, 120), (120, 0, 0)]


@pytest.mark.parametrize("player_count", [2, 3])
def test_a_random_bot_wins_nothing_from_itself_by_luck(player_count: int) -> None:
    """Random choices rotate with the seats, as cards do, so only differences between bots remain."""
    result = play_match(between(*[RandomBot] * player_count), 50)
    assert (result.chips == 0).all()


@pytest.mark.parametrize(
    ("variant", "player_count", "mbb"),
    [
        (HOLDEM, 2, -750),  # half a blind on the button, a whole one off the button
        (HOLDEM, 3, -500),  # the same in three hands, and nothing on the button
        (HOLDEM, 6, -250),
        (fixed_limit(100), 2, -750),
        (LEDUC, 2, -500),  # an ante of 1, with bets of 2
        (KUHN, 2, -1000),
    ],
)
def test_folding_costs_the_blinds(variant: Variant, player_count: int, mbb: float) -> None:
    match = between(FoldBot, *[MostBot] * (player_count - 1), variant=variant)
    result = play_match(match, 30)
    assert result.hand_count == 30 * player_count
    assert result.scores[0].mbb == pytest.approx(mbb)
    assert result.scores[0].margin == 0


VARIANTS = [
    no_limit(50, 100, deck="24"),
    no_limit(1, 2, ante=1, deck="36"),
    pot_limit(50, 100),
    fixed_limit(10),
    LEDUC,
    KUHN,
]


@given(st.sampled_from(VARIANTS), st.data(), st.integers(0, 10**6), st.booleans())
@settings(max_examples=40)
def test_chips_are_conserved(variant: Variant, data: st.DataObject, seed: int, on_average: bool) -> None:
    player_count = data.draw(st.integers(2, min(6, variant.most_players)))
    stacks = data.draw(st.lists(st.integers(1, 5000), min_size=player_count, max_size=player_count))
    bots = {str(i): RandomBot for i in range(player_count)}
    on_average = on_average and variant.deck.name != "52"  # with 52 cards the averages take too long
    result = play_match(Match(variant, stacks, bots, np.random.default_rng(seed), on_average), 2)
    assert np.abs(result.chips.sum(axis=1)).max() <= (1e-6 if on_average else 0)
    assert result.chips.min() >= -sum(stacks)
    assert sum(score.mbb for score in result.scores) == pytest.approx(0, abs=1e-3)


@pytest.mark.slow
def test_same_seed_same_result_on_any_number_of_processes() -> None:
    match = between(RandomBot, HighCardBot, CoinBot)
    one = play_match(match, 150).chips
    assert np.array_equal(one, play_match(match, 150).chips)
    assert np.array_equal(one, play_match(match, 150, processes=2).chips)
    assert np.array_equal(one[:70], play_match(match, 70, processes=3).chips)
    assert np.array_equal(one[5:6], play_deal(match, 5).chips)
    assert not np.array_equal(one, play_match(between(RandomBot, HighCardBot, CoinBot, seed=2), 150).chips)


@pytest.mark.slow
def test_progress_and_leaving_early() -> None:
    match = between(RandomBot, CallBot)
    steps = list(match_steps(match, 1000))
    assert [step.deal_count for step in steps] == list(range(10, 1001, 10))
    assert steps[-1].done == 1
    assert np.array_equal(steps[3].chips, steps[-1].chips[:40])
    for processes in (1, 2):
        some = match_steps(match, 10**6, processes)
        assert next(some).deal_count == 32
        some.close()  # type: ignore[attr-defined]  # it is a generator
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("on_average", [False, True])
def test_intervals_cover_the_truth(on_average: bool) -> None:
    """A coin decides against all-ins: it costs 50 chips a hand on either side, since called all-ins are worth nothing.

    On the button it folds half of the time at once and a quarter of the time to the raise: 25 + 25 chips.
    Off it, it folds the big blind half of the time: 50 chips. Of 200 intervals 190 should cover that.
    """
    variant = no_limit(50, 100, deck="24")
    covered, margins = 0, []
    for seed in range(200):
        match = between(CoinBot, MostBot, variant=variant, stack=400, seed=seed, on_average=on_average)
        score = play_match(match, 12 if on_average else 30).scores[0]
        covered += abs(score.mbb + 500) <= score.margin
        margins.append(score.margin)
    assert 180 <= covered <= 198
    assert np.mean(margins) > 100  # intervals are wide: a hand is worth up to 4000


def test_on_average_changes_the_error_not_the_mean() -> None:
    variant = no_limit(50, 100, deck="24")
    plain, scored = (
        play_match(between(CoinBot, MostBot, variant=variant, on_average=on_average), 400).mbb[:, 0]
        for on_average in (False, True)
    )
    difference = plain - scored
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(difference))
    assert scored.std() < 0.8 * plain.std()


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (7, "cannot raise to 7; it may raise to between 100 and 900"),
        (FOLD, "no reason to fold"),
        (-2, "is not an action"),
        (10**30, "that many chips"),
        (1.5, "an action must be an integer"),
        (None, "an action must be an integer"),
    ],
)
def test_an_illegal_action_is_named(monkeypatch: pytest.MonkeyPatch, action: object, reason: str) -> None:
    monkeypatch.setattr(FaultyBot, "action", action)
    with pytest.raises(IllegalAction, match=reason) as caught:
        play_match(between(CallBot, FaultyBot), 3)
    error = caught.value
    assert isinstance(error, IllegalBotAction)
    assert (error.bot, error.deal, error.action) == ("bot 1", 0, action)
    assert len(error.view.public.board) == 3
    assert f"bot 'bot 1' at seat {error.view.seat}" in str(error)
    assert "in deal 0 (street 1 on " in str(error)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    assert str(again) == str(error)
    assert again.view.public == error.view.public


@pytest.mark.slow
def test_a_bot_s_errors_cross_processes_and_say_where() -> None:
    with pytest.raises(IllegalBotAction, match=r"bot 'bot 1' .* in deal 0 .* played 7"):
        play_match(between(CallBot, FaultyBot), 3, processes=2)
    with pytest.raises(ZeroDivisionError, match="no idea") as caught:
        play_match(between(FailingBot, CallBot), 3)
    assert "in deal 0, with seats taken by bot 0, bot 1" in "".join(caught.value.__notes__)


def test_numpy_integers_are_actions() -> None:
    assert not play_match(between(NumpyBot, CallBot), 3).chips.any()


def test_matches_that_cannot_be_played() -> None:
    with pytest.raises(InvalidInput, match="2 stacks need as many bots, not 1"):
        Match(HOLDEM, [100, 100], {"a": CallBot}, np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="kuhn is for 2 to 3 players, not 4"):
        between(*[CallBot] * 4, variant=KUHN)
    for counts in ((0, 1), (1, 0)):
        with pytest.raises(InvalidInput, match="must be at least 1, not 0"):
            play_match(between(CallBot, CallBot), *counts)
