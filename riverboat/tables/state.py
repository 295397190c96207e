"""The state of one table, and how events change it.

Nothing here waits, writes or reads a clock. The same events always lead to the same state, now and after a restart.
"""

import hashlib
import hmac
from dataclasses import replace

from riverboat.dealing.mix import Lineup
from riverboat.errors import NotFound, NotYours
from riverboat.marks import DecisionCounts
from riverboat.rules.table import settle
from riverboat.rules.variant import Variant, no_limit
from riverboat.tables import entries
from riverboat.tables.config import TableConfig
from riverboat.tables.deals import NextDeal
from riverboat.tables.events import (
    BlindsSet,
    Cleared,
    Closed,
    Closing,
    Created,
    Handed,
    HandStarted,
    Joined,
    JournalEvent,
    Leaving,
    Left,
    LinedUp,
    Moved,
    Offered,
    Rebought,
    Voided,
)
from riverboat.tables.hand import Hand, deal_hand
from riverboat.tables.log import Log, Shelf
from riverboat.tables.players import SeatedPlayer, hash_of
from riverboat.tables.schedule import MatchTally, Schedule
from riverboat.tables.sides import AllSides, Sides


class TableState:
    """The state of a table after its events."""

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
        self.cleared_hand = -1  # the last hand that the tournament has counted; -1 before seats are drawn
        self._variants = [(1, self.config.variant)]  # games, each with the number of its first hand

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
        """Chips by chair; 0 for an empty chair."""
        return [player.stack if player else 0 for player in self.players]

    @property
    def public_hand_count(self) -> int:
        """Hands from the first on that everybody may know of: in a duplicate match those that all sides have played."""
        if self.sides is None or self.sides.is_over:
            return self.hand_count
        return min(self.hand_count, self.sides.known_deal_count)

    def is_bust(self, chair: int) -> bool:
        """Return whether the player in a chair has no chips, and is in no hand that may bring some."""
        player = self.players[chair]
        return player is not None and not player.stack and not (self.is_in_hand and self.seat_of(chair) is not None)

    def chair_of(self, token: str) -> int:
        """Return the chair that a token is for; raise NotYours if it fits none."""
        token_hash = hash_of(token)
        for chair, player in enumerate(self.players):
            if player and hmac.compare_digest(player.token_hash, token_hash):
                return chair
        raise NotYours("this token belongs to no chair at this table")

    def token_for(self, request_id: str) -> str:
        """Return the token of the player who joins with this request; a repeated request gets the same token."""
        digest = hmac.new(bytes.fromhex(self._secret), request_id.encode(), hashlib.sha256).hexdigest()
        return f"{self.id}.{digest}"

    def is_dealer(self, token: str) -> bool:
        """Return whether this is the dealer token of the table."""
        return bool(token) and hmac.compare_digest(self._dealer_hash, hash_of(token))

    def player(self, chair: int) -> SeatedPlayer:
        """Return the player in a chair; raise NotFound if it is empty."""
        player = self.players[chair]
        if player is None:
            raise NotFound(f"nobody sits in chair {chair}")
        return player

    def seat_of(self, chair: int) -> int | None:
        """Return the seat of a chair in the hand; None if it is not dealt in."""
        player = self.players[chair]
        if self.hand is None or chair not in self.hand.chairs or (player and player.first_hand > self.hand.number):
            return None
        return self.hand.chairs.index(chair)

    def chair_for(self, request_id: str) -> int | None:
        """Return the chair of the player who sat down with a request; None if there is none."""
        chairs = (i for i, player in enumerate(self.players) if player and player.join_id == request_id)
        return next(chairs, None)

    def variant_of(self, hand_number: int) -> Variant:
        """Return the game of a hand, which changes with the levels of a tournament."""
        return next(variant for first, variant in reversed(self._variants) if first <= hand_number)

    def end_for(self, sees_all: bool) -> int:
        """Return the number of the first entry that a spectator may not know yet."""
        if sees_all or self.public_hand_count == self.hand_count:
            return self.log.end
        return self.log.hand(self.public_hand_count + 1)

    def decisions_of(self, chair: int) -> DecisionCounts:
        """Return how a chair's player has decided in hands that are over; in a match, in deals that are complete."""
        return self.tally.decisions[chair] if self.config.deal_count else self.player(chair).decisions

    @property
    def _contributes_from(self) -> int:
        """The first hand that a player who sits down now may contribute to: the next one without a void attempt."""
        is_again = self.next_deal is not None and self.next_deal.offer.attempt > 1
        return self.hand_count + 1 + is_again

    def _place(self, hand: int) -> tuple[int, int]:
        """Return the deal and the turn of a hand of a match, all counted from 0."""
        return (hand, self.config.side) if self.sides else self._schedule.place(hand)

    # What events change

    def apply(self, event: JournalEvent) -> None:
        """Change the table by an event."""
        match event:
            case Joined():
                self._join(event)
            case Leaving():
                self.player(event.chair).is_leaving = True
                self.player(event.chair).gives_up = event.gives_up
            case Left():
                self._get_up(event)
            case Handed():
                self._hand_over(event)
            case Rebought():
                self.player(event.chair).stack += event.chips
                self.log.append(entries.ChipsBought(event.chair, event.chips))
            case BlindsSet():
                self._set_blinds(event)
            case Cleared():
                self.cleared_hand = event.hand_number
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

    def _join(self, event: Joined) -> None:
        player = SeatedPlayer(
            name=event.name,
            token_hash=event.token_hash,
            join_id=event.request_id,
            stack=event.chips or self.config.buy_in,
            is_agent=event.is_agent,
            first_hand=self.hand_count + 1,
            contributes=event.contributes,
            contributes_from=self._contributes_from,
        )
        self.players[event.chair] = player
        self.hosts |= {event.host} - {""}
        self.log.append(entries.PlayerJoined(event.chair, event.name, player.stack))

    def _set_blinds(self, event: BlindsSet) -> None:
        variant = no_limit(event.small_blind, event.big_blind, ante=event.ante)
        self.config = replace(self.config, variant=variant)
        self._variants.append((self.hand_count + 1, variant))
        self.log.append(entries.BlindsRaised(event.small_blind, event.big_blind, event.ante))

    def _get_up(self, event: Left) -> None:
        player = self.player(event.chair)
        if player.is_agent:
            self._gone_agents.add(player.join_id)
        self.players[event.chair] = None
        self._forget_contribution(event.chair)
        self.log.append(entries.PlayerLeft(event.chair))

    def _hand_over(self, event: Handed) -> None:
        player = self.player(event.chair)
        player.token_hash, player.is_barred = event.token_hash, False  # another process sits down
        player.contributes_from = self._contributes_from
        self._forget_contribution(event.chair)
        self.hosts |= {event.host} - {""}

    def _forget_contribution(self, chair: int) -> None:
        if self.next_deal:
            self.next_deal.forget(chair)

    def _line_up(self, event: LinedUp) -> None:
        if self.next_deal is None:
            raise RuntimeError("a journal has a lineup where no deal is offered")
        self.next_deal.lineup = Lineup(event.chairs, event.commitments)
        for chair, listed in zip(event.chairs, event.commitments, strict=True):
            self.player(chair).contributes = bool(listed)  # the table does not wait again for a silent chair

    def _void(self, event: Voided) -> None:
        self.next_deal = None
        for chair in event.chairs:
            if player := self.players[chair]:
                player.is_barred, player.contributes = True, False
        self.log.append(entries.DealVoided(event.hand_number, event.attempt, event.chairs))

    def _deal(self, event: HandStarted) -> None:
        deal = self.next_deal
        self.hand = deal_hand(self.config.variant, event, deal, self.log.end)
        self.hand_count, self.button, self.next_deal = event.hand_number, event.chairs[-1], None
        for chair, stack in zip(event.chairs, event.stacks, strict=True):
            self.player(chair).stack = stack
            self.player(chair).was_dealt_in = True
        names = [self.player(chair).name for chair in event.chairs]
        self.log.append(self.hand.announcement(event, names, deal))
        self._announce(self.hand)

    def _move(self, event: Moved) -> None:
        hand = self.hand
        if hand is None or hand.state.public.actor is None:
            raise RuntimeError("a journal has a move where nobody is to act")
        seat = hand.state.public.actor
        self.player(hand.chairs[seat]).keep_request(event.request_id)
        moved = hand.move(seat, event)
        self.timed_out_count += event.timed_out
        if self.sides:
            self.sides.timed_out_count += event.timed_out
        self.log.append(moved)
        self._announce(hand)

    def _announce(self, hand: Hand) -> None:
        """Log the board cards, showdowns and results that an event has led to."""
        for entry in hand.reveal():
            self.log.append(entry)
        if hand.state.is_over:
            self._finish(hand)

    def _finish(self, hand: Hand) -> None:
        """Share the pots, update the counts, and log the end of a hand."""
        self.silent_count = self.silent_count + 1 if hand.is_silent and hand.action_count else 0
        payoffs = hand.state.payoffs()
        if not self.sides:  # at a side, stacks would reveal a withheld result; its next hand starts with new stacks
            for player, stack in zip(self.players, settle(self.stacks, hand.chairs, payoffs), strict=True):
                if player:
                    player.stack = self.config.buy_in if self.config.equal_stacks else stack
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
