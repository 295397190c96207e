"""How chairs contribute to the next deal of a table: offer, commitments, lineup, secrets, hand.

Contributions are not events (see NextDeal); offers, lineups and void attempts, which everybody is told of, are.
"""

from riverboat.dealing.memory import Contribution
from riverboat.errors import IllegalAction, Stale
from riverboat.tables.deals import offered
from riverboat.tables.events import JournalEvent, LinedUp, Voided
from riverboat.tables.table import Table


def needs_offer(table: Table) -> bool:
    """Return whether the next deal must be prepared."""
    limit = table.config.hand_limit
    is_over = table.is_closed or table.is_closing or bool(limit and table.hand_count >= limit)
    return table.next_deal is None and not is_over and not table.config.deal_count


def offer_deal(table: Table, entropy: bytes) -> list[JournalEvent]:
    """Return the events that prepare the next deal from 32 secret bytes."""
    return [offered(table.config.variant.deck, table.hand_count + 1, 1, entropy)]


def may_contribute(table: Table, chair: int) -> bool:
    """Return whether a chair may contribute to the next deal."""
    player = table.player(chair)
    return not player.is_barred and player.contributes_from <= table.hand_count + 1


def awaited(table: Table) -> list[int]:
    """Return the chairs whose commitments to the next deal the table waits for."""
    deal = table.next_deal
    if deal is None or deal.lineup or not table.can_start:
        return []
    chairs = [chair for chair in table.next_chairs if table.player(chair).contributes and may_contribute(table, chair)]
    return [chair for chair in chairs if chair not in deal.commitments]


def contribute(table: Table, chair: int, contribution: Contribution) -> None:
    """Add a chair's commitment or its secret to the next deal; raise unless it is due."""
    deal = table.next_deal
    if deal is None:
        raise IllegalAction("this table takes no contributions to its deals")
    place = (contribution.hand_number, contribution.attempt)
    if place != (deal.offer.hand_number, deal.offer.attempt):
        now = f"hand {deal.offer.hand_number}, attempt {deal.offer.attempt}"
        raise Stale(f"that was for hand {place[0]}, attempt {place[1]}; the next deal is {now}")
    if not may_contribute(table, chair):
        raise IllegalAction(f"chair {chair} may not contribute to this deal")
    if contribution.commitment:
        deal.commit(chair, contribution.commitment)
    else:
        deal.reveal(chair, contribution.secret)


def line_up(table: Table, entropy: bytes) -> list[JournalEvent]:
    """Return the events that fix who contributes to a hand that is due, or start the hand if nobody does."""
    deal = table.next_deal
    lineup = deal.lineup_of(table.next_chairs) if deal else None
    if lineup is None or not any(lineup.commitments):
        return table.start_hand(entropy)
    return [LinedUp(lineup.chairs, lineup.commitments)]


def void_deal(table: Table, entropy: bytes) -> list[JournalEvent]:
    """Return the events that give up an attempt whose secrets were not revealed in time and offer new pre-decks."""
    deal = table.next_deal
    if deal is None or deal.lineup is None:
        return []
    number, attempt = deal.offer.hand_number, deal.offer.attempt
    voided = Voided(number, attempt, tuple(sorted(deal.missing)))
    return [voided, offered(table.config.variant.deck, number, attempt + 1, entropy)]
