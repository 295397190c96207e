"""States and questions survive the resolver's messages; oversized ones are refused."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.rpc.convert.described_states import decode_described, encode_described
from riverboat.rpc.convert.resolver import decode_saved_question, decode_spot, encode_saved_question, encode_spot
from riverboat.rpc.convert.resolver_client import public_state
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import KUHN, LEDUC, fixed_limit, no_limit
from riverboat.spots.spot import street_start

NL = no_limit(50, 100)
STATES: dict[str, PublicState] = {
    "kuhn": start(KUHN, [2, 2]),
    "leduc": start(LEDUC, [13, 13]),
    "after a raise": start(NL, [1000, 2000]).play(300),
    "fixed limit": start(fixed_limit(100), [1000, 1000]),
    "restricted": start(replace(NL, bet_sizes=parse_bet_sizes("1p / 1p"), pot_cap=900, antes=(5,)), [1000, 1000]),
    "a turn": street_start(parse_cards("Td9d6hQc"), 100, 400),
}


@pytest.mark.parametrize("name", STATES)
def test_a_state_comes_back_as_it_was(name: str) -> None:
    message = encode_state(STATES[name])
    assert encode_described(decode_described(message)) == message
    assert public_state(decode_described(message)) == STATES[name]


def test_what_can_be_won() -> None:
    described = {name: decode_described(encode_state(public)) for name, public in STATES.items()}
    assert described["a turn"].winnable == 100 + 2 * 400
    assert described["after a raise"].winnable == 2 * 1000
    assert described["restricted"].winnable == described["fixed limit"].winnable == 0
    assert (described["a turn"].streets_left, described["a turn"].next_board_size) == (1, 5)


def test_a_saved_question_is_the_request_without_its_budget() -> None:
    turn = pb.Spot(
        state=encode_state(STATES["a turn"]),
        bet_sizes="1p",
        depth=rules_pb.Subtree.Depth(street=3, level=1),
        board_count=4,
        seed=9,
        leaf="equity",
    )
    strategy = np.full((2, 1326), 0.5, "<f4").tobytes()
    request = pb.SolveRequest(
        spot=turn,
        ranges=np.ones((2, 1326), "<f4").tobytes(),
        algorithm="cfr+",
        locks=[pb.Lock(path=[pb.Step(action=rules_pb.Action(raise_to=100)), pb.Step(cards="2c")], strategy=strategy)],
        short_storage=True,
    )
    question = decode_saved_question(request.SerializeToString())
    assert pb.SolveRequest.FromString(encode_saved_question(question)) == request
    assert encode_spot(decode_spot(turn)) == turn


@pytest.mark.parametrize(
    ("field", "part"),
    [
        ("seats", {"seats": [rules_pb.Seat()] * 11}),
        ("variant.streets", {"variant": rules_pb.Variant(streets=[rules_pb.Street()] * 9)}),
        ("variant.blinds", {"variant": rules_pb.Variant(blinds=[1] * 11)}),
        ("variant.antes", {"variant": rules_pb.Variant(antes=[1] * 11)}),
    ],
)
def test_lists_that_are_too_long_are_refused(field: str, part: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        decode_spot(pb.Spot(state=rules_pb.State(**part)))
    assert caught.value.field == f"spot.state.{field}"
