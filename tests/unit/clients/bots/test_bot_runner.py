"""Bots that raise exceptions or return nonsense: the chair plays on, and the log says why."""

import logging

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.clients.bots import CALL, FOLD, Bot, View
from riverboat.clients.bots.bot_runner import BotFailed, BotRunner, warm_up
from riverboat.marks import Mark, mark_of, partial
from riverboat.rules.state import start
from riverboat.rules.variant import VARIANTS, no_limit

FIRST = start(no_limit(50, 100), (10_000, 10_000))
FACING = View(1, FIRST, parse_cards("AhKh"))
FREE = View(0, FIRST.play(CALL), parse_cards("AhKh"), (CALL,))


class Odd(Exception):
    """An exception whose text cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def playing(action: object) -> type[Bot]:
    """Return a bot that always returns the same action."""

    class Fixed(Bot):
        def act(self, view: View) -> int:
            if isinstance(action, BaseException):
                raise action
            return action  # type: ignore[return-value]

    return Fixed


def test_legal_actions_are_played() -> None:
    for action in (FOLD, CALL, 300, np.int64(300)):
        assert BotRunner(playing(action), "bot", 1, strict=True).act(1, FACING) == action


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (7, "played 7: seat 1 cannot raise to 7; it may raise to between 200 and 10000"),
        (-2, "is not an action"),
        (10**30, "cannot raise to"),
        (None, "an action must be an integer"),
        (1.5, "an action must be an integer"),
        ("call", "an action must be an integer"),
        (ZeroDivisionError("no idea"), "ZeroDivisionError: no idea"),
        (SystemExit(1), "SystemExit"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (Odd(), "Odd: an error without a text"),
        (ValueError("long " * 1000), "ValueError: long long"),
    ],
)
def test_what_is_not_legal_checks_or_folds(action: object, reason: str, caplog: pytest.LogCaptureFixture) -> None:
    player = BotRunner(playing(action), "odd", 1)
    with caplog.at_level(logging.ERROR):
        assert player.act(3, FACING) == FOLD
        assert player.act(3, FREE) == CALL
    folded, checked = caplog.messages
    assert folded.startswith(
        'bot_failed bot=odd hand=3 seat=1 state="street 0, pot 150, seat 1 to act" instead=fold error='
    )
    assert "instead=check" in checked
    assert reason in folded
    assert len(folded) < 1000
    with pytest.raises(BotFailed, match=r"bot 'odd' failed in hand 3, seat 1 \("):
        BotRunner(playing(action), "odd", 1, strict=True).act(3, FACING)


def test_marks_are_passed_on_and_failures_are_fallbacks() -> None:
    assert mark_of(BotRunner(playing(300), "bot", 1).act(1, FACING)) == (Mark.AS_INTENDED, "")
    assert mark_of(BotRunner(playing(partial(300, "late")), "bot", 1).act(1, FACING)) == (Mark.PARTIAL, "late")
    for action, reason in (
        (7, "it is not legal"),
        (ZeroDivisionError("my cards are Ah"), "it raised ZeroDivisionError"),
    ):
        failed = BotRunner(playing(action), "bot", 1).act(1, FACING)
        assert mark_of(failed) == (Mark.FALLBACK, f"the bot's action cannot be played: {reason}")


def test_a_bot_for_each_hand_with_chances_of_its_own() -> None:
    made: list[float] = []

    class Counting(Bot):
        def __init__(self, rng: np.random.Generator) -> None:
            super().__init__(rng)
            made.append(rng.random())

        def act(self, view: View) -> int:
            return CALL

    player = BotRunner(Counting, "bot", 5)
    for hand in (1, 1, 2, 2, 3):
        player.act(hand, FACING)
    assert len(set(made)) == len(made) == 3
    BotRunner(Counting, "again", 5).act(2, FACING)
    assert made[3] == made[1]
    player.act(3, FACING, "another table")  # of a tournament: the number may be the same
    assert len(made) == 5


def test_a_factory_that_raises_is_a_bot_that_raises() -> None:
    def no_bot(rng: np.random.Generator) -> Bot:
        raise RuntimeError("no model")

    assert BotRunner(no_bot, "bot", 1).act(1, FACING) == FOLD


def test_warming_up_plays_every_variant() -> None:
    seen: set[str] = set()

    class Seeing(Bot):
        def act(self, view: View) -> int:
            seen.add(view.public.variant.name)
            return CALL

    warm_up(Seeing)
    assert seen == {variant.name for variant in VARIANTS}
