"""The deals that views and records show, in the form that `riverboat.dealing` checks."""

from collections.abc import Iterable, Sequence

from riverboat.dealing.mix import Offer
from riverboat.dealing.predeck import Opening
from riverboat.dealing.record import DealRecord, Opened, holding_position
from riverboat.dealing.seed_record import SeedRecord
from riverboat.dealing.voids import VoidAttempt
from riverboat.dealing.witness import Sight
from riverboat.rules.variant import Variant
from riverboat.tables.entries import BoardOpened, DealVoided, Entry, HandBegan, HandFinished, HoldingShown
from riverboat.tables.records import HandRecord
from riverboat.tables.view import TableView

_Holding = tuple[int, tuple[int, ...], tuple[Opening, ...]]  # seat, cards, and their proofs


def sight_of(view: TableView) -> Sight:
    """Return the deals in a view."""
    variant = view.public.variant if view.public else None
    own = [(view.seat, view.holding, view.openings)] if view.seat is not None and view.holding else []
    return Sight(
        table_id=view.table_id,
        chair=view.chair,
        hand_number=view.hand_number,
        holding=view.holding,
        deck=variant.deck if variant else None,
        deal=_deal(view.table_id, variant, view.entries, own) if variant else None,
        is_over=any(isinstance(entry, HandFinished) for entry in view.entries),
        coming=view.coming,
        void=tuple(
            VoidAttempt(entry.hand_number, entry.attempt, entry.chairs)
            for entry in view.entries
            if isinstance(entry, DealVoided)
        ),
    )


def deal_of(record: HandRecord) -> DealRecord | SeedRecord | None:
    """Return the deal of a hand that is over; None if the record lacks the start of the hand."""
    return _deal(record.table_id, record.variant, record.entries, ())


def _deal(
    table_id: str, variant: Variant, entries: Sequence[Entry], own: Sequence[_Holding]
) -> DealRecord | SeedRecord | None:
    began = next((entry for entry in entries if isinstance(entry, HandBegan)), None)
    if began is None:
        return None
    shown = [(entry.seat, entry.cards, entry.openings) for entry in entries if isinstance(entry, HoldingShown)]
    holdings = [*own, *shown]
    boards = [entry for entry in entries if isinstance(entry, BoardOpened)]
    seed = "".join(entry.seed for entry in entries if isinstance(entry, HandFinished))
    board_size = variant.board_sizes[-1]
    if not began.attempt:
        known = tuple((seat, cards) for seat, cards, _ in holdings)
        board = tuple(card for entry in boards for card in entry.cards)
        return SeedRecord(
            commitment=began.commitment,
            seed=seed,
            seat_count=len(began.chairs),
            board_size=board_size,
            holdings=known,
            board=board,
        )
    return DealRecord(
        offer=Offer(table_id, began.hand_number, began.attempt, began.roots),
        commitment=began.commitment,
        chairs=began.chairs,
        secrets=began.secrets,
        other_seed=began.other_seed,
        board_size=board_size,
        opened=_opened(variant, len(began.chairs), holdings, boards),
        seed=seed,
    )


def _opened(
    variant: Variant, seat_count: int, holdings: Iterable[_Holding], boards: Iterable[BoardOpened]
) -> tuple[Opened, ...]:
    """Return the cards that were opened, each with its position in the deal."""
    deck = variant.deck
    opened = [Opened(holding_position(deck, seat), cards, openings) for seat, cards, openings in holdings]
    position = seat_count * deck.holding_size
    for board in boards:
        opened.append(Opened(position, board.cards, board.openings))
        position += len(board.cards)
    return tuple(opened)
