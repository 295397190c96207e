from typing import Any

import grpc
import pytest

from riverboat.clients.remote.refusals import _in_user_words, refusal_of
from riverboat.rpc.passed_metadata import REQUEST_ID_KEY


class Failed(grpc.RpcError):
    """A server's error."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        self._code, self._details = code, details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> Any:
        return ((REQUEST_ID_KEY, "abc-1"),)


def refused(error: grpc.RpcError, service: str = "oracle") -> str:
    return str(refusal_of(error, service=service, address="here:1", names={}))


def test_what_the_user_cannot_mend_can_be_looked_up_by_its_id() -> None:
    gone = Failed(grpc.StatusCode.UNAVAILABLE, "")
    assert refused(gone) == "the oracle at here:1 no longer answers (request id abc-1)"
    bug = Failed(grpc.StatusCode.INTERNAL, "a bug; its log has more under request id abc-1")
    assert refused(bug) == "a bug; its log has more under request id abc-1"
    mistake = Failed(grpc.StatusCode.INVALID_ARGUMENT, "deck: no such deck")
    assert refused(mistake) == "--deck: no such deck"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("hero.text: 'x' is no range", "HOLDING: 'x' is no range"),
        ("opponents[2].text: bad", "--vs 3: bad"),
        ("opponents[2]: bad", "--vs 3: bad"),
        ("opponents: there must be 1 to 9", "opponents: there must be 1 to 9"),
        ("rollouts.rollout_count: must be", "--rollouts: must be"),
        ("hands[0]: a hand has 5", "HAND 1: a hand has 5"),
        ("hands: too many", "HAND: too many"),
        ("stud.mine: bad", "--stud MINE: bad"),
        ("deck: no such deck", "--deck: no such deck"),
        ("rounds.settings.stack: must be", "stack: must be"),
        ("a sentence without a field", "a sentence without a field"),
        ("12 deals are too many: ask for rollouts", "12 deals are too many: ask for rollouts"),
    ],
)
def test_fields_are_named_as_on_the_command_line(message: str, expected: str) -> None:
    names = {
        "hero": "HOLDING",
        "opponents": "opponents",
        "opponents[]": "--vs {}",
        "hands": "HAND {}",
        "rollouts.rollout_count": "--rollouts",
        "stud.mine": "--stud MINE",
        "rounds.settings.": "",
    }
    assert _in_user_words(message, names) == expected
