"""A measurement of an agent by local best response: deals on one process or several, stored in a file.

Every deal has its own generator and new bots, so its result depends neither on the other deals nor on who plays them.
A re-solving agent's questions take most of the time, and many of them recur in other deals, so each process remembers
the answers.
"""

import hashlib
import time
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.arena import local_best_response, real_hands
from riverboat.arena.asked_bot import AskedBot
from riverboat.arena.bot import F64, MakeBot
from riverboat.arena.deal_processes import parts_of, running
from riverboat.arena.estimated_bot import EstimatedBot
from riverboat.arena.exploit import Ask
from riverboat.arena.local_best_response import LocalResponse, respond_steps
from riverboat.arena.real_hands import real_steps
from riverboat.arena.responding_bot import local_responder
from riverboat.arena.response_score import ResponseScore, score_of
from riverboat.clients.bots.agents import names, registry
from riverboat.clients.bots.bot_files import load_bot
from riverboat.clients.bots.result_files import ResultFiles, code_version
from riverboat.clients.bots.shared_resolver import remember_answers

_SOLVED_DEALS = 1  # of a re-solving agent in one batch: each may take minutes
_QUICK_DEALS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredAgent:
    """An agent, and how its strategy becomes known."""

    name: str  # of an agent, or a Python file with a bot
    class_name: str | None = None  # of the bot in the file
    answer_count: int = 0  # for each holding of a situation; 0 for an agent that says its strategy
    seed: int

    @property
    def make_bot(self) -> MakeBot:
        """The maker of its bots."""
        return _maker(self.name, self.class_name)

    def ask(self, rng: np.random.Generator | None = None) -> Ask:
        """Return the bot that answers for the agent."""
        if self.answer_count:
            return EstimatedBot(self.name, self.make_bot, np.random.default_rng(self.seed), self.answer_count)
        return AskedBot(self.name, self.make_bot, rng or np.random.default_rng(self.seed))


@cache
def _maker(name: str, class_name: str | None) -> MakeBot:
    return load_bot(Path(name), class_name) if name.endswith(".py") else registry.find_agent(name)


@dataclass(frozen=True, slots=True, eq=False)
class ResponseStep:
    """A measurement after some more deals."""

    score: ResponseScore
    done: float  # share of all deals, 0..1
    seconds_left: float | None  # None until something has been played


class ResponseFile:
    """The deals of a measurement as a file; settings are checked before anything is read or written."""

    def __init__(
        self, folder: Path, agent: MeasuredAgent, response: LocalResponse, networks: tuple[str, ...] = ()
    ) -> None:
        self._files = ResultFiles(folder, "a measurement by local best response")
        name = Path(agent.name).stem if agent.name.endswith(".py") else agent.name
        self.path = self._files.file(f"{name} late" if response.first_street else name)
        self._settings = _settings(agent, response, networks)
        self._deals = self._load() if self.path.exists() else list[F64]()

    @property
    def deals(self) -> list[F64]:
        """The response's winnings in each deal, and its luck, by its seat [2, 1 + L]."""
        return list(self._deals)

    def save(self, deals: list[F64]) -> None:
        """Keep the deals so far."""
        played = np.array(deals)
        columns = {"chips": played[..., 0].tolist(), "luck": played[..., 1:].tolist()}
        self._files.write(self.path, {"settings": self._settings, **columns})

    def _load(self) -> list[F64]:
        document = self._files.read(self.path)
        try:
            kept = dict(document["settings"])
            chips, luck = (np.array(document[name], np.float64) for name in ("chips", "luck"))
            deals = list(np.concatenate([chips.reshape(-1, 2, 1), luck.reshape(len(chips), 2, -1)], axis=2))
        except (KeyError, TypeError, ValueError):
            raise self._files.unreadable(self.path) from None
        self._files.check(self.path, kept, self._settings)
        return deals


def _settings(agent: MeasuredAgent, response: LocalResponse, networks: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings that two runs must share for one to continue the other's deals, as JSON values."""
    code = code_version(registry, *registry.agent_modules(), local_best_response, real_hands)
    if agent.name.endswith(".py"):
        code += f" {hashlib.sha256(Path(agent.name).read_bytes()).hexdigest()[:16]}"
    return {
        **asdict(agent),
        "deck": response.variant.deck.name,
        "stack": response.stack,
        "big_blind": response.variant.big_blind,
        "bets": str(response.bets),
        "first_street": response.first_street,
        "code": code,
        "networks": list(networks) if names.needs_resolver(agent.name) else None,
    }


def measure(
    agent: MeasuredAgent, response: LocalResponse, deal_count: int, processes: int = 1, file: ResponseFile | None = None
) -> Generator[ResponseStep]:
    """Play deals between local best response and an agent; yield after every few, once they are in the file.

    Deals that are already in the file are not played again. If the strategy is an estimate, real hands are played. The
    caller may stop at any time.
    """
    deals = file.deals if file else []
    kept_count, start, big_blind = len(deals), time.monotonic(), response.variant.big_blind
    if deals:
        yield ResponseStep(score_of(big_blind, deals), min(1.0, kept_count / deal_count), None)
    most = _SOLVED_DEALS if names.needs_resolver(agent.name) else _QUICK_DEALS
    parts = parts_of(range(kept_count, max(kept_count, deal_count)), deal_count, most)
    with running(processes) as run:
        for won in run(partial(play_part, agent, response, part) for part in parts):
            deals.extend(won)
            if file:
                file.save(deals)
            pace = (time.monotonic() - start) / (len(deals) - kept_count)
            yield ResponseStep(score_of(big_blind, deals), len(deals) / deal_count, pace * (deal_count - len(deals)))


def play_part(agent: MeasuredAgent, response: LocalResponse, deals: range) -> list[F64]:
    """Play some deals; return what the response won in each, and its luck, by its seat [2, 1 + L]."""
    with remember_answers() if names.needs_resolver(agent.name) else nullcontext():
        return list(_steps(agent, response, deals))


def _steps(agent: MeasuredAgent, response: LocalResponse, deals: range) -> Iterator[F64]:
    rng = np.random.default_rng(agent.seed)
    if not agent.answer_count:
        return respond_steps(response, agent.ask, deals, rng)
    responder = local_responder(response, _estimate(agent))
    return real_steps(response.variant, response.stack, responder, agent.make_bot, deals, rng)


@lru_cache(1)
def _estimate(agent: MeasuredAgent) -> Ask:
    """Return the bot that answers for an agent in all deals of this process: it keeps estimates, which take long."""
    return agent.ask()
