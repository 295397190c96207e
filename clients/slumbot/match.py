"""Hands against Slumbot: our agent decides, the rules check the server, the session stores every finished hand."""

from collections.abc import Callable
from dataclasses import replace

from riverboat.clients.bots.bot_runner import BotRunner
from riverboat.clients.slumbot.answers import HandAnswer
from riverboat.clients.slumbot.interface import AnswerLost, SlumbotInterface, SlumbotRefused
from riverboat.clients.slumbot.session import SlumbotScore, SlumbotSession
from riverboat.errors import IllegalAction, InvalidInput, Unavailable
from riverboat.history.hand import History, outcome, replay
from riverboat.history.slumbot import STACK, read_slumbot, write_move
from riverboat.marks import DecisionCounts, count_one, mark_of
from riverboat.rules.events import Move
from riverboat.rules.state import View

_MOST_ABANDONED = 5  # abandoned hands in a row, after which the match stops
_BOT = "slumbot"

ScoreListener = Callable[[SlumbotScore], None]  # called with the score after each hand


class SlumbotMatch:
    """Plays hands one after another."""

    def __init__(self, interface: SlumbotInterface, runner: BotRunner, session: SlumbotSession, name: str) -> None:
        self.decisions = DecisionCounts()  # of this run
        self._interface, self._runner, self._session, self._name = interface, runner, session, name

    def play(self, hand_count: int, finished: ScoreListener) -> None:
        """Play until the session has this many hands."""
        in_a_row = 0
        while self._session.score.hand_count < hand_count:
            problem = self._play_hand()
            in_a_row = in_a_row + 1 if problem else 0
            if in_a_row >= _MOST_ABANDONED:
                raise Unavailable(f"{in_a_row} hands in a row were abandoned, the last because {problem}")
            finished(self._session.score)

    def _play_hand(self) -> str:
        """Play a hand and store it; return why it had to be abandoned, "" if it was not."""
        number = self._session.begin(self._session.token)
        try:
            answer = self._begin()
            while not answer.is_over:
                answer = self._act(answer, number)
            self._keep(answer)
        except (AnswerLost, SlumbotRefused, InvalidInput, IllegalAction) as error:
            return str(error)
        return ""

    def _begin(self) -> HandAnswer:
        try:
            answer = self._interface.new_hand(self._session.token)
        except SlumbotRefused:
            if not self._session.token:
                raise
            answer = self._interface.new_hand("")  # the session is too old for the server
        self._session.keep_token(answer.token)
        return answer

    def _act(self, answer: HandAnswer, number: int) -> HandAnswer:
        """Ask the agent, send its move, and return the server's answer to it."""
        history = _history(answer)
        *_, public = replay(history)
        if public.actor != answer.seat:
            raise InvalidInput("action", f"after {answer.action!r} it is not our turn, and the hand has no result")
        actions = tuple(event.action for event in history.events if isinstance(event, Move))
        action = self._runner.act(number, View(answer.seat, public, answer.holding, actions))
        self.decisions += count_one(mark_of(action)[0])
        move = write_move(public, action)
        after = self._interface.act(self._session.token, move)
        is_same = (after.seat, after.holding) == (answer.seat, answer.holding)
        if not is_same or not after.action.startswith(answer.action + move):
            said = f"the server says {after.action!r}"
            raise InvalidInput("action", f"after {answer.action!r} we played {move}, and {said}")
        self._session.keep_token(after.token)
        return after

    def _keep(self, answer: HandAnswer) -> None:
        won = answer.winnings or 0
        history, seat = _history(answer), answer.seat
        end = outcome(history)
        differs = end.stacks is not None and end.stacks[seat] - STACK != won
        final = [STACK - won, STACK - won]
        final[seat] = STACK + won
        names = [_BOT, _BOT]
        names[seat] = self._name
        finished = replace(history, names=tuple(names), finishing_stacks=tuple(final))
        self._session.finish(finished, seat, answer.baseline, differs)


def _history(answer: HandAnswer) -> History:
    holdings = [answer.bot_holding, answer.bot_holding]
    holdings[answer.seat] = answer.holding
    return read_slumbot(answer.action, answer.board, holdings)
