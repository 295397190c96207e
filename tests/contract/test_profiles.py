"""StrengthProfiles: what holdings may become."""

import grpc
import numpy as np
import pytest

from protos.oracle.v1 import oracle_pb2 as pb
from protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.cards import DECKS, parse_cards
from riverboat.strength.profiles import strength_profile


@pytest.mark.parametrize(
    ("deck", "boards"), [("24", ["9sTsJd", "AsAhKd"]), ("24", ["9sTsJdQc"]), ("52", ["2s3h4d5c9s"]), ("24", [""])]
)
def test_profiles_are_the_librarys(oracle: OracleStub, deck: str, boards: list[str]) -> None:
    answer = oracle.StrengthProfiles(pb.StrengthProfilesRequest(deck=deck, boards=boards, bin_count=16), timeout=30)
    shape = answer.board_count, answer.holding_count
    profiles = np.frombuffer(answer.profiles, "<f4").reshape(*shape, 16)
    means = np.frombuffer(answer.means, "<f4").reshape(shape)
    for n, board in enumerate(boards):
        profile, mean = strength_profile(DECKS[deck], parse_cards(board), 16)
        assert np.array_equal(profiles[n], profile)
        assert np.allclose(means[n], mean)


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.StrengthProfilesRequest(deck="24", boards=["9sTsJd"], bin_count=1), "bin_count"),
        (pb.StrengthProfilesRequest(deck="24", boards=["9sTsJd"], bin_count=1000), "bin_count"),
        (pb.StrengthProfilesRequest(deck="24", bin_count=8), "boards"),
        (pb.StrengthProfilesRequest(deck="24", boards=["2s3s4s"], bin_count=8), "boards[0]"),
        (pb.StrengthProfilesRequest(deck="24", boards=["9sTsJd", "9sTsJdQc"], bin_count=8), "boards[1]"),
        (pb.StrengthProfilesRequest(deck="24", boards=["", "9sTsJd"], bin_count=8), "boards[1]"),
        (pb.StrengthProfilesRequest(deck="leduc", boards=["Ks"], bin_count=8), "deck"),
    ],
)
def test_bad_questions_are_refused_with_the_field(
    oracle: OracleStub, request_: pb.StrengthProfilesRequest, field: str
) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        oracle.StrengthProfiles(request_, timeout=30)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (caught.value.details() or "").startswith(field)


def test_too_many_boards_are_refused_with_the_size(oracle: OracleStub) -> None:
    request = pb.StrengthProfilesRequest(deck="52", boards=["2s3h4d5c9s"] * 100, bin_count=32)
    with pytest.raises(grpc.RpcError) as caught:
        oracle.StrengthProfiles(request, timeout=30)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
