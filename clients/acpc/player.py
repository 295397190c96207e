"""One of our agents at another program's dealer."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from riverboat.arena.running_score import RunningScore
from riverboat.clients.bots.bot_runner import BotRunner
from riverboat.errors import IllegalAction, InvalidInput, Unavailable
from riverboat.history.acpc_messages import LONGEST_MESSAGE, VERSION, MatchState, answer_text, read_match_state
from riverboat.history.hand import outcome
from riverboat.marks import DecisionCounts, count_one, mark_of
from riverboat.rules.variant import Variant

_COMMENTS = ("#", ";")


@dataclass(slots=True)
class AgentScore:
    """What the agent has won so far."""

    won: RunningScore = field(default_factory=RunningScore)
    unknown_count: int = 0  # hands whose result the dealer's messages do not reveal
    decisions: DecisionCounts = field(default_factory=DecisionCounts)

    @property
    def hand_count(self) -> int:
        """Hands that are over."""
        return self.won.hand_count + self.unknown_count


AgentListener = Callable[[AgentScore], None]  # called after each hand


class DealerLink:
    """The lines of a dealer."""

    def __init__(self, connection: socket.socket, address: str) -> None:
        self._connection, self._address = connection, address
        self._reader = connection.makefile("rb")

    def send(self, text: str) -> None:
        """Send a line."""
        try:
            self._connection.sendall(f"{text}\r\n".encode("ascii"))
        except OSError as error:
            raise self._lost(error) from None

    def lines(self) -> Iterator[str]:
        """Yield the dealer's messages until it closes the connection."""
        while True:
            try:
                read = self._reader.readline(LONGEST_MESSAGE)
            except OSError as error:
                raise self._lost(error) from None
            if not read.endswith(b"\n"):
                if len(read) < LONGEST_MESSAGE:
                    return  # the end, with or without the beginning of a line
                long = f"a line of more than {LONGEST_MESSAGE:,} bytes"
                place = f"the server at {self._address}"
                raise InvalidInput("", f"{place} is not a dealer of this protocol: it sent {long}")
            text = read.decode("latin-1").rstrip("\r\n")
            if text and not text.startswith(_COMMENTS):
                yield text

    def _lost(self, error: OSError) -> Unavailable:
        return Unavailable(f"the connection to the dealer at {self._address} is lost: {error.strerror or error}")


@contextmanager
def connected(host: str, port: int, seconds: float) -> Iterator[DealerLink]:
    """Connect to a dealer and say our version."""
    address = f"{host}:{port}"
    try:
        connection = socket.create_connection((host, port), timeout=seconds)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unavailable(f"no dealer answers at {address} ({reason}); each player has a --port of its own") from None
    with connection:
        connection.settimeout(None)  # the dealer waits for the others as long as it likes
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link = DealerLink(connection, address)
        link.send(VERSION)
        yield link


class AcpcPlayer:
    """Answers a dealer's messages with an agent's actions, and keeps the score."""

    def __init__(self, runner: BotRunner, variant: Variant, stack: int) -> None:
        self.score = AgentScore()
        self._runner, self._variant, self._stack = runner, variant, stack

    def play(self, link: DealerLink, played: AgentListener) -> None:
        """Play until the dealer closes the connection."""
        for text in link.lines():
            state = self._read(text)
            if state.is_turn:
                action = self._runner.act(state.number, state.view)
                self.score.decisions += count_one(mark_of(action)[0])
                link.send(answer_text(text, state, action))
            elif state.public.is_over:
                self._count(state)
                played(self.score)

    def _read(self, text: str) -> MatchState:
        try:
            return read_match_state(text, self._variant, self._stack)
        except (InvalidInput, IllegalAction) as error:
            hint = "do --limit, --blinds and --stack describe the dealer's game?"
            raise InvalidInput("", f"the dealer sent {text[:200]!r}: {error}; {hint}") from None

    def _count(self, state: MatchState) -> None:
        """Add a finished hand to the score. Cards that others keep hidden matter only at a showdown."""
        end = outcome(state.history)
        if end.stacks is None:
            self.score.unknown_count += 1
        else:
            self.score.won.add(end.stacks[state.seat] - self._stack)
