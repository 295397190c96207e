"""Measurements of an agent by an opponent that knows its strategy, with a progress bar."""

import time
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from riverboat.arena.bot import MakeBot
from riverboat.arena.estimated_bot import says_strategy
from riverboat.arena.exploit import Exploit
from riverboat.arena.exploit import exploit as exact_exploit
from riverboat.arena.local_best_response import LocalResponse
from riverboat.arena.real_hands import real_steps
from riverboat.arena.responding_bot import best_responder
from riverboat.arena.response_score import ResponseScore, score_of
from riverboat.clients.bots.response_run import MeasuredAgent, ResponseFile, ResponseStep, measure
from riverboat.clients.console.views.output import err, progress_bar, say
from riverboat.clients.console.views.response_result import score_words
from riverboat.clients.console.views.runs import duration
from riverboat.rules.state import View
from riverboat.rules.variant import Variant

_SAY_SECONDS = 60.0  # between two lines of progress where there is no terminal


def measured_agent(name: str, make_bot: MakeBot, view: View, answer_count: int, seed: int) -> MeasuredAgent:
    """Return an agent that says its strategy in a situation, or one that is asked for this many answers per holding."""
    is_known = says_strategy(make_bot, view, np.random.default_rng(seed))
    return MeasuredAgent(name=name, answer_count=0 if is_known else answer_count, seed=seed)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHands:
    """The score of the hands that were played, all of them or those before Ctrl-C."""

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
    steps = real_steps(public.variant, stack, best_responder(result), agent.make_bot, range(deal_count), rng)

    def shown() -> Generator[ResponseStep]:
        deals = []
        for won in steps:
            deals.append(won)
            yield ResponseStep(score_of(public.variant.big_blind, deals), len(deals) / deal_count, None)

    return _played(shown(), public.variant.big_blind)


def play_local_response(
    agent: MeasuredAgent, response: LocalResponse, deal_count: int, processes: int, file: ResponseFile
) -> PlayedHands:
    """Play hold'em between local best response and an agent, and continue the deals of a file."""
    return _played(measure(agent, response, deal_count, processes, file), response.variant.big_blind)


def _played(steps: Generator[ResponseStep], big_blind: int) -> PlayedHands:
    score, said_at = score_of(big_blind, []), time.monotonic()
    try:
        with progress_bar("playing") as bar:
            for step in steps:
                score = step.score
                left = "" if step.seconds_left is None else f", {duration(step.seconds_left)} left"
                bar.show(min(1.0, step.done), f"{score_words(score)}{left}")
                if not err.is_terminal and time.monotonic() - said_at > _SAY_SECONDS:
                    said_at = time.monotonic()
                    say(f"{100 * step.done:.0f} %{left}: {score_words(score)}")
    except KeyboardInterrupt:
        with suppress(KeyboardInterrupt):
            steps.close()
        return PlayedHands(score, True)
    return PlayedHands(score, False)
