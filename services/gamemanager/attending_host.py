"""One attending host: its offer, its chairs, and the questions that it has not answered yet."""

import asyncio
import itertools
import secrets
from collections.abc import Sequence

from riverboat.contracts.hosts import AgentQuestion, AgentVerdict, Assignment, HostOffer
from riverboat.errors import InvalidInput
from riverboat.tables.agent_names import is_agent_name, split_agent_name
from riverboat.tables.config import LONGEST_REQUEST

MOST_AGENTS = 100
ANSWER_SECONDS = 5.0  # for a verdict: a client that creates a table waits for it
MOST_OPEN = 20  # questions from clients that create tables: the host also plays chairs
_TOGETHER = 10  # questions about tables that are open already
_MOST_ACCEPTED = 1_000  # accepted names that are remembered; about others the host gets a new question
_MOST_WAITING = 1_000  # messages for a host that does not read
_LONGEST_PROBLEM = 300  # characters

AgentPlace = tuple[str, int]  # a table, and which of its agents


class AttendingHost:
    """An attending host: its offer, its chairs, and the messages for it."""

    def __init__(self, offer: HostOffer) -> None:
        if not 1 <= len(offer.agents) <= MOST_AGENTS or not all(map(is_agent_name, offer.agents)):
            raise InvalidInput(
                "agents",
                f"must be 1 to {MOST_AGENTS} names of at most 30 letters, digits, dashes and underscores, "
                "each optionally followed by a colon and a parameter",
            )
        self.agents, self.with_parameter = frozenset(offer.agents), frozenset(offer.with_parameter)
        if not self.with_parameter <= self.agents:
            unknown = min(self.with_parameter - self.agents)
            raise InvalidInput("with_parameter", f"{unknown[:30]!r} is not among the agents of this host")
        if len(offer.process) > LONGEST_REQUEST or not offer.process.isprintable():
            raise InvalidInput("process", f"must have at most {LONGEST_REQUEST} printable characters")
        self.forgets = offer.forgets  # its agents keep nothing from one hand to the next
        self.process = offer.process or secrets.token_hex(8)
        self.places: set[AgentPlace] = set()
        self.waiting: asyncio.Queue[Assignment | AgentQuestion] = asyncio.Queue()
        self._accepted: dict[str, None] = {}  # whole names, oldest first
        self._open: dict[str, asyncio.Future[str | None]] = {}  # by question
        self._numbers = itertools.count()
        self._answers = True

    def may_play(self, name: str) -> bool:
        """Return whether the host offers this name, or may accept it once asked about the parameter."""
        word, parameter = split_agent_name(name)
        return name in self.agents or bool(parameter and word in self.with_parameter)

    def plays(self, name: str) -> bool:
        """Return whether the host offers this name, or has accepted it."""
        return name in self.agents or name in self._accepted

    async def ask(self, name: str) -> str | None:
        """Return the problem with a name: "" if there is none, None if the host is too busy or too slow to answer."""
        if name in self.agents:
            return ""
        return None if len(self._open) >= MOST_OPEN else await self._ask(name)

    async def ask_all(self, names: Sequence[str]) -> None:
        """Ask the host which of these names it accepts, a few at a time; stop when an answer does not come."""
        for start in range(0, len(names), _TOGETHER):
            if None in await asyncio.gather(*map(self._ask, names[start : start + _TOGETHER])):
                return

    async def _ask(self, name: str) -> str | None:
        if not self._answers or self.waiting.qsize() >= _MOST_WAITING:
            return None
        question = AgentQuestion(question_id=str(next(self._numbers)), agent=name)
        verdict: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._open[question.question_id] = verdict
        self.waiting.put_nowait(question)
        try:
            problem = await asyncio.wait_for(verdict, ANSWER_SECONDS)
        except TimeoutError:
            return None
        finally:
            del self._open[question.question_id]
        self._note(name, is_accepted=problem == "")
        return problem

    def _note(self, name: str, is_accepted: bool) -> None:
        self._accepted.pop(name, None)
        if is_accepted:
            self._accepted[name] = None
        if len(self._accepted) > _MOST_ACCEPTED:
            del self._accepted[next(iter(self._accepted))]

    def answer(self, verdict: AgentVerdict) -> None:
        """Take the answer to a question; an answer to no open question is ignored."""
        waiting = self._open.get(verdict.question_id)
        if waiting is not None and not waiting.done():
            shown = "".join(char if char.isprintable() else " " for char in verdict.problem[:_LONGEST_PROBLEM])
            waiting.set_result(shown.strip() or ("its host refuses it" if verdict.problem else ""))

    def answer_no_more(self) -> None:
        """Stop waiting for answers: the host sends nothing more."""
        self._answers = False
        for waiting in self._open.values():
            if not waiting.done():
                waiting.set_result(None)
