"""Measurements of an agent by an opponent that knows its strategy, with a progress bar."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from riverboat.arena.asked_bot import AskedBot
from riverboat.arena.bot import F64, MakeBot
from riverboat.arena.estimated_bot import EstimatedBot, says_strategy
from riverboat.arena.exploit import Ask, Exploit
from riverboat.arena.exploit import exploit as exact_exploit
from riverboat.arena.local_best_response import LocalResponse, respond_steps
from riverboat.arena.real_hands import real_steps
from riverboat.arena.responding_bot import best_responder, local_responder
from riverboat.arena.response_score import ResponseScore, score_of
from riverboat.clients.console.views.output import progress_bar
from riverboat.clients.console.views.response_result import score_words
from riverboat.rules.state import View
from riverboat.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class MeasuredAgent:
    """An agent, and how its strategy becomes known."""

    name: str
    make_bot: MakeBot
    answer_count: int  # for each holding of a situation; 0 for an agent that says its strategy
    seed: int

    def ask(self) -> Ask:
        """Return what answers for the agent."""
        rng = np.random.default_rng(self.seed)
        if self.answer_count:
            return EstimatedBot(self.name, self.make_bot, rng, self.answer_count)
        return AskedBot(self.name, self.make_bot, rng)


def measured_agent(name: str, make_bot: MakeBot, view: View, answer_count: int, seed: int) -> MeasuredAgent:
    """Return an agent that says its strategy in a situation, or one that is asked for this many answers per holding."""
    is_known = says_strategy(make_bot, view, np.random.default_rng(seed))
    return MeasuredAgent(name, make_bot, 0 if is_known else answer_count, seed)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHands:
    """The score of the hands that were played before the last one or Ctrl-C."""

    score: ResponseScore
    was_interrupted: bool


def ask_everywhere(agent: MeasuredAgent, variant: Variant, stack: int) -> Exploit:
    """Ask in every situation of a small game."""
    with progress_bar("asking") as bar:
        return exact_exploit(
            variant, stack, agent.ask(), lambda done, count: bar.show(done / count, f"asking {done:,} of {count:,}")
        )


def play_best_response(agent: MeasuredAgent, result: Exploit, deal_count: int) -> PlayedHands:
    """Play real hands of a small game between the best response to an estimate and the agent itself."""
    public = result.whole.spot.public
    stack = public.stacks[0] + public.paid[0] + public.dead[0]
    rng = np.random.default_rng([agent.seed, 1])
    steps = real_steps(public.variant, stack, best_responder(result), agent.make_bot, deal_count, rng)
    return _played(steps, public.variant.big_blind, deal_count)


def play_local_response(agent: MeasuredAgent, response: LocalResponse, deal_count: int) -> PlayedHands:
    """Play hold'em between local best response and an agent; real hands if the strategy is an estimate."""
    ask, rng = agent.ask(), np.random.default_rng(agent.seed)
    if agent.answer_count:
        responder = local_responder(response, ask)
        steps = real_steps(response.variant, response.stack, responder, agent.make_bot, deal_count, rng)
    else:
        steps = respond_steps(response, ask, deal_count, rng)
    return _played(steps, response.variant.big_blind, deal_count)


def _played(steps: Iterator[F64], big_blind: int, deal_count: int) -> PlayedHands:
    deals: list[F64] = []
    try:
        with progress_bar("playing") as bar:
            for won in steps:
                deals.append(won)
                bar.show(len(deals) / deal_count, score_words(score_of(big_blind, deals)))
    except KeyboardInterrupt:
        return PlayedHands(score_of(big_blind, deals), True)
    return PlayedHands(score_of(big_blind, deals), False)
