"""A match by the competition's protocol: deals hands, asks agents for their actions, and keeps the score.

The players move on by one position with each hand. An agent that is late checks or folds. An agent that leaves, floods
the dealer, is late too often or uses up its time ends the match: the hand that is being played does not count.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from riverboat.clients.acpc.connection import AgentConnection, AgentLost
from riverboat.errors import InvalidInput
from riverboat.history.acpc_messages import AcpcHand, legal_action, read_action
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import start_random
from riverboat.rules.variant import Variant

_MOST_WASTED = 1000  # lines that an agent may send at one decision without answering it
_MOST_LATE = 10  # decisions of one agent that may be late


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerPlan:
    """The players, game, length and time limits of a match; names are in the order of their ports."""

    variant: Variant
    stack: int  # chips of each player at the start of each hand
    names: tuple[str, ...]
    hand_count: int
    action_seconds: float  # for one decision
    hand_seconds: float  # for each agent's decisions in a hand, on average over the match


@dataclass(slots=True)
class Conduct:
    """How an agent has behaved."""

    illegal: int = 0  # illegal answers, each replaced by a legal action
    late: int = 0  # decisions that it did not answer in time
    wasted: int = 0  # lines that did not answer a decision
    seconds: float = 0.0  # spent on its decisions


@dataclass(slots=True)
class DealerScore:
    """The score of a match so far, by player."""

    names: tuple[str, ...]
    won: list[int] = field(default_factory=list)  # chips
    conduct: list[Conduct] = field(default_factory=list)
    hand_count: int = 0

    def __post_init__(self) -> None:
        self.won = [0] * len(self.names)
        self.conduct = [Conduct() for _ in self.names]


HandListener = Callable[[str, DealerScore], None]  # called after each hand with its line and the score


class Dealer:
    """Deals a match to connected agents, given in the order of the plan's names."""

    def __init__(self, plan: DealerPlan, agents: Sequence[AgentConnection], rng: np.random.Generator) -> None:
        self.score = DealerScore(plan.names)
        self._plan, self._agents, self._rng = plan, agents, rng

    async def play(self, finished: HandListener) -> None:
        """Play all hands; raise AgentLost if an agent cannot go on. The score counts finished hands only."""
        count = len(self._agents)
        for number in range(self._plan.hand_count):
            players = [(seat + number) % count for seat in range(count)]  # by position
            dealt = AcpcHand(number, start_random(self._plan.variant, [self._plan.stack] * count, self._rng))
            dealt = await self._play_hand(dealt, players)
            for player, won in zip(players, dealt.hand.payoffs(), strict=True):
                self.score.won[player] += won
            self.score.hand_count += 1
            finished(dealt.line([self._plan.names[player] for player in players]), self.score)

    async def _play_hand(self, dealt: AcpcHand, players: Sequence[int]) -> AcpcHand:
        self._tell(dealt, players)
        while (seat := dealt.hand.public.actor) is not None:
            action = await self._ask(dealt, seat, players[seat])
            dealt = dealt.play(action)
            self._tell(dealt, players)
        return dealt

    def _tell(self, dealt: AcpcHand, players: Sequence[int]) -> None:
        for seat, player in enumerate(players):
            self._agents[player].send(dealt.message(seat))

    async def _ask(self, dealt: AcpcHand, seat: int, player: int) -> int:
        """Return the acting player's legal action, or the one that replaces a late or illegal answer."""
        conduct, public = self.score.conduct[player], dealt.hand.public
        left = self._plan.hand_seconds * self._plan.hand_count - conduct.seconds
        clock = asyncio.get_running_loop().time
        begin = clock()
        try:
            async with asyncio.timeout(min(self._plan.action_seconds, left)):
                action = await self._answer(dealt, seat, player)
        except TimeoutError:
            if left <= self._plan.action_seconds:
                raise AgentLost(self._plan.names[player], "has used up its time for the whole match") from None
            conduct.late += 1
            if conduct.late > _MOST_LATE:
                raise AgentLost(self._plan.names[player], f"did not answer {conduct.late} times") from None
            action = FOLD if public.to_call else CALL
        conduct.seconds += clock() - begin
        legal = legal_action(action, public)
        conduct.illegal += legal != action
        return legal

    async def _answer(self, dealt: AcpcHand, seat: int, player: int) -> int:
        """Return the action of the agent's first line that answers the state it was sent; skip all other lines."""
        agent, message = self._agents[player], dealt.message(seat)
        for _ in range(_MOST_WASTED):
            text = await agent.line()
            if text.startswith(f"{message}:"):
                try:
                    return read_action(text.removeprefix(f"{message}:"), dealt.hand.public)
                except InvalidInput:
                    pass  # an answer with no action in it is a wasted line
            self.score.conduct[player].wasted += 1
        raise AgentLost(agent.name, f"sent {_MOST_WASTED:,} lines in a row that are not answers")
