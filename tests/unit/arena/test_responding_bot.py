"""Responses that play real hands, compared with what they win by computation."""

import numpy as np
import pytest

from riverboat.arena.asked_bot import AskedBot
from riverboat.arena.bot import MakeBot
from riverboat.arena.bots import CallBot, FoldBot
from riverboat.arena.exploit import exploit
from riverboat.arena.local_best_response import LocalResponse
from riverboat.arena.real_hands import real_steps
from riverboat.arena.responding_bot import best_responder, local_responder
from riverboat.arena.response_score import score_of
from riverboat.errors import InvalidInput
from riverboat.rules.variant import KUHN, LEDUC, Variant, no_limit
from tests.unit.arena.bots import MostBot, RandomBot

SHORT = no_limit(50, 100, deck="24")


def asked(make_bot: MakeBot) -> AskedBot:
    return AskedBot("the bot", make_bot, np.random.default_rng(0))


def won(variant: Variant, stack: int, response: MakeBot, agent: MakeBot, deals: int) -> tuple[float, float]:
    """Return the mean and half of its interval, in chips a hand."""
    steps = list(real_steps(variant, stack, response, agent, range(deals), np.random.default_rng(5)))
    mean, margin = score_of(variant.big_blind, steps).mean_chips
    return mean, margin


@pytest.mark.parametrize("make_bot", [RandomBot, CallBot, FoldBot, MostBot])
@pytest.mark.parametrize(("variant", "stack"), [(KUHN, 2), (LEDUC, 13)], ids=["kuhn", "leduc"])
def test_a_best_response_wins_in_real_hands_what_was_computed(make_bot: MakeBot, variant: Variant, stack: int) -> None:
    result = exploit(variant, stack, asked(make_bot))
    mean, margin = won(variant, stack, best_responder(result), make_bot, 1000)
    assert mean == pytest.approx(result.chips, abs=2.5 * margin + 1e-9)


def test_local_best_response_wins_the_blinds_from_a_bot_that_folds() -> None:
    response = local_responder(LocalResponse(SHORT, 10_000), asked(FoldBot))
    assert won(SHORT, 10_000, response, FoldBot, 4)[0] == pytest.approx(75)


def test_local_best_response_wins_from_a_bot_that_calls() -> None:
    response = local_responder(LocalResponse(SHORT, 2_000), asked(CallBot))
    mean, margin = won(SHORT, 2_000, response, CallBot, 150)
    assert mean > margin


def test_a_wrong_estimate_does_no_harm_to_the_rules() -> None:
    """The response believes that the agent only folds; the agent does anything."""
    response = local_responder(LocalResponse(SHORT, 2_000), asked(FoldBot))
    assert np.isfinite(won(SHORT, 2_000, response, RandomBot, 20)[0])


def test_no_deals_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 1"):
        next(real_steps(KUHN, 2, CallBot, CallBot, range(0), np.random.default_rng(0)))
