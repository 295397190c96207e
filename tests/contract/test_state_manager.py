"""The state manager's contract, from a client's side, against a real process."""

from typing import Any

import grpc
import pytest

from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2_grpc import StateManagerStub
from riverboat.rpc.convert import state_manager as convert
from riverboat.rules.variant import no_limit
from tests.processes import ServiceProcess
from tests.unit.rules.hands import play_out

NL = convert.encode_variant(no_limit(50, 100))
TAROT = pb.Variant(structure=pb.STRUCTURE_NO_LIMIT, deck="tarot")


def move(seat: int, action: int) -> pb.Event:
    kinds = {-1: pb.Action(fold=pb.Action.Fold()), 0: pb.Action(call=pb.Action.Call())}
    return pb.Event(move=pb.Event.Move(seat=seat, action=kinds.get(action, pb.Action(raise_to=action))))


def package(stub: StateManagerStub, *events: pb.Event, stacks: tuple[int, ...] = (1000, 1000)) -> pb.State:
    return stub.Package(pb.PackageRequest(variant=NL, stacks=stacks, events=events)).state


def test_states_go_over_the_wire_and_back(state_manager: StateManagerStub) -> None:
    """Random hands of all variants, played by one Apply after another, match the library."""
    for seed in range(40):
        for hand, action in play_out(seed):
            public = hand.public
            message = convert.encode_state(public)
            legal = state_manager.LegalActions(pb.LegalActionsRequest(state=message, bet_sizes="1p"))
            assert (legal.min_raise_to, legal.max_raise_to) == (public.raise_limits or (0, 0))
            assert legal.to_call == public.to_call
            if action is not None and public.actor is not None:
                event = move(public.actor, action)
                applied = state_manager.Apply(pb.ApplyRequest(state=message, event=event)).state
                assert applied == convert.encode_state(public.play(action))


def code_of(call: Any, request: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        list(call(request, timeout=30))
    return caught.value.code(), caught.value.details() or ""


def changed(state: pb.State, **fields: Any) -> pb.State:
    copy = pb.State()
    copy.CopyFrom(state)
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy


def test_impossible_states(state_manager: StateManagerStub) -> None:
    state = package(state_manager, move(1, 300), move(0, 0), pb.Event(board="Td9d2c"))
    for fields, reason in (
        ({"pot": 601}, "state.pot: chips do not add up"),
        ({"board": "Td9d2c5h"}, "state.board: street 1 has 3 board cards, not 4"),
        ({"board": "TdTd2c"}, "state.board: Td appears twice"),
        ({"board": "Zz"}, "state.board: 'Zz' is not a card"),
        ({"actor": 1}, "state.actor: seat 1 would act out of turn"),
        ({"street": 9}, "state.street: "),
        ({"bet": 50}, "state.bet: chips do not add up"),
    ):
        code, details = code_of(state_manager.LegalActions, pb.LegalActionsRequest(state=changed(state, **fields)))
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert details.startswith(reason), details


@pytest.mark.parametrize(
    ("method", "request_", "code", "reason"),
    [
        ("Package", pb.PackageRequest(), "INVALID_ARGUMENT", "variant.structure: "),
        ("Package", pb.PackageRequest(variant=NL), "INVALID_ARGUMENT", "stacks: "),
        ("Package", pb.PackageRequest(variant=NL, stacks=[5] * 5000), "INVALID_ARGUMENT", "stacks: "),
        ("Package", pb.PackageRequest(variant=NL, stacks=[-5, 5]), "INVALID_ARGUMENT", "stacks: "),
        ("Package", pb.PackageRequest(variant=NL, stacks=[2**62] * 2), "INVALID_ARGUMENT", "stacks: "),
        ("Package", pb.PackageRequest(variant=TAROT), "INVALID_ARGUMENT", "variant.deck: no deck is called"),
        ("Package", pb.PackageRequest(variant=NL, stacks=[500] * 2, events=[move(0, 0)]),
         "INVALID_ARGUMENT", "events[0].move.seat: seat 0 is out of turn"),
        ("Package", pb.PackageRequest(variant=NL, stacks=[500] * 2, events=[move(1, 101)]),
         "FAILED_PRECONDITION", "events[0]: seat 1 cannot raise to 101"),
        ("Package", pb.PackageRequest(variant=NL, stacks=[500] * 2, events=[pb.Event()]),
         "INVALID_ARGUMENT", "events[0]: must be a move or board cards"),
        ("Package", pb.PackageRequest(variant=NL, stacks=[500] * 2, events=[pb.Event(board="Ah")]),
         "FAILED_PRECONDITION", "events[0]: no board cards are to be dealt now"),
        ("Package", pb.PackageRequest(variant=NL, stacks=[500] * 2, events=[move(1, 0)] * 5000),
         "RESOURCE_EXHAUSTED", "the limit is 1,000"),
        ("Apply", pb.ApplyRequest(), "INVALID_ARGUMENT", "event: must be a move or board cards"),
        ("LegalActions", pb.LegalActionsRequest(), "INVALID_ARGUMENT", "state.variant.structure"),
        ("CountSubtree", pb.CountSubtreeRequest(), "INVALID_ARGUMENT", "subtree.state"),
        ("ExpandSubtree", pb.ExpandSubtreeRequest(), "INVALID_ARGUMENT", "subtree.state"),
    ],
)  # fmt: skip
def test_bad_requests(state_manager: StateManagerStub, method: str, request_: Any, code: str, reason: str) -> None:
    refusal, details = code_of(getattr(state_manager, method), request_)
    assert refusal.name == code
    assert reason in details


def test_trees_beyond_the_limit_are_refused(state_manager: StateManagerStub) -> None:
    state = package(state_manager, stacks=(20_000, 20_000))
    subtree = pb.Subtree(state=state, bet_sizes="0.5p 1p 2p all-in")
    counted = state_manager.CountSubtree(pb.CountSubtreeRequest(subtree=subtree))
    assert (counted.beyond_limit, counted.limit) == (True, 200_000)
    code, details = code_of(state_manager.ExpandSubtree, pb.ExpandSubtreeRequest(subtree=subtree))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "nodes; the limit is 200,000" in details
    bad = pb.Subtree(state=state, bet_sizes="huge")
    code, details = code_of(state_manager.ExpandSubtree, pb.ExpandSubtreeRequest(subtree=bad))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details.startswith("subtree.bet_sizes: 'huge' is not a size")


def test_health_and_no_private_cards(gamemanager_process: ServiceProcess) -> None:
    assert gamemanager_process.health("riverboat.gamemanager.v1.StateManager") == "SERVING"
    names = [field.name for message in pb.DESCRIPTOR.message_types_by_name.values() for field in message.fields]
    assert not [name for name in names if "holding" in name or "hole" in name or "private" in name]
