"""The events by which a table follows its tournament: who sits where, the blinds, and when the next hand may start.

The tournament's state says what a table should look like, and every difference becomes an event of the table. So
nothing happens twice if a table follows again after a crash. A player sits down at the new table before getting up at
the old one, which starts no hand until then: a token always fits a chair.
"""

from collections.abc import Callable

from riverboat.rules.variant import Variant
from riverboat.tables.events import BlindsSet, Cleared, Closing, Joined, JournalEvent, Leaving, Left
from riverboat.tables.players import SeatedPlayer
from riverboat.tables.table import Table
from riverboat.tournaments.seating import EMPTY
from riverboat.tournaments.tournament import HandResult, Tournament

_MOST_AHEAD = 20  # hands, where levels last minutes
FindPlayer = Callable[[int], dict[int, SeatedPlayer]]  # the chairs where an entrant sits now: a player by table


def request_of(entrant: int) -> str:
    """Return the request id with which an entrant sits at every table; no client can send it."""
    return f"entrant {entrant}"


def entrant_in(player: SeatedPlayer) -> int:
    """Return the number of the entrant that a seated player is."""
    return int(player.join_id.removeprefix("entrant "))


def result_of(table: Table, tournament: Tournament, number: int) -> HandResult | None:
    """Return the result of the last hand at a tournament's table; None during a hand, and if it is already counted."""
    hand = table.hand
    if hand is None or table.is_in_hand or table.is_closed or hand.number <= tournament.hand_counts[number]:
        return None
    players = [table.player(chair) for chair in hand.chairs]
    after = tuple(player.stack for player in players)
    before = tuple(stack - payoff for stack, payoff in zip(after, hand.state.payoffs(), strict=True))
    return HandResult(
        table=number,
        hand_number=hand.number,
        entrants=tuple(map(entrant_in, players)),
        before=before,
        after=after,
    )


def table_updates(table: Table, tournament: Tournament, number: int, find: FindPlayer) -> list[JournalEvent]:
    """Return the events by which table `number` follows its tournament, as far as it can now."""
    if table.is_closed or table.is_closing:
        return []
    if tournament.is_closed:
        return [Closing()]
    wanted: list[int] = tournament.seats[number].tolist()
    getting_up = [] if table.is_in_hand else _getting_up(table, tournament, number, find)
    free = {chair for chair, player in enumerate(table.players) if player is None or chair in getting_up}
    sitting_down = {
        chair: entrant
        for chair, entrant in enumerate(wanted)
        if entrant != EMPTY and chair in free and table.chair_for(request_of(entrant)) in (None, *getting_up)
    }
    events: list[JournalEvent] = [Left(chair) for chair in getting_up]
    for chair, entrant in sitting_down.items():
        events += _sit_down(tournament, chair, entrant, find)
    if table.is_in_hand:
        return events
    after = {chair: entrant_in(player) for chair, player in enumerate(table.players) if player and chair not in free}
    is_complete = {**after, **sitting_down} == {
        chair: entrant for chair, entrant in enumerate(wanted) if entrant != EMPTY
    }
    return events + (_go_on(table, tournament, number) if is_complete else [])


def _getting_up(table: Table, tournament: Tournament, number: int, find: FindPlayer) -> list[int]:
    """Return the chairs of players who are out, and of those who already sit where they were moved to."""
    chairs = []
    for chair, player in enumerate(table.players):
        if player is None or tournament.seats[number, chair] == entrant_in(player):
            continue
        place = tournament.seat_of(entrant_in(player))
        if place is None or place[0] == number or place[0] in find(entrant_in(player)):
            chairs.append(chair)
    return chairs


def _sit_down(tournament: Tournament, chair: int, entrant: int, find: FindPlayer) -> list[JournalEvent]:
    player = tournament.entrants[entrant]
    joined = Joined(
        chair=chair,
        name=player.name,
        token_hash="",  # the tournament knows whose token is whose
        request_id=request_of(entrant),
        is_agent=bool(player.agent),
        contributes=player.contributes,
        chips=player.chips,
    )
    has_left = any(seated.gives_up for seated in find(entrant).values())
    return [joined, Leaving(chair, True)] if has_left else [joined]


def _go_on(table: Table, tournament: Tournament, number: int) -> list[JournalEvent]:
    """Return the events that let a table go on once every player is in place: blinds and the next hand, or its end."""
    counted = tournament.hand_counts[number]
    if number not in tournament.open_tables:
        return [Closing()]
    events: list[JournalEvent] = []
    if table.config.variant != variant_at(tournament):
        blinds = tournament.structure.level_at(tournament.level)
        events.append(BlindsSet(blinds.small_blind, blinds.big_blind, blinds.ante))
    if table.hand_count == counted > table.cleared_hand and not is_far_ahead(tournament, number):
        events.append(Cleared(counted))
    return events


def is_far_ahead(tournament: Tournament, number: int) -> bool:
    """Return whether a table must wait for slower tables.

    Otherwise quick agents at one table would raise the blinds of people at another. A table with one player cannot
    play, so no table waits for it.
    """
    counts = tournament.player_counts
    slowest = min((tournament.hand_counts[table] for table in tournament.open_tables if counts[table] > 1), default=0)
    return tournament.hand_counts[number] >= slowest + (tournament.structure.level_hands or _MOST_AHEAD)


def variant_at(tournament: Tournament) -> Variant:
    """Return the game of the tournament's current level."""
    return tournament.structure.variant_at(tournament.level)
