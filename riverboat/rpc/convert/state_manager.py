"""Messages of the state manager's contract."""

from collections.abc import Sequence

import numpy as np

from riverboat.cards import find_deck, format_cards, parse_cards
from riverboat.errors import InvalidInput, TooLarge, in_field
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.rpc.convert.actions import decode_action
from riverboat.rpc.convert.described_states import encode_streets, numbers_of
from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.rules.betting import ACTOR, FOLD, OUT, PAID, POT, STREET
from riverboat.rules.events import BoardDealt, HandEvent, Move
from riverboat.rules.parts import Parts, SeatParts, assemble
from riverboat.rules.state import PublicState
from riverboat.rules.tree import Depth, PublicTree, Subtree
from riverboat.rules.variant import MOST_CHIPS, MOST_SEATS, MOST_STREETS, Street, Structure, Variant

MOST_EVENTS = 1_000
LONGEST_NAME = 60
_DEFAULT_DECK = "52"
_STRUCTURES = {
    pb.STRUCTURE_NO_LIMIT: Structure.NO_LIMIT,
    pb.STRUCTURE_POT_LIMIT: Structure.POT_LIMIT,
    pb.STRUCTURE_FIXED_LIMIT: Structure.FIXED_LIMIT,
}
_STRUCTURE_NAMES = {structure: name for name, structure in _STRUCTURES.items()}


def decode_variant(message: pb.Variant) -> Variant:
    """Decode a variant."""
    with in_field("variant"):
        if len(message.name) > LONGEST_NAME:
            raise InvalidInput("name", f"must have at most {LONGEST_NAME} characters, not {len(message.name):,}")
        structure = _STRUCTURES.get(message.structure)
        if structure is None:
            raise InvalidInput("structure", "must be no-limit, pot-limit or fixed-limit")
        if len(message.streets) > MOST_STREETS:
            raise InvalidInput("streets", f"there must be 1 to {MOST_STREETS}, not {len(message.streets):,}")
        for name, chips in (("blinds", message.blinds), ("antes", message.antes), ("posts", message.posts)):
            if len(chips) > MOST_SEATS:
                raise InvalidInput(name, f"there must be at most {MOST_SEATS}, not {len(chips):,}")
        for i, street in enumerate(message.streets):
            if not 1 <= street.bet <= MOST_CHIPS:
                raise InvalidInput(f"streets[{i}].bet", f"must be from 1 to {MOST_CHIPS:,} chips, not {street.bet:,}")
        with in_field("deck"):
            deck = find_deck(message.deck or _DEFAULT_DECK)
        return Variant(
            name=message.name,
            deck=deck,
            structure=structure,
            streets=tuple(Street(street.board_count, street.bet, street.raise_cap) for street in message.streets),
            blinds=tuple(message.blinds),
            antes=tuple(message.antes),
            posts=tuple(message.posts),
            pot_cap=message.pot_cap,
            all_in=not message.no_all_in,
            free_folds=message.free_folds,
            bet_sizes=decode_sizes(message.bet_sizes) if message.bet_sizes else None,
        )


def encode_variant(variant: Variant) -> pb.Variant:
    """Encode a variant."""
    return pb.Variant(
        name=variant.name,
        deck=variant.deck.name,
        structure=_STRUCTURE_NAMES[variant.structure],
        streets=encode_streets(variant.streets),
        blinds=variant.blinds,
        antes=variant.antes,
        posts=variant.posts,
        pot_cap=variant.pot_cap,
        no_all_in=not variant.all_in,
        free_folds=variant.free_folds,
        bet_sizes="" if variant.bet_sizes is None else str(variant.bet_sizes),
    )


def encode_variants(variants: Sequence[Variant]) -> pb.ListVariantsResponse:
    """Encode variants."""
    return pb.ListVariantsResponse(variants=map(encode_variant, variants))


def decode_state(message: pb.State) -> PublicState:
    """Decode a state; InvalidInput if it cannot occur."""
    with in_field("state"):
        if len(message.seats) > MOST_SEATS:
            raise InvalidInput("seats", f"there must be 2 to {MOST_SEATS}, not {len(message.seats):,}")
        variant = decode_variant(message.variant)
        with in_field("board"):
            board = parse_cards(message.board)
        seats = [
            SeatParts(
                stack=seat.stack, bet=seat.bet, paid=seat.paid, folded=seat.folded, level=seat.level, dead=seat.dead
            )
            for seat in message.seats
        ]
        return assemble(Parts(variant=variant, street=message.street, board=board, seats=seats, **numbers_of(message)))


def encode_state(public: PublicState) -> pb.State:
    """Encode a state."""
    columns = zip(public.stacks, public.bets, public.paid, public.folded, public.levels, public.dead, strict=True)
    return pb.State(
        variant=encode_variant(public.variant),
        street=public.street,
        board=format_cards(public.board),
        seats=[pb.Seat(stack=a, bet=b, paid=c, folded=d, level=e, dead=f) for a, b, c, d, e, f in columns],
        pot=public.pot,
        bet=public.bet,
        full_raise=public.full_raise,
        raise_count=public.raise_count,
        action_count=public.action_count,
        aggressor=-1 if public.aggressor is None else public.aggressor,
        actor=-1 if public.actor is None else public.actor,
        phase=pb.Phase.ValueType(public.phase + 1),  # in the same order, after UNSPECIFIED
    )


def decode_event(message: pb.Event) -> HandEvent:
    """Decode an event."""
    match message.WhichOneof("kind"):
        case "move":
            with in_field("move.action"):
                return Move(message.move.seat, decode_action(message.move.action))
        case "board":
            with in_field("board"):
                return BoardDealt(parse_cards(message.board))
    raise InvalidInput("", "must be a move or board cards")


def decode_package(request: pb.PackageRequest) -> tuple[Variant, list[int], list[HandEvent]]:
    """Decode a PackageRequest."""
    if len(request.stacks) > MOST_SEATS:
        raise InvalidInput("stacks", f"there must be 2 to {MOST_SEATS}, not {len(request.stacks):,}")
    if len(request.events) > MOST_EVENTS:
        raise TooLarge(f"{len(request.events):,} events are too many for one call; the limit is {MOST_EVENTS:,}")
    events = []
    for i, message in enumerate(request.events):
        with in_field(f"events[{i}]"):
            events.append(decode_event(message))
    return decode_variant(request.variant), list(request.stacks), events


def encode_package(public: PublicState) -> pb.PackageResponse:
    """Encode a PackageResponse."""
    return pb.PackageResponse(state=encode_state(public))


def decode_apply(request: pb.ApplyRequest) -> tuple[PublicState, HandEvent]:
    """Decode an ApplyRequest."""
    with in_field("event"):
        event = decode_event(request.event)
    return decode_state(request.state), event


def encode_apply(public: PublicState) -> pb.ApplyResponse:
    """Encode an ApplyResponse."""
    return pb.ApplyResponse(state=encode_state(public))


def decode_sizes(text: str) -> BetSizes:
    """Decode bet sizes."""
    with in_field("bet_sizes"):
        return parse_bet_sizes(text)


def decode_legal_actions(request: pb.LegalActionsRequest) -> tuple[PublicState, BetSizes | None]:
    """Decode a LegalActionsRequest."""
    return decode_state(request.state), decode_sizes(request.bet_sizes) if request.bet_sizes else None


def encode_legal_actions(public: PublicState, raises: Sequence[int]) -> pb.LegalActionsResponse:
    """Encode the legal actions."""
    low, high = public.raise_limits or (0, 0)
    return pb.LegalActionsResponse(
        can_fold=public.can_play(FOLD), to_call=public.to_call, min_raise_to=low, max_raise_to=high, raises_to=raises
    )


def decode_subtree(message: pb.Subtree) -> Subtree:
    """Decode a Subtree."""
    with in_field("subtree"):
        if message.board_count < 0:
            raise InvalidInput("board_count", f"cannot be negative, but is {message.board_count}")
        depth = Depth(message.depth.street, message.depth.level) if message.HasField("depth") else None
        return Subtree(
            root=decode_state(message.state),
            sizes=decode_sizes(message.bet_sizes),
            depth=depth,
            boards=message.board_count or None,
            seed=message.seed,
        )


def encode_count(node_count: int, limit: int) -> pb.CountSubtreeResponse:
    """Encode the size of a tree."""
    beyond = node_count > limit
    return pb.CountSubtreeResponse(node_count=min(node_count, limit), beyond_limit=beyond, limit=limit)


def _encode_summary(tree: PublicTree) -> pb.ExpandSubtreeResponse:
    """Encode the first message of a tree."""
    board_count, board_size = tree.boards.shape
    return pb.ExpandSubtreeResponse(
        summary=pb.ExpandSubtreeResponse.Summary(
            node_count=tree.node_count,
            seat_count=tree.root.player_count,
            board_count=board_count,
            board_size=board_size,
            boards=tree.boards.tobytes(),
            board_sizes=tree.board_sizes.tobytes(),
        )
    )


def encode_tree(tree: PublicTree, start: int, end: int) -> pb.ExpandSubtreeResponse:
    """Encode nodes `start` up to `end`; the summary if there are none."""
    if start == end:
        return _encode_summary(tree)
    part = slice(start, end)
    return pb.ExpandSubtreeResponse(
        nodes=pb.ExpandSubtreeResponse.Nodes(
            first_node=start,
            node_count=end - start,
            phase=(tree.kind[part] + np.int8(1)).astype("i1").tobytes(),
            actor=tree.column(ACTOR, part).astype("i1").tobytes(),
            street=tree.column(STREET, part).astype("i1").tobytes(),
            parent=tree.parent[part].astype("<i4").tobytes(),
            action=tree.action[part].astype("<i8").tobytes(),
            first_child=tree.first_child[part].astype("<i4").tobytes(),
            child_count=tree.child_count[part].astype("<i4").tobytes(),
            board=tree.board[part].astype("<i4").tobytes(),
            pot=tree.column(POT, part).astype("<i8").tobytes(),
            paid=tree.columns(PAID, part).astype("<i8").tobytes(),
            folded=tree.columns(OUT, part).astype("u1").tobytes(),
        )
    )
