"""One hand between bots, from the cards to the payoffs."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from riverboat.arena.aivat import Turn, aivat_payoffs
from riverboat.arena.all_in import expected_payoffs
from riverboat.arena.bot import F64, Bot, IllegalBotAction, Strategy, reach_of
from riverboat.arena.range_payoffs import payoffs_over_ranges
from riverboat.errors import IllegalAction
from riverboat.marks import DecisionCounts, Mark, count_one, mark_of
from riverboat.rules.betting import SHOWDOWN
from riverboat.rules.state import HandState, View, describe
from riverboat.rules.variant import MOST_CHIPS


@dataclass(frozen=True, slots=True, eq=False)
class FinishedHand:
    """A hand that is over, and the board on which its last decision was made."""

    state: HandState
    last_board: tuple[int, ...]
    reaches: tuple[F64 | None, ...]  # of each seat's holdings, from bots that know: see `Bot.reach`
    decisions: tuple[DecisionCounts, ...]  # by seat
    turns: tuple[Turn, ...] = ()  # every decision in order, if strategies were asked for

    @property
    def is_run_out(self) -> bool:
        """Whether board cards came when nobody had a decision left, and hands were compared."""
        public = self.state.public
        return public.phase == SHOWDOWN and len(self.last_board) < len(public.board)

    def payoffs(self, on_average: bool = False) -> tuple[float, ...]:
        """Return the chips won or lost by each seat [P].

        On average, all-ins count by equity over the boards that might have come, and showdowns over the holdings that
        each bot might have had, where a bot knows its reach.
        """
        public = self.state.public
        if on_average and public.phase == SHOWDOWN:
            over_ranges = payoffs_over_ranges(public, self.state.holdings, self.last_board, self.reaches)
            if over_ranges is not None:
                return over_ranges
        if on_average and self.is_run_out:
            return expected_payoffs(public, self.state.holdings, self.last_board)
        return self.state.payoffs()

    def aivat(self) -> tuple[float, ...]:
        """Return the chips won or lost by each of two seats, by AIVAT; strategies must have been asked for."""
        return aivat_payoffs(self.state, self.last_board, self.turns)


def play_hand(hand: HandState, bots: Sequence[Bot], asks_strategies: bool = False) -> FinishedHand:
    """Let bots, one for each seat, play a hand to its end; return the finished hand.

    With `asks_strategies` each bot that can report its strategy is asked for it after each of its decisions.
    """
    board: tuple[int, ...] = ()  # if blinds put everybody all-in, there is no decision at all
    decisions, turns = [DecisionCounts()] * len(bots), []
    while not hand.is_over:
        public = hand.public
        seat = public.actor
        if seat is None:
            raise RuntimeError("a hand that is not over has nobody to act")
        board = public.board
        view = hand.view(seat)
        action = _ask(bots[seat], view)
        hand = _play(hand, view, action)
        decisions[seat] += count_one(mark_of(action)[0])
        if asks_strategies:
            turns.append(Turn(public, hand.actions[-1], _strategy(bots[seat], view, action)))
    return FinishedHand(
        state=hand,
        last_board=board,
        reaches=tuple(reach_of(bot) for bot in bots),
        decisions=tuple(decisions),
        turns=tuple(turns),
    )


def _strategy(bot: Any, view: View, action: object) -> Strategy | None:
    """Return the strategy that a decision was drawn from; None if something else decided, or if it is not exact."""
    if mark_of(action)[0] is Mark.FALLBACK or not hasattr(bot, "strategy") or getattr(bot, "estimates_strategy", False):
        return None
    strategy: Strategy | None = bot.strategy(view)
    return strategy if strategy and strategy.is_exact else None


def _ask(bot: Bot, view: View) -> object:
    try:
        return bot.act(view)
    except Exception as error:
        error.add_note(f"raised by the bot at seat {view.seat} ({describe(view.public)})")
        raise


def _play(hand: HandState, view: View, action: object) -> HandState:
    """Return the state after a bot's action, which may be anything at all."""
    try:
        chips = int(index(action))  # type: ignore[arg-type]  # numpy's integers are welcome, and nothing else
    except TypeError:
        raise IllegalBotAction(view, action, "an action must be an integer") from None
    if abs(chips) > MOST_CHIPS:
        raise IllegalBotAction(view, action, "nobody has that many chips")
    try:
        return hand.play(chips)
    except IllegalAction as error:
        raise IllegalBotAction(view, action, str(error)) from None
