"""States as the state manager's contract describes them. A resolver passes them on without knowing the rules."""

from collections.abc import Iterable

from riverboat.contracts.state_manager import (
    MOST_SEATS,
    MOST_STREETS,
    DescribedSeat,
    DescribedState,
    DescribedStreet,
    DescribedVariant,
)
from riverboat.errors import InvalidInput, in_field
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.rules.variant import Street

_NUMBERS = ("pot", "bet", "full_raise", "raise_count", "action_count", "aggressor", "actor")


def decode_described(message: pb.State) -> DescribedState:
    """Decode a state. Only lengths are checked: the state manager checks the rest."""
    _check_length("seats", len(message.seats), MOST_SEATS)
    with in_field("variant"):
        variant = _decode_variant(message.variant)
    return DescribedState(
        variant=variant,
        street=message.street,
        board=message.board,
        seats=tuple(map(_decode_seat, message.seats)),
        phase=message.phase,
        **numbers_of(message),
    )


def numbers_of(state: pb.State | DescribedState) -> dict[str, int]:
    """Return the fields that have the same names in a message and in a `DescribedState`."""
    return {name: getattr(state, name) for name in _NUMBERS}


def _decode_variant(message: pb.Variant) -> DescribedVariant:
    _check_length("streets", len(message.streets), MOST_STREETS)
    _check_length("blinds", len(message.blinds), MOST_SEATS)
    _check_length("antes", len(message.antes), MOST_SEATS)
    _check_length("posts", len(message.posts), MOST_SEATS)
    return DescribedVariant(
        name=message.name,
        deck=message.deck,
        structure=message.structure,
        streets=tuple(
            DescribedStreet(board_count=street.board_count, bet=street.bet, raise_cap=street.raise_cap)
            for street in message.streets
        ),
        blinds=tuple(message.blinds),
        antes=tuple(message.antes),
        posts=tuple(message.posts),
        pot_cap=message.pot_cap,
        no_all_in=message.no_all_in,
        free_folds=message.free_folds,
        bet_sizes=message.bet_sizes,
    )


def _decode_seat(message: pb.Seat) -> DescribedSeat:
    return DescribedSeat(
        stack=message.stack,
        bet=message.bet,
        paid=message.paid,
        folded=message.folded,
        level=message.level,
        dead=message.dead,
    )


def _check_length(field: str, count: int, most: int) -> None:
    if count > most:
        raise InvalidInput(field, f"there must be at most {most}, not {count:,}")


def encode_described(state: DescribedState) -> pb.State:
    """Encode a state."""
    return pb.State(
        variant=_encode_variant(state.variant),
        street=state.street,
        board=state.board,
        seats=map(_encode_seat, state.seats),
        phase=pb.Phase.ValueType(state.phase),
        **numbers_of(state),
    )


def _encode_variant(variant: DescribedVariant) -> pb.Variant:
    return pb.Variant(
        name=variant.name,
        deck=variant.deck,
        structure=pb.Structure.ValueType(variant.structure),
        streets=encode_streets(variant.streets),
        blinds=variant.blinds,
        antes=variant.antes,
        posts=variant.posts,
        pot_cap=variant.pot_cap,
        no_all_in=variant.no_all_in,
        free_folds=variant.free_folds,
        bet_sizes=variant.bet_sizes,
    )


def encode_streets(streets: Iterable[DescribedStreet | Street]) -> list[pb.Street]:
    """Encode the streets of a variant."""
    return [pb.Street(board_count=street.board_count, bet=street.bet, raise_cap=street.raise_cap) for street in streets]


def _encode_seat(seat: DescribedSeat) -> pb.Seat:
    return pb.Seat(stack=seat.stack, bet=seat.bet, paid=seat.paid, folded=seat.folded, level=seat.level, dead=seat.dead)
