"""A finished hand played again from one of the player's decisions, in this process: chips do not count.

Cards that were known stay as they were. Cards that nobody saw are drawn anew, so that a second try may end otherwise.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from riverboat.arena.bot import MakeBot
from riverboat.clients.analysis.actions import played_words
from riverboat.clients.bots.bot_runner import BotRunner
from riverboat.clients.console.views.text import chips_text
from riverboat.history.hand import History
from riverboat.marks import DecisionCounts
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import HandState, PublicState, start_with_cards
from riverboat.streets import street_name
from riverboat.tables.entries import BoardOpened, Entry, HandBegan, HandFinished, HoldingShown, SeatMoved
from riverboat.tables.view import ChairView, Status, TableView

_REPLAY = "replay"  # in place of a table's id
_LONGEST_LIST = 12


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHand:
    """A finished hand of the player's."""

    history: History
    seat: int

    @property
    def turns(self) -> list[tuple[PublicState, int]]:
        """The player's decisions: the state, and the action taken."""
        states = _with_cards(self.history, np.random.default_rng(0))
        turns = []
        for event in self.history.events:
            if isinstance(event, Move):
                if states.public.actor == self.seat:
                    turns.append((states.public, event.action))
                states = states.play(event.action)
        return turns

    @property
    def won(self) -> int:
        """Chips won or lost by the player."""
        ended = self.history.finishing_stacks
        return ended[self.seat] - self.history.stacks[self.seat] if ended else 0

    def list_of_turns(self) -> str:
        """Return the decisions that the hand can be played again from, by number."""
        count = len(self.history.variant.streets)
        words = [
            f"{number} {street_name(state.street, count)} ({played_words(state, action)})"
            for number, (state, action) in enumerate(self.turns[:_LONGEST_LIST], start=1)
        ]
        if not words:
            return f"you made no decision in hand {self.history.label}"
        return f"hand {self.history.label} again from your decision {', '.join(words)}: type p and its number"


def _with_cards(history: History, rng: np.random.Generator) -> HandState:
    """Return the start of a hand: known cards as they were, all others drawn from what is left of the deck."""
    board = [card for event in history.events if isinstance(event, BoardDealt) for card in event.cards]
    known = {*board, *(card for holding in history.holdings if holding for card in holding)}
    rest = [card for card in history.variant.deck.cards if card not in known]
    drawn = iter(rng.permutation(rest).tolist())
    size = history.variant.deck.holding_size
    holdings = [holding or tuple(next(drawn) for _ in range(size)) for holding in history.holdings]
    while len(board) < history.variant.board_sizes[-1]:
        board.append(next(drawn))
    return start_with_cards(history.variant, history.stacks, holdings, board)


class Rehearsal:
    """One hand played again, as views of a table that the player's screen can show."""

    def __init__(self, hand: PlayedHand, number: int, bots: Mapping[int, MakeBot], rng: np.random.Generator) -> None:
        """Take the hand, the number of the player's decision to begin at, and the bots of the other seats."""
        self._hand, self.number = hand, number
        history = hand.history
        seed = int(rng.integers(2**31))
        self._bots = {seat: BotRunner(make, history.name(seat), seed) for seat, make in bots.items()}
        self._state = _with_cards(history, rng)
        self._entries: list[Entry] = [
            HandBegan(
                hand_number=int(history.label) if isinstance(history.label, int) else 1,
                chairs=tuple(range(len(history.stacks))),
                stacks=history.stacks,
                names=tuple(map(history.name, range(len(history.stacks)))),
                commitment="",
            )
        ]
        self._open_board(0)
        self._follow(number)

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended again."""
        return self._state.is_over

    def play(self, action: int) -> None:
        """Take the player's action, then those of the others until it is the player's turn or the hand is over."""
        self._move(action)
        while not self._state.is_over and (actor := self._state.public.actor) != self._hand.seat:
            self._move(self._bots[actor or 0].act(1, self._state.view(actor or 0)))

    def view(self) -> TableView:
        """Return the hand as the player may see it."""
        public, hand = self._state.public, self._hand
        stacks = public.stacks
        if self._state.is_over:
            stacks = tuple(a + b for a, b in zip(hand.history.stacks, self._state.payoffs(), strict=True))
        chairs = tuple(
            ChairView(
                chair=seat,
                name=hand.history.name(seat),
                stack=stacks[seat],
                is_agent=seat != hand.seat,
                is_leaving=False,
                decisions=DecisionCounts(),
            )
            for seat in range(public.player_count)
        )
        return TableView(
            table_id=_REPLAY,
            status=Status.PLAYING,
            chairs=chairs,
            chair=hand.seat,
            first_entry=0,
            entries=tuple(self._entries),
            hand_number=int(hand.history.label) if isinstance(hand.history.label, int) else 1,
            action_number=len(self._state.actions),
            seat=hand.seat,
            public=public,
            holding=self._state.holdings[hand.seat],
            is_your_turn=public.actor == hand.seat and not self._state.is_over,
        )

    def words(self) -> str:
        """Return what the screen reminds of while the hand is played again."""
        what = f"hand {self._hand.history.label} again from your decision {self.number}; no chips change hands"
        if not self._state.is_over:
            return f"{what}; q ends it"
        won = self._state.payoffs()[self._hand.seat]
        result = f"{chips_text(won, True)} chips; it was {chips_text(self._hand.won, True)} in the hand you played"
        return f"over: {result}. p and a number plays it again, q goes back to the table"

    def _follow(self, number: int) -> None:
        """Play what happened until the player's decision of this number."""
        seen = 0
        for event in self._hand.history.events:
            if not isinstance(event, Move):
                continue
            seen += self._state.public.actor == self._hand.seat
            if seen == number:
                return
            self._move(event.action)

    def _move(self, action: int) -> None:
        before = self._state.public
        self._entries.append(SeatMoved(before.actor or 0, int(action), False))
        self._state = self._state.play(int(action))
        if self._state.is_over:
            self._finish(before)
        else:
            self._open_board(len(before.board))

    def _open_board(self, seen: int) -> None:
        """Add board cards to the entries, street by street."""
        sizes = self._hand.history.variant.board_sizes
        board = self._state.public.board
        for size in sizes:
            if seen < size <= len(board):
                self._entries.append(BoardOpened(board[seen:size], seen))
                seen = size

    def _finish(self, before: PublicState) -> None:
        public = self._state.public
        live = [seat for seat, folded in enumerate(public.folded) if not folded]
        self._open_board(len(before.board))
        if len(live) > 1:
            self._entries += [HoldingShown(seat, self._state.holdings[seat]) for seat in live]
        self._entries.append(HandFinished(self._state.payoffs(), ""))


def bots_of(hand: PlayedHand, makers: Mapping[str, MakeBot], stand_in: MakeBot) -> dict[int, MakeBot]:
    """Return the bots of the other seats; the second rollout is called "rollout 2", and others have a stand-in."""
    names = [hand.history.name(seat) for seat in range(len(hand.history.stacks))]
    return {
        seat: makers.get(name) or makers.get(name.rpartition(" ")[0]) or stand_in
        for seat, name in enumerate(names)
        if seat != hand.seat
    }
