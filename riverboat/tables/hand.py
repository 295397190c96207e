"""A hand at a table: its start, its moves, and the entries that announce them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from riverboat.dealing import commitment, deal_by_seed
from riverboat.marks import DecisionCounts, Mark, count_one
from riverboat.rules.betting import SHOWDOWN
from riverboat.rules.state import HandState, start_with_cards
from riverboat.rules.variant import Variant
from riverboat.tables.deals import DealtDeck, NextDeal
from riverboat.tables.entries import BoardOpened, Entry, HandBegan, HoldingShown, MarkedMove, SeatMoved
from riverboat.tables.events import HandStarted, Moved


@dataclass(slots=True, kw_only=True)
class Hand:
    """The hand that is being played, or the last one."""

    number: int
    chairs: tuple[int, ...]  # by seat
    state: HandState
    seed: str  # of the deck that was dealt
    first_entry: int  # in the table's log
    other_seed: str  # of the pre-deck that was not dealt; "" in a deal v1
    decisions: list[DecisionCounts]  # by seat
    dealt: DealtDeck | None = None  # None in a deal v1
    action_count: int = 0
    is_silent: bool = True  # only the clock has acted
    shown: int = 0  # number of board cards announced so far
    marks: list[MarkedMove] = field(default_factory=list)

    def announcement(self, event: HandStarted, names: Sequence[str], deal: NextDeal | None) -> HandBegan:
        """Return the entry that announces the hand; `names` has one name per seat."""
        began = HandBegan(
            hand_number=event.hand_number,
            chairs=event.chairs,
            stacks=event.stacks,
            names=tuple(names),
            commitment=deal.commitment if deal and self.dealt else commitment(bytes.fromhex(self.seed)),
            posts=event.posts,
        )
        if deal is None or self.dealt is None:
            return began
        return replace(
            began,
            attempt=deal.offer.attempt,
            roots=deal.offer.roots,
            secrets=event.secrets,
            other_seed=self.other_seed,
            dealt=self.dealt,
        )

    def move(self, seat: int, event: Moved) -> SeatMoved:
        """Play the actor's move; return the entry that announces it."""
        self.state = self.state.play(event.action)
        mark = Mark(event.mark)
        if mark:
            self.marks.append(MarkedMove(self.action_count, seat, mark, event.reason))
        self.decisions[seat] += count_one(mark, event.timed_out)
        self.action_count += 1
        self.is_silent = self.is_silent and event.timed_out
        return SeatMoved(seat, event.action, event.timed_out)

    def reveal(self) -> Iterator[Entry]:
        """Yield an entry for each holding and each street's cards that the last move made public."""
        public = self.state.public
        if public.phase == SHOWDOWN:  # players show their cards before the rest of the board is dealt
            for seat in public.showdown_order():
                yield HoldingShown(seat, self.state.holdings[seat], self.dealt)
        for size in public.variant.board_sizes:
            if self.shown < size <= len(public.board):
                position = len(self.chairs) * public.variant.deck.holding_size + self.shown
                yield BoardOpened(public.board[self.shown : size], position, self.dealt)
                self.shown = size


def with_posts(variant: Variant, posts: tuple[int, ...]) -> Variant:
    """Return the game of a hand in which newcomers post; `posts` are by seat."""
    return replace(variant, posts=posts) if any(posts) else variant


def deal_hand(variant: Variant, event: HandStarted, deal: NextDeal | None, first_entry: int) -> Hand:
    """Deal a hand, from its pre-decks or (deal v1) from the event's seed, and return it.

    Raise InvalidInput if the deck has too few cards.
    """
    seat_count, board_size = len(event.chairs), variant.board_sizes[-1]
    dealt, other_seed = None, ""
    if event.seed or deal is None:
        cards = deal_by_seed(variant.deck, seat_count, board_size, bytes.fromhex(event.seed))
    else:
        dealt, other_seed = deal.deal(event.chairs, event.secrets)
        cards = dealt.deal(seat_count, board_size)
    state = start_with_cards(with_posts(variant, event.posts), event.stacks, cards.holdings, cards.board)
    seed, decisions = dealt.seed if dealt else event.seed, [DecisionCounts()] * seat_count
    return Hand(
        number=event.hand_number,
        chairs=event.chairs,
        state=state,
        seed=seed,
        first_entry=first_entry,
        other_seed=other_seed,
        decisions=decisions,
        dealt=dealt,
    )
