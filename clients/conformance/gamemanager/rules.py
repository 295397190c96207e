"""ListVariants, Package, LegalActions and Apply."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from riverboat.clients.conformance.expectations import require, same, short
from riverboat.clients.conformance.gamemanager.common import NO_LIMIT, RULES, move
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2_grpc import StateManagerStub
from riverboat.rpc.convert.state_manager import encode_state, encode_variant
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, start, start_random
from riverboat.rules.variant import VARIANTS, Variant, fixed_limit, no_limit, pot_limit

_HANDS = 30
_MORE = (
    no_limit(5, 10, 20, ante=3), pot_limit(1, 2), fixed_limit(4, ante=1), replace(no_limit(5, 10), antes=(0, 10)),
    replace(no_limit(1, 2), pot_cap=60, all_in=False),
    replace(no_limit(50, 100), bet_sizes=parse_bet_sizes("1b 0.5p / 1p all-in; 2p / 150")),
)  # fmt: skip


def stub(server: Server) -> StateManagerStub:
    """Return a client of the state manager."""
    return StateManagerStub(server.channel)


def package(server: Server, *events: pb.Event, stacks: tuple[int, ...] = (1000, 1000)) -> pb.State:
    """Return the state after some events of no-limit hold'em with blinds 50 and 100."""
    return stub(server).Package(pb.PackageRequest(variant=NO_LIMIT, stacks=stacks, events=events)).state


def _hands() -> Iterator[tuple[HandState, list[pb.Event], int | None]]:
    """Yield every state of random hands of all variants, with the events before it and the action taken in it."""
    for seed in range(_HANDS):
        rng = np.random.default_rng(seed)
        variant: Variant = (*VARIANTS, *_MORE)[seed % (len(VARIANTS) + len(_MORE))]
        most = min(6, variant.most_players)
        count = int(rng.integers(max(2, len(variant.blinds)), most + 1))
        stacks = [int(rng.integers(1, rng.choice((30, 300, 3000)))) for _ in range(count)]
        hand, events = start_random(variant, stacks, rng), list[pb.Event]()
        while not hand.is_over:
            public = hand.public
            actions = [CALL] + ([FOLD] if public.can_play(FOLD) else []) + list(public.raise_limits or ())
            action = int(rng.choice(actions))
            yield hand, events, action
            hand = hand.play(action)
            events = [*events, move(public.actor or 0, action)]


@RULES("ListVariants", "Package accepts every variant unchanged")
def variants(server: Server) -> None:
    listed = stub(server).ListVariants(pb.ListVariantsRequest()).variants
    require(len(listed) > 0, "ListVariants: the list is empty")
    for variant in listed:
        state = stub(server).Package(pb.PackageRequest(variant=variant, stacks=[500, 500])).state
        same(f"Package of {variant.name}, its variant", state.variant, variant)
        same(f"Package of {variant.name}, its phase", pb.Phase.Name(state.phase), "PHASE_ACT")


@RULES("Package", "returns the state after a flop and a bet")
def flop(server: Server) -> None:
    state = package(server, move(1, 300), move(0, 0), pb.Event(board="Td9d2c"), move(0, 400))
    got = state.street, state.board, state.pot, state.bet, state.actor, state.raise_count, state.aggressor
    asked = "a raise to 300, a call, Td9d2c and a bet of 400: street, board, pot, bet, actor, raises, aggressor"
    same(asked, got, (1, "Td9d2c", 1000, 400, 1, 1, 0))
    same(
        "after a raise to 300, a call, Td9d2c and a bet of 400: stacks",
        [seat.stack for seat in state.seats],
        [300, 700],
    )
    same(
        "after a raise to 300, a call, Td9d2c and a bet of 400: chips paid",
        [seat.paid for seat in state.seats],
        [700, 300],
    )


@RULES("Package", "posts blinds and antes of every kind")
def posted(server: Server) -> None:
    for variant in (*VARIANTS, *_MORE):
        stacks = [40] * max(3, len(variant.blinds)) if variant.most_players > 2 else [40, 40]
        request = pb.PackageRequest(variant=encode_variant(variant), stacks=stacks)
        hand = start_random(variant, stacks, np.random.default_rng(0))
        same(request, stub(server).Package(request).state, encode_state(hand.public))


@RULES("Apply", "plays whole random hands of all variants, event by event", 180)
def hands(server: Server) -> None:
    for hand, _, action in _hands():
        if action is None or hand.public.actor is None:
            continue
        request = pb.ApplyRequest(state=encode_state(hand.public), event=move(hand.public.actor, action))
        wanted = encode_state(hand.public.play(action))
        got = stub(server).Apply(request).state
        for field in wanted.DESCRIPTOR.fields:
            asked = f"{_where(hand)}, then {action}: {field.name}"
            same(asked, getattr(got, field.name), getattr(wanted, field.name))


@RULES("Apply", "deals board cards between streets")
def board_cards(server: Server) -> None:
    before = package(server, move(1, 0), move(0, 0))
    same("after two calls, the phase", pb.Phase.Name(before.phase), "PHASE_CHANCE")
    state = stub(server).Apply(pb.ApplyRequest(state=before, event=pb.Event(board="AhKhQh"))).state
    same(
        "after two calls and AhKhQh, street, board and actor",
        (state.street, state.board, state.actor),
        (1, "AhKhQh", 0),
    )


@RULES("LegalActions", "is right in whole random hands of all variants", 180)
def legal(server: Server) -> None:
    for hand, _, _ in _hands():
        public = hand.public
        if public.actor is None:
            continue
        actions = stub(server).LegalActions(pb.LegalActionsRequest(state=encode_state(public)))
        got = actions.can_fold, actions.to_call, actions.min_raise_to, actions.max_raise_to
        wanted = public.can_play(FOLD), public.to_call, *(public.raise_limits or (0, 0))
        same(f"{_where(hand)}: can_fold, to_call and raises", got, wanted)
        same(f"{_where(hand)}: raises_to, by the variant's sizes", tuple(actions.raises_to), public.raises_to)


@RULES("LegalActions", "lists raises by sizes, in ascending order")
def sizes(server: Server) -> None:
    request = pb.LegalActionsRequest(state=package(server, move(1, 300)), bet_sizes="0.5p 1p all-in")
    actions = stub(server).LegalActions(request)
    same("after a raise to 300, sizes 0.5p 1p all-in: raises", list(actions.raises_to), [600, 900, 1000])
    request.bet_sizes = "2.5b 400"
    same("after a raise to 300, sizes 2.5b 400: raises", list(stub(server).LegalActions(request).raises_to), [550, 700])


@RULES("LegalActions", "turns requested sizes into the nearest ones that the variant allows")
def sizes_within_sizes(server: Server) -> None:
    public = start(replace(no_limit(50, 100), bet_sizes=parse_bet_sizes("1b 4b")), [10_000] * 2)
    request = pb.LegalActionsRequest(state=encode_state(public), bet_sizes="0.1p 1p 2p all-in")
    got = list(stub(server).LegalActions(request).raises_to)
    same("variant with sizes 1b 4b, request with 0.1p 1p 2p all-in: raises", got, [200, 500])


def _where(hand: HandState) -> str:
    state = encode_state(hand.public)
    state.ClearField("variant")
    return f"{hand.public.variant.name}, {short(state)}"
