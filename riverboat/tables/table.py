"""One table: its state, and the events that a request leads to.

A request is checked and answered with events; nothing changes before they are applied.
"""

from riverboat.dealing import derived_seed
from riverboat.errors import IllegalAction, InvalidInput, RiverboatError, Stale
from riverboat.marks import mark_of
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import check_stacks
from riverboat.rules.table import chairs_in_order, next_button
from riverboat.tables.config import LEAST_PLAYERS
from riverboat.tables.deals import NextDeal, offered
from riverboat.tables.events import Closed, Handed, HandStarted, Joined, JournalEvent, Leaving, Left, Moved, Rebought
from riverboat.tables.hand import deal_hand
from riverboat.tables.players import SeatedPlayer, hash_of, is_same_secret
from riverboat.tables.sides import MOST_AHEAD
from riverboat.tables.state import TableState

__all__ = ["Table", "hash_of"]

_SILENT_HANDS = 10  # after this many hands in a row that only the clock played, the table is deserted


class Table(TableState):
    """A table, and the events that requests to it lead to."""

    @property
    def can_start(self) -> bool:
        """Whether a hand can start now."""
        limit = self.config.hand_limit
        if self.is_closed or self.is_closing or self.is_in_hand or (limit and self.hand_count >= limit):
            return False
        if self.config.deal_count:
            return all(self.players) and not self._is_far_ahead
        if self.config.tournament_id and self.cleared_hand < self.hand_count:
            return False
        stacks = [stack for stack in self.stacks if stack]
        if len(stacks) < (LEAST_PLAYERS if self.hand_count else self.config.players_to_start):
            return False
        try:
            check_stacks(self.config.variant, stacks[: self.config.variant.most_players])
        except RiverboatError:  # for instance too few players for the blinds
            return False
        return True

    @property
    def _is_far_ahead(self) -> bool:
        """Whether a side of a duplicate match has to wait for the others."""
        return self.sides is not None and self.hand_count >= self.sides.known_deal_count + MOST_AHEAD

    @property
    def is_finished(self) -> bool:
        """Whether the table is due to close."""
        if self.is_closed or self.is_in_hand:
            return False
        if self.config.tournament_id:
            return self.is_closing  # everything else is the tournament's business
        limit = self.config.hand_limit
        is_deserted = self.silent_count >= _SILENT_HANDS and not self.config.deal_count
        return self.is_closing or bool(limit and self.hand_count >= limit) or self._is_won or is_deserted

    @property
    def _is_won(self) -> bool:
        """Whether one agent has all the chips, and no player will bring more."""
        config = self.config
        can_be = config.agents_only and not config.agents_rebuy and not config.deal_count and self.hand_count > 0
        return can_be and sum(stack > 0 for stack in self.stacks) < LEAST_PLAYERS

    @property
    def next_chairs(self) -> tuple[int, ...]:
        """The chairs that would be dealt in now, by seat."""
        stacks = self.stacks
        before = self.button if self.button is not None else len(stacks) - 1
        chairs = chairs_in_order(stacks, next_button(stacks, before))
        return chairs[-self.config.variant.most_players :]

    def _is_lined_up(self, chair: int) -> bool:
        """Return whether a chair is in the lineup of a hand that is about to be dealt."""
        lineup = self.next_deal.lineup if self.next_deal and not self.is_closed else None
        return lineup is not None and chair in lineup.chairs

    # Events that requests lead to

    def join(
        self,
        name: str,
        chair: int | None,
        request_id: str,
        token_hash: str,
        is_agent: bool,
        contributes: bool = False,
        host: str = "",
    ) -> list[JournalEvent]:
        """Return the events that give a player a chair; none if the same request was already granted."""
        if any(player and is_same_secret(player.join_id, request_id) for player in self.players):
            return []
        if self.is_closed or self.is_closing:
            raise IllegalAction("the table is closed")
        if self.config.tournament_id:
            raise IllegalAction(f"seats are drawn here: register for tournament {self.config.tournament_id}")
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
            raise IllegalAction(f"a player called {name} already sits here")
        return [
            Joined(
                chair=chair,
                name=name,
                token_hash=token_hash,
                request_id=request_id,
                is_agent=is_agent,
                contributes=contributes,
                host=host,
            )
        ]

    def hand_over(self, request_id: str, token_hash: str, host: str = "") -> list[JournalEvent]:
        """Return the events that give an agent's chair to another host; none if the agent has no chair yet."""
        chairs = [i for i, player in enumerate(self.players) if player and player.join_id == request_id]
        return [Handed(chair, token_hash, host) for chair in chairs]

    def leave(self, chair: int, gives_up: bool = False) -> list[JournalEvent]:
        """Return the events by which a player gets up: at once, or after the hand that the player is dealt in.

        A player in the lineup is dealt in already: the chairs decide who gets which cards, so getting up must neither
        move the cards nor void the deal. The table acts for that player until the hand, or the tournament, is over.
        """
        if self.config.tournament_id:
            return [] if self.player(chair).gives_up else [Leaving(chair, True)]
        player, is_lined_up = self.player(chair), self._is_lined_up(chair)
        if not is_lined_up and not (self.is_in_hand and self.seat_of(chair) is not None):
            return [Left(chair)]
        gives_up = gives_up or is_lined_up
        return [] if player.is_leaving and player.gives_up >= gives_up else [Leaving(chair, gives_up)]

    def rebuy(self, chair: int, chips: int) -> list[JournalEvent]:
        """Return the events that sell a player chips, up to the buy-in."""
        if self.config.tournament_id:
            raise IllegalAction("a tournament sells no more chips")
        if self.is_in_hand and self.seat_of(chair) is not None:
            raise IllegalAction("chips are bought between hands")
        most = self.config.buy_in - self.player(chair).stack
        if not 1 <= chips <= most:
            raise InvalidInput("chips", f"must be from 1 to {max(0, most)}: the buy-in is {self.config.buy_in}")
        return [Rebought(chair, chips)]

    def start_hand(self, entropy: bytes) -> list[JournalEvent]:
        """Return the events that start a hand and prepare the next deal from 32 secret bytes.

        A match has a seed of its own for each deal, and needs neither.
        """
        if self.config.deal_count:
            return [self._match_hand()]
        events, deal = list[JournalEvent](), self.next_deal
        if deal is None:
            first = offered(self.config.variant.deck, self.hand_count + 1, 1, derived_seed(entropy, 1))
            events, deal = [first], NextDeal(self.id, self.config.variant.deck, first)
        chairs = deal.lineup.chairs if deal.lineup else self.next_chairs
        stacks = tuple(self.player(chair).stack for chair in chairs)
        secrets, posts = deal.secrets_of(chairs), self._posts(chairs)
        started = HandStarted(
            hand_number=deal.offer.hand_number, chairs=chairs, stacks=stacks, seed="", secrets=secrets, posts=posts
        )
        deal_hand(self.config.variant, started, deal, self.log.end)  # raises before an impossible hand becomes an event
        events.append(started)
        if started.hand_number != self.config.hand_limit:
            events.append(offered(self.config.variant.deck, started.hand_number + 1, 1, derived_seed(entropy, 0)))
        return events

    def _posts(self, chairs: tuple[int, ...]) -> tuple[int, ...]:
        """Return the posts of newcomers, by seat; empty if there are none, or if everybody dealt in has a blind."""
        variant, count = self.config.variant, len(chairs)
        if not self.config.newcomers_post or not self.hand_count or count == LEAST_PLAYERS:
            return ()
        newcomers = [
            not self.player(chair).was_dealt_in and not variant.blind_of(i, count) for i, chair in enumerate(chairs)
        ]
        return tuple(variant.big_blind * is_new for is_new in newcomers) if any(newcomers) else ()

    def _match_hand(self) -> HandStarted:
        """Return the start of the next hand of a match: equal stacks, and seats that rotate."""
        count = len(self.players)
        deal, turn = self._place(self.hand_count)
        seed = derived_seed(self._deal_secret, deal)
        turn = turn if self.config.is_duplicate else deal % count
        chairs = tuple((turn + seat) % count for seat in range(count))
        return HandStarted(
            hand_number=self.hand_count + 1, chairs=chairs, stacks=(self.config.buy_in,) * count, seed=seed.hex()
        )

    def act(self, chair: int, request_id: str, hand_number: int, action_number: int, action: int) -> list[JournalEvent]:
        """Return the events of a player's action; none if the same request was already granted."""
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
        return [Moved(int(action), request_id, timed_out=False, mark=int(mark), reason=reason)]

    def time_out(self) -> list[JournalEvent]:
        """Return the action for a player whose clock has run out: a check if possible, otherwise a fold."""
        if self.hand is None or self.actor is None:
            return []
        return [Moved(FOLD if self.hand.state.public.to_call else CALL, request_id="", timed_out=True)]

    def tidy(self) -> list[JournalEvent]:
        """Return the events that follow without a request.

        The table acts for a player who has given up. Between hands, leaving and bust players get up, and a finished
        table closes.
        """
        if self.actor is not None and self.player(self.actor).gives_up:
            return self.time_out()
        if self.is_in_hand or self.is_closed:
            return []
        if self.is_finished:
            return [Closed()]
        if self.config.tournament_id:
            return []
        seated = [(chair, player) for chair, player in enumerate(self.players) if player]
        return [event for chair, player in seated for event in self._tidy_chair(chair, player)]

    def _tidy_chair(self, chair: int, player: SeatedPlayer) -> list[JournalEvent]:
        if player.is_leaving:
            return [] if self._is_lined_up(chair) else [Left(chair)]
        if not player.is_agent or player.stack or self.config.deal_count:
            return []
        return [Rebought(chair, self.config.buy_in)] if self.config.agents_rebuy else [Left(chair)]
