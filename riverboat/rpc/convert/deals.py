"""Messages about deals: what is offered, contributed, opened, and what a client sees of it."""

from collections.abc import Iterable, Sequence

from riverboat.cards import parse_cards
from riverboat.dealing.memory import Coming, Contribution
from riverboat.dealing.mix import Lineup, Offer
from riverboat.dealing.predeck import Opening
from riverboat.dealing.record import DealRecord, Opened, holding_position
from riverboat.dealing.seed_record import SeedRecord
from riverboat.dealing.voids import VoidAttempt
from riverboat.dealing.witness import Sight
from riverboat.errors import InvalidInput, in_field
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.state_manager import decode_variant
from riverboat.rules.variant import Variant


def encode_openings(openings: Iterable[Opening]) -> list[pb.Opening]:
    """What proves some cards."""
    return [pb.Opening(salt=opening.salt, path=opening.path) for opening in openings]


def encode_coming(coming: Coming) -> pb.ComingDeal:
    """The next deal."""
    lineup = coming.lineup
    seats = zip(lineup.chairs, lineup.commitments, strict=True) if lineup else ()
    return pb.ComingDeal(
        hand_number=coming.offer.hand_number,
        attempt=coming.offer.attempt,
        commitment=coming.commitment,
        roots=coming.offer.roots,
        lineup=[pb.ComingDeal.Seat(chair=chair, commitment=commitment) for chair, commitment in seats],
        own_commitment=coming.own_commitment,
        is_revealed=coming.is_revealed,
        may_contribute=coming.may_contribute,
    )


def decode_contribution(message: pb.Contribution) -> Contribution:
    """What a chair contributes; the table says whether it is good."""
    with in_field("contribution"):
        kind = message.WhichOneof("kind")
        if kind is None or not getattr(message, kind):
            raise InvalidInput("", "must have a commitment or a secret")
    return Contribution(message.hand_number, message.attempt, message.commitment, message.secret)


def encode_contribution(contribution: Contribution) -> pb.Contribution:
    """What a chair contributes."""
    message = pb.Contribution(hand_number=contribution.hand_number, attempt=contribution.attempt)
    if contribution.commitment:
        message.commitment = contribution.commitment
    else:
        message.secret = contribution.secret
    return message


def decode_sight(view: pb.View) -> Sight:
    """What a view shows of deals. InvalidInput if it cannot be read."""
    variant = decode_variant(view.state.variant) if view.HasField("state") else None
    holding = parse_cards(view.holding)
    deal = None
    if variant is not None:
        own = [(view.seat, holding, tuple(view.openings))] if holding else []
        deal = decode_deal(view.table_id, variant, view.events, own)
    return Sight(
        view.table_id,
        view.chair,
        view.hand_number,
        holding,
        variant.deck if variant else None,
        deal,
        any(event.HasField("hand_ended") for event in view.events),
        _decode_coming(view.table_id, view.coming_deal) if view.HasField("coming_deal") else None,
        tuple(_decode_void(event.deal_voided) for event in view.events if event.HasField("deal_voided")),
    )


def _decode_void(message: pb.TableEvent.DealVoided) -> VoidAttempt:
    return VoidAttempt(message.hand_number, message.attempt, tuple(message.chairs))


def _decode_coming(table_id: str, message: pb.ComingDeal) -> Coming:
    seats = message.lineup
    lineup = Lineup(tuple(seat.chair for seat in seats), tuple(seat.commitment for seat in seats)) if seats else None
    return Coming(
        Offer(table_id, message.hand_number, message.attempt, tuple(message.roots)),
        message.commitment,
        lineup,
        message.own_commitment,
        message.is_revealed,
        message.may_contribute,
    )


def decode_deal(
    table_id: str,
    variant: Variant,
    events: Sequence[pb.TableEvent],
    own: Sequence[tuple[int, tuple[int, ...], tuple[pb.Opening, ...]]] = (),
) -> DealRecord | SeedRecord | None:
    """The deal of a hand from its events, and from a seat's own cards; None without the start of the hand."""
    started = next((event.hand_started for event in events if event.HasField("hand_started")), None)
    if started is None:
        return None
    shown = [event.shown for event in events if event.HasField("shown")]
    holdings = [*own, *((one.seat, parse_cards(one.cards), tuple(one.openings)) for one in shown)]
    boards = [event.board_dealt for event in events if event.HasField("board_dealt")]
    seed = "".join(event.hand_ended.seed for event in events if event.HasField("hand_ended"))
    board_size, deck = variant.board_sizes[-1], variant.deck
    if not started.attempt:
        known = tuple((seat, cards) for seat, cards, _ in holdings)
        cards = parse_cards("".join(board.cards for board in boards))
        return SeedRecord(started.commitment, seed, len(started.chairs), board_size, known, cards)
    opened = [
        Opened(holding_position(deck, seat), cards, _decode_openings(openings)) for seat, cards, openings in holdings
    ]
    position = len(started.chairs) * deck.holding_size
    for board in boards:
        cards = parse_cards(board.cards)
        opened.append(Opened(position, cards, _decode_openings(board.openings)))
        position += len(cards)
    return DealRecord(
        Offer(table_id, started.hand_number, started.attempt, tuple(started.roots)),
        started.commitment,
        tuple(started.chairs),
        tuple(started.secrets),
        started.other_seed,
        board_size,
        tuple(opened),
        seed,
    )


def _decode_openings(messages: Iterable[pb.Opening]) -> tuple[Opening, ...]:
    return tuple(Opening(message.salt, message.path) for message in messages)
