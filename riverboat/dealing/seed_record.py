"""A deal v1, from one seed of the server that is revealed after the hand, and the checks that it must pass."""

from collections.abc import Iterator
from dataclasses import dataclass

from riverboat.cards import Deck, format_cards
from riverboat.dealing.record import Cards
from riverboat.dealing.shuffle import SEED_BYTES, commitment, deal_by_seed
from riverboat.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRecord:
    """The announcements about a deal v1."""

    commitment: str
    seed: str  # "" while it is secret
    seat_count: int
    board_size: int  # of the whole board
    holdings: tuple[tuple[int, Cards], ...]  # seats and cards that are known; a seat may be listed more than once
    board: Cards  # the cards dealt so far


def seed_problems(record: SeedRecord, deck: Deck) -> Iterator[str]:
    """Yield what is wrong with a deal v1; nothing if its seed proves it."""
    if not record.seed or not record.commitment:
        missing = ["commitment"] * (not record.commitment) + ["seed"] * (not record.seed)
        yield f"it has no {' and no '.join(missing)}"
        return
    try:
        seed = bytes.fromhex(record.seed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        yield f"its seed is not {2 * SEED_BYTES} hexadecimal digits"
        return
    if commitment(seed) != record.commitment.lower():
        yield "the seed is not the one that was committed to"
    yield from _differences(record, deck, seed)


def _differences(record: SeedRecord, deck: Deck, seed: bytes) -> Iterator[str]:
    try:
        deal = deal_by_seed(deck, record.seat_count, record.board_size, seed)
    except InvalidInput as error:
        yield str(error)
        return
    for seat, cards in record.holdings:
        if not 0 <= seat < len(deal.holdings):
            yield f"it has cards of seat {seat}, and only {len(deal.holdings)} players"
        elif not set(cards) <= set(deal.holdings[seat]):
            yield f"seat {seat} has {format_cards(cards)}, but the seed deals {format_cards(deal.holdings[seat])}"
    board = deal.board[: len(record.board)]
    if record.board != board:
        yield f"the board is {format_cards(record.board)}, but the seed deals {format_cards(board)}"
