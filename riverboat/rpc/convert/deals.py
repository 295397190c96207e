"""Messages about deals: offers, contributions and openings."""

from collections.abc import Iterable

from riverboat.dealing.memory import ComingDeal, Contribution
from riverboat.dealing.mix import Lineup, Offer
from riverboat.dealing.predeck import Opening
from riverboat.errors import InvalidInput, in_field
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb


def encode_openings(openings: Iterable[Opening]) -> list[pb.Opening]:
    """Encode the openings of some cards."""
    return [pb.Opening(salt=opening.salt, path=opening.path) for opening in openings]


def encode_coming(coming: ComingDeal) -> pb.ComingDeal:
    """Encode the state of the next deal."""
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
    """Decode a chair's contribution; InvalidInput if it is empty. The table checks the rest."""
    with in_field("contribution"):
        kind = message.WhichOneof("kind")
        if kind is None or not getattr(message, kind):
            raise InvalidInput("", "must have a commitment or a secret")
    return Contribution(message.hand_number, message.attempt, message.commitment, message.secret)


def encode_contribution(contribution: Contribution) -> pb.Contribution:
    """Encode a chair's contribution."""
    message = pb.Contribution(hand_number=contribution.hand_number, attempt=contribution.attempt)
    if contribution.commitment:
        message.commitment = contribution.commitment
    else:
        message.secret = contribution.secret
    return message


def decode_coming(table_id: str, message: pb.ComingDeal) -> ComingDeal:
    """Decode the state of the next deal."""
    seats = message.lineup
    lineup = Lineup(tuple(seat.chair for seat in seats), tuple(seat.commitment for seat in seats)) if seats else None
    return ComingDeal(
        offer=Offer(table_id, message.hand_number, message.attempt, tuple(message.roots)),
        commitment=message.commitment,
        lineup=lineup,
        own_commitment=message.own_commitment,
        is_revealed=message.is_revealed,
        may_contribute=message.may_contribute,
    )


def decode_openings(messages: Iterable[pb.Opening]) -> tuple[Opening, ...]:
    """Decode the openings of some cards."""
    return tuple(Opening(message.salt, message.path) for message in messages)
