"""One table: what it is after all its events, and which events a wish leads to.

Nothing here waits, writes or looks at a clock. A wish is checked and answered with events; events are applied,
now and again after a restart, and always with the same result.
"""

import hashlib
import hmac
from dataclasses import dataclass, field, replace

from riverboat.dealing import commitment, deal_by_seed, derived_seed
from riverboat.dealing.mix import Lineup
from riverboat.errors import IllegalAction, InvalidInput, NotFound, NotYours, RiverboatError, Stale
from riverboat.marks import DecisionCounts, Mark, count_one, mark_of
from riverboat.rules.betting import CALL, FOLD, SHOWDOWN
from riverboat.rules.state import HandState, check_stacks, start_with_cards
from riverboat.rules.table import chairs_in_order, next_button, settle
from riverboat.tables import entries
from riverboat.tables.config import LEAST_PLAYERS, TableConfig
from riverboat.tables.deals import DealtDeck, NextDeal, offered
from riverboat.tables.events import (
    Closed,
    Closing,
    Created,
    Event,
    Handed,
    HandStarted,
    Joined,
    Leaving,
    Left,
    LinedUp,
    Moved,
    Offered,
    Rebought,
    Voided,
)
from riverboat.tables.log import Log, Shelf
from riverboat.tables.schedule import MatchTally, Schedule
from riverboat.tables.sides import MOST_AHEAD, AllSides, Sides

_KEPT_REQUESTS = 64  # of each chair: retries come soon
_SILENT_HANDS = 10  # after which nobody is there any more
_NO_DECISIONS = DecisionCounts()


@dataclass(slots=True)
class SeatedPlayer:
    """Who sits in a chair."""

    name: str
    token_hash: str
    join_id: str
    stack: int  # chips, as they were before the hand that is being played
    is_agent: bool
    first_hand: int  # the first that it can be dealt in
    decisions: DecisionCounts = _NO_DECISIONS  # of hands that are over
    is_leaving: bool = False
    gives_up: bool = False  # checks or folds whenever it is its turn
    requests: list[str] = field(default_factory=list)  # ids of its last actions
    contributes: bool = False  # to the shuffle: the next hand waits for it a little
    contributes_from: int = 1  # the first hand that it may contribute to
    is_barred: bool = False  # from contributing: it did not reveal what it had committed to


@dataclass(slots=True)
class Hand:
    """A hand that is being played, or the last one."""

    number: int
    chairs: tuple[int, ...]
    state: HandState
    seed: str  # of the deck that was dealt
    first_entry: int  # in the table's log
    action_count: int = 0
    is_silent: bool = True  # only the clock has acted
    shown: int = 0  # board cards that have been announced
    dealt: DealtDeck | None = None  # None in a deal v1
    marks: list[entries.MarkedMove] = field(default_factory=list)
    decisions: list[DecisionCounts] = field(default_factory=list)  # by seat


def _is_same(one: str, other: str) -> bool:
    """Whether two secrets are the same, which takes as long whether or not they are."""
    return hmac.compare_digest(one.encode(), other.encode())


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Table:
    """The state of one table."""

    def __init__(self, table_id: str, created: Created, shelf: Shelf | None = None, sides: Sides | None = None) -> None:
        self.id = table_id
        self.config: TableConfig = created.config
        self._dealer_hash = created.dealer_hash
        self._secret = created.secret
        self.creator = created.creator
        self.players: list[SeatedPlayer | None] = [None] * self.config.chair_count
        self.log = Log(shelf or Shelf())
        self._deal_secret = bytes.fromhex(created.deal_secret or created.secret)
        self._schedule = Schedule(self.config.deal_count, self.config.hands_per_deal, self._secret)
        self.sides = sides or AllSides().of(self.config)  # of a duplicate match
        self.tally = self.sides.tally if self.sides else MatchTally(self.config.chair_count, self.config.hands_per_deal)
        self.hosts: set[str] = set()  # processes that play here, or have played
        self.timed_out_count = 0
        self.silent_count = 0  # hands in a row in which only the clock acted
        self.hand: Hand | None = None
        self.next_deal: NextDeal | None = None
        self.button: int | None = None
        self.hand_count = 0
        self.is_closing = False
        self.is_closed = False
        self._gone_agents: set[str] = set()  # requests of agents that have got up

    # What it is

    @property
    def is_in_hand(self) -> bool:
        """Whether a hand is being played."""
        return self.hand is not None and not self.hand.state.is_over

    @property
    def actor(self) -> int | None:
        """The chair that is to act."""
        if self.hand is None or self.hand.state.public.actor is None:
            return None
        return self.hand.chairs[self.hand.state.public.actor]

    @property
    def stacks(self) -> list[int]:
        """Chips by chair, 0 for empty ones."""
        return [player.stack if player else 0 for player in self.players]

    @property
    def can_start(self) -> bool:
        """Whether a hand can begin."""
        limit = self.config.hand_limit
        if self.is_closed or self.is_closing or self.is_in_hand or (limit and self.hand_count >= limit):
            return False
        if self.config.deal_count:
            return all(self.players) and not self._is_far_ahead
        stacks = [stack for stack in self.stacks if stack]
        if len(stacks) < (LEAST_PLAYERS if self.hand_count else self.config.players_to_start):
            return False
        try:
            check_stacks(self.config.variant, stacks[: self.config.variant.most_players])
        except RiverboatError:  # too few for the blinds, say, since some have left
            return False
        return True

    @property
    def _is_far_ahead(self) -> bool:
        """Whether a side of a duplicate match has to wait for the others."""
        return self.sides is not None and self.hand_count >= self.sides.known_deal_count + MOST_AHEAD

    @property
    def is_finished(self) -> bool:
        """Whether the table is to be closed now."""
        if self.is_closed or self.is_in_hand:
            return False
        limit = self.config.hand_limit
        is_deserted = self.silent_count >= _SILENT_HANDS and not self.config.deal_count
        return self.is_closing or bool(limit and self.hand_count >= limit) or self._is_won or is_deserted

    @property
    def _is_won(self) -> bool:
        """Whether one agent has all the chips, and nobody will bring more."""
        config = self.config
        can_be = config.agents_only and not config.agents_rebuy and not config.deal_count and self.hand_count > 0
        return can_be and sum(stack > 0 for stack in self.stacks) < LEAST_PLAYERS

    def is_bust(self, chair: int) -> bool:
        """Whether a player is without chips, and not in a hand that may still bring some."""
        player = self.players[chair]
        return player is not None and not player.stack and not (self.is_in_hand and self.seat_of(chair) is not None)

    def chair_of(self, token: str) -> int:
        """The chair that a token is for."""
        token_hash = hash_of(token)
        for chair, player in enumerate(self.players):
            if player and hmac.compare_digest(player.token_hash, token_hash):
                return chair
        raise NotYours("this token is for no chair of this table")

    def token_for(self, request_id: str) -> str:
        """The token of who joins with this request: the same again if the request is repeated."""
        digest = hmac.new(bytes.fromhex(self._secret), request_id.encode(), hashlib.sha256).hexdigest()
        return f"{self.id}.{digest}"

    def is_dealer(self, token: str) -> bool:
        """Whether this is the token of who created the table."""
        return bool(token) and hmac.compare_digest(self._dealer_hash, hash_of(token))

    def player(self, chair: int) -> SeatedPlayer:
        """Who sits in a chair."""
        player = self.players[chair]
        if player is None:
            raise NotFound(f"nobody sits in chair {chair}")
        return player

    def seat_of(self, chair: int) -> int | None:
        """The seat of a chair in the hand."""
        player = self.players[chair]
        if self.hand is None or chair not in self.hand.chairs or (player and player.first_hand > self.hand.number):
            return None
        return self.hand.chairs.index(chair)

    @property
    def _contributes_from(self) -> int:
        """The first hand that somebody who sits down now may contribute to: none of which an attempt was void."""
        is_again = self.next_deal is not None and self.next_deal.offer.attempt > 1
        return self.hand_count + 1 + is_again

    def _is_lined_up(self, chair: int) -> bool:
        """Whether a chair stands in the lineup of a hand that is about to be dealt."""
        lineup = self.next_deal.lineup if self.next_deal and not self.is_closed else None
        return lineup is not None and chair in lineup.chairs

    @property
    def public_hand_count(self) -> int:
        """Hands from the first on that everybody may know of: in a duplicate match those that all sides have played."""
        if self.sides is None or self.sides.is_over:
            return self.hand_count
        return min(self.hand_count, self.sides.known_deal_count)

    def end_for(self, sees_all: bool) -> int:
        """The number of the first entry that a spectator may not know yet."""
        if sees_all or self.public_hand_count == self.hand_count:
            return self.log.end
        return self.log.hand(self.public_hand_count + 1)

    def decisions_of(self, chair: int) -> DecisionCounts:
        """How a chair's player has decided in hands that are over; in a match, in deals that are complete."""
        return self.tally.decisions[chair] if self.config.deal_count else self.player(chair).decisions

    # What wishes lead to

    def join(
        self,
        name: str,
        chair: int | None,
        request_id: str,
        token_hash: str,
        is_agent: bool,
        contributes: bool = False,
        host: str = "",
    ) -> list[Event]:
        """A player wants a chair; no events if the same request was already granted."""
        if any(player and _is_same(player.join_id, request_id) for player in self.players):
            return []
        if self.is_closed or self.is_closing:
            raise IllegalAction("the table is closed")
        if request_id in self._gone_agents:
            raise IllegalAction("this agent has lost its chips and got up")
        if self.config.agents_only and not is_agent:
            raise IllegalAction("this table is for agents only")
        free = [i for i, player in enumerate(self.players) if player is None]
        if chair is None:
            if not free:
                raise IllegalAction("the table is full")
            chair = free[0]
        if not 0 <= chair < len(self.players):
            raise InvalidInput("chair", f"chairs are 0 to {len(self.players) - 1}, not {chair}")
        if chair not in free:
            raise IllegalAction(f"chair {chair} is taken")
        if any(player and player.name == name for player in self.players):
            raise IllegalAction(f"somebody called {name} sits here already")
        return [Joined(chair, name, token_hash, request_id, is_agent, contributes, host)]

    def hand_over(self, request_id: str, token_hash: str, host: str = "") -> list[Event]:
        """An agent's chair goes to another host; no events if it has no chair yet."""
        chairs = [i for i, player in enumerate(self.players) if player and player.join_id == request_id]
        return [Handed(chair, token_hash, host) for chair in chairs]

    def leave(self, chair: int, gives_up: bool = False) -> list[Event]:
        """A player wants to get up: at once, or after the hand it is dealt in.

        A player in the lineup is dealt in already: the chairs decide who gets which cards, so getting up must not move
        the cards, nor refuse a deal. It is acted for.
        """
        player, is_lined_up = self.player(chair), self._is_lined_up(chair)
        if not is_lined_up and not (self.is_in_hand and self.seat_of(chair) is not None):
            return [Left(chair)]
        gives_up = gives_up or is_lined_up
        return [] if player.is_leaving and player.gives_up >= gives_up else [Leaving(chair, gives_up)]

    def rebuy(self, chair: int, chips: int) -> list[Event]:
        """A player wants chips."""
        if self.is_in_hand and self.seat_of(chair) is not None:
            raise IllegalAction("chips are bought between hands")
        most = self.config.buy_in - self.player(chair).stack
        if not 1 <= chips <= most:
            raise InvalidInput("chips", f"must be from 1 to {max(0, most)}: the buy-in is {self.config.buy_in}")
        return [Rebought(chair, chips)]

    @property
    def next_chairs(self) -> tuple[int, ...]:
        """Who would be dealt in now, by seat."""
        stacks = self.stacks
        before = self.button if self.button is not None else len(stacks) - 1
        chairs = chairs_in_order(stacks, next_button(stacks, before))
        return chairs[-self.config.variant.most_players :]

    def start_hand(self, entropy: bytes) -> list[Event]:
        """A hand starts, and the next deal is prepared from secret bytes; in a match it has a seed of its own."""
        if self.config.deal_count:
            return [self._match_hand()]
        events, deal = list[Event](), self.next_deal
        if deal is None:
            first = offered(self.config.variant.deck, self.hand_count + 1, 1, derived_seed(entropy, 1))
            events, deal = [first], NextDeal(self.id, self.config.variant.deck, first)
        chairs = deal.lineup.chairs if deal.lineup else self.next_chairs
        stacks = tuple(self.player(chair).stack for chair in chairs)
        started = HandStarted(deal.offer.hand_number, chairs, stacks, "", deal.secrets_of(chairs))
        self._dealt(started, deal)  # what is written down must be possible
        events.append(started)
        if started.hand_number != self.config.hand_limit:
            events.append(offered(self.config.variant.deck, started.hand_number + 1, 1, derived_seed(entropy, 0)))
        return events

    def _match_hand(self) -> HandStarted:
        """The next hand of a match: everybody has the same stack, and seats go round."""
        count = len(self.players)
        deal, turn = self._place(self.hand_count)
        seed = derived_seed(self._deal_secret, deal)
        turn = turn if self.config.is_duplicate else deal % count
        chairs = tuple((turn + seat) % count for seat in range(count))
        return HandStarted(self.hand_count + 1, chairs, (self.config.buy_in,) * count, seed.hex())

    def _place(self, hand: int) -> tuple[int, int]:
        """The deal and the turn of a hand of a match, all from 0."""
        return (hand, self.config.side) if self.sides else self._schedule.place(hand)

    def act(self, chair: int, request_id: str, hand_number: int, action_number: int, action: int) -> list[Event]:
        """A player wants to act; no events if the same request was already granted."""
        if request_id in self.player(chair).requests:
            return []
        hand = self.hand
        if hand is None or hand.number != hand_number or hand.action_count != action_number:
            now = f"hand {hand.number}, action {hand.action_count}" if hand else "no hand"
            raise Stale(f"that was for hand {hand_number}, action {action_number}; it is {now} now")
        if self.actor != chair:
            turn = "nobody is" if self.actor is None else f"chair {self.actor} is"
            raise IllegalAction(f"it is not chair {chair}'s turn: {turn} to act")
        hand.state.public.verify_action(action)
        mark, reason = mark_of(action)
        return [Moved(int(action), request_id, False, int(mark), reason)]

    def time_out(self) -> list[Event]:
        """The actor's clock has run out: it checks if it can, and folds if not."""
        if self.hand is None or self.actor is None:
            return []
        return [Moved(FOLD if self.hand.state.public.to_call else CALL, "", True)]

    def tidy(self) -> list[Event]:
        """What follows by itself: who has given up is acted for; between hands those who leave get up, the bust too,
        and a table that is finished is closed."""
        if self.actor is not None and self.player(self.actor).gives_up:
            return self.time_out()
        if self.is_in_hand or self.is_closed:
            return []
        if self.is_finished:
            return [Closed()]
        seated = [(chair, player) for chair, player in enumerate(self.players) if player]
        return [event for chair, player in seated for event in self._tidy_chair(chair, player)]

    def _tidy_chair(self, chair: int, player: SeatedPlayer) -> list[Event]:
        if player.is_leaving:
            return [] if self._is_lined_up(chair) else [Left(chair)]
        if not player.is_agent or player.stack or self.config.deal_count:
            return []
        return [Rebought(chair, self.config.buy_in)] if self.config.agents_rebuy else [Left(chair)]

    # What events change

    def apply(self, event: Event) -> None:
        """Change the table by an event."""
        match event:
            case Joined():
                first = self.hand_count + 1
                player = SeatedPlayer(
                    event.name, event.token_hash, event.request_id, self.config.buy_in, event.is_agent, first
                )
                player.contributes, player.contributes_from = event.contributes, self._contributes_from
                self.players[event.chair] = player
                self.hosts |= {event.host} - {""}
                self.log.append(entries.PlayerJoined(event.chair, event.name, player.stack))
            case Leaving():
                self.player(event.chair).is_leaving = True
                self.player(event.chair).gives_up = event.gives_up
            case Left():
                player = self.player(event.chair)
                if player.is_agent:
                    self._gone_agents.add(player.join_id)
                self.players[event.chair] = None
                self._forget_contribution(event.chair)
                self.log.append(entries.PlayerLeft(event.chair))
            case Handed():
                player = self.player(event.chair)
                player.token_hash, player.is_barred = event.token_hash, False  # somebody else sits down
                player.contributes_from = self._contributes_from
                self._forget_contribution(event.chair)
                self.hosts |= {event.host} - {""}
            case Rebought():
                self.player(event.chair).stack += event.chips
                self.log.append(entries.ChipsBought(event.chair, event.chips))
            case Offered():
                self.next_deal = NextDeal(self.id, self.config.variant.deck, event)
            case LinedUp():
                self._line_up(event)
            case Voided():
                self._void(event)
            case HandStarted():
                self._deal(event)
            case Moved():
                self._move(event)
            case Closing():
                self.is_closing = True
            case Closed():
                self.is_closed = True
                if self.sides:
                    self.sides.close(self.config.side)
                self.log.append(entries.TableClosed())

    def _forget_contribution(self, chair: int) -> None:
        if self.next_deal:
            self.next_deal.forget(chair)

    def _line_up(self, event: LinedUp) -> None:
        if self.next_deal is None:
            raise RuntimeError("a journal has a lineup where no deal is offered")
        self.next_deal.lineup = Lineup(event.chairs, event.commitments)
        for chair, listed in zip(event.chairs, event.commitments, strict=True):
            self.player(chair).contributes = bool(listed)  # who was silent is not waited for again

    def _void(self, event: Voided) -> None:
        self.next_deal = None
        for chair in event.chairs:
            if player := self.players[chair]:
                player.is_barred, player.contributes = True, False
        self.log.append(entries.DealVoided(event.hand_number, event.attempt, event.chairs))

    def _dealt(self, event: HandStarted, deal: NextDeal | None) -> tuple[HandState, DealtDeck | None, str]:
        """A hand with its cards, the deck they are from, and the seed of the other pre-deck; for a deal v1 no deck."""
        variant, seat_count = self.config.variant, len(event.chairs)
        if event.seed or deal is None:
            cards = deal_by_seed(variant.deck, seat_count, variant.board_sizes[-1], bytes.fromhex(event.seed))
            return start_with_cards(variant, event.stacks, cards.holdings, cards.board), None, ""
        dealt, other_seed = deal.deal(event.chairs, event.secrets)
        cards = dealt.deal(seat_count, variant.board_sizes[-1])
        return start_with_cards(variant, event.stacks, cards.holdings, cards.board), dealt, other_seed

    def _deal(self, event: HandStarted) -> None:
        deal = self.next_deal
        state, dealt, other_seed = self._dealt(event, deal)
        seed = dealt.seed if dealt else event.seed
        self.hand = Hand(event.hand_number, event.chairs, state, seed, self.log.end, dealt=dealt)
        self.hand.decisions = [DecisionCounts()] * len(event.chairs)
        self.hand_count, self.button, self.next_deal = event.hand_number, event.chairs[-1], None
        for chair, stack in zip(event.chairs, event.stacks, strict=True):
            self.player(chair).stack = stack
        names = tuple(self.player(chair).name for chair in event.chairs)
        began = entries.HandBegan(event.hand_number, event.chairs, event.stacks, names, "")
        if deal and dealt:
            began = replace(
                began,
                commitment=deal.commitment,
                attempt=deal.offer.attempt,
                roots=deal.offer.roots,
                secrets=event.secrets,
                other_seed=other_seed,
                dealt=dealt,
            )
        else:
            began = replace(began, commitment=commitment(bytes.fromhex(seed)))
        self.log.append(began)
        self._announce(self.hand)

    def _move(self, event: Moved) -> None:
        hand = self.hand
        if hand is None or hand.state.public.actor is None:
            raise RuntimeError("a journal has a move where nobody is to act")
        seat = hand.state.public.actor
        player = self.player(hand.chairs[seat])
        if event.request_id:
            player.requests = [*player.requests[1 - _KEPT_REQUESTS :], event.request_id]
        hand.state = hand.state.play(event.action)
        mark = Mark(event.mark)
        if mark:
            hand.marks.append(entries.MarkedMove(hand.action_count, seat, mark, event.reason))
        hand.decisions[seat] += count_one(mark, event.timed_out)
        hand.action_count += 1
        self.timed_out_count += event.timed_out
        if self.sides:
            self.sides.timed_out_count += event.timed_out
        hand.is_silent = hand.is_silent and event.timed_out
        self.log.append(entries.SeatMoved(seat, event.action, event.timed_out))
        self._announce(hand)

    def _announce(self, hand: Hand) -> None:
        """Log the board cards, showdowns and results that an event has led to."""
        public = hand.state.public
        showdown = public.phase == SHOWDOWN
        if showdown:  # those who are in show their cards before the rest of the board
            for seat in public.showdown_order():
                self.log.append(entries.HoldingShown(seat, hand.state.holdings[seat], hand.dealt))
        for size in public.variant.board_sizes:
            if hand.shown < size <= len(public.board):
                position = len(hand.chairs) * public.variant.deck.holding_size + hand.shown
                self.log.append(entries.BoardOpened(public.board[hand.shown : size], position, hand.dealt))
                hand.shown = size
        if hand.state.is_over:
            self._finish(hand)

    def _finish(self, hand: Hand) -> None:
        """Share the pots, count, and announce the end."""
        self.silent_count = self.silent_count + 1 if hand.is_silent and hand.action_count else 0
        payoffs = hand.state.payoffs()
        if not self.sides:  # whose stacks would tell what is withheld; the next hand starts with new ones
            for player, stack in zip(self.players, settle(self.stacks, hand.chairs, payoffs), strict=True):
                if player:
                    player.stack = stack
        for chair, counts in zip(hand.chairs, hand.decisions, strict=True):
            self.player(chair).decisions += counts
        # A deal v1 always ends with its seed, unless this table will play the deal again.
        seed = hand.seed if hand.dealt is None or self.config.reveals_all else ""
        if self.config.deal_count:
            deal, turn = self._place(hand.number - 1)
            seats = [hand.chairs.index(chair) for chair in range(len(self.players))]
            self.tally.add(deal, [payoffs[seat] for seat in seats], [hand.decisions[seat] for seat in seats])
            if not self.sides and turn < self.config.hands_per_deal - 1:
                seed = ""
        self.log.append(entries.HandFinished(payoffs, seed, tuple(hand.marks)))
