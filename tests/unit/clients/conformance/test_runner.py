"""Servers that are wrong in different ways: the checks say what is wrong."""

# mypy: disable-error-code="abstract"
# Test servers implement only some methods: the others answer UNIMPLEMENTED.

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from riverboat.cards import DECKS
from riverboat.clients.conformance.check import Check, Wrong
from riverboat.clients.conformance.contracts import checks_of
from riverboat.clients.conformance.expectations import refused, same_arrays
from riverboat.clients.conformance.runner import CheckOutcome, Verdict, run_check
from riverboat.clients.conformance.server import Server, listens, open_channel
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1 import oracle_pb2_grpc
from riverboat.rpc.convert.oracle_answers import encode_deck_with_holdings, encode_decks


@contextmanager
def serving(servicer: Any) -> Iterator[Server]:
    """Serve a class that may implement only a part of the contract; give the server that checks call."""
    server = grpc.server(ThreadPoolExecutor(4))
    oracle_pb2_grpc.add_OracleServicer_to_server(servicer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with open_channel(f"127.0.0.1:{port}") as channel:
            yield Server(channel, "")
    finally:
        server.stop(None)


def check_named(method: str, words: str) -> Check:
    (check,) = [check for check in checks_of("oracle") if check.method == method and words in check.name]
    return check


def outcome(servicer: Any, method: str, words: str) -> CheckOutcome:
    with serving(servicer) as server:
        return run_check(server, check_named(method, words))


class Fake(oracle_pb2_grpc.OracleServicer):
    """An oracle that answers a few questions correctly."""

    def ListDecks(self, request: pb.ListDecksRequest, context: Any) -> pb.ListDecksResponse:  # noqa: N802
        return encode_decks(tuple(DECKS.values()))

    def GetDeck(self, request: pb.GetDeckRequest, context: Any) -> pb.GetDeckResponse:  # noqa: N802
        return encode_deck_with_holdings(DECKS[request.deck or "52"])


def test_what_is_right_passes() -> None:
    result = outcome(Fake, "ListDecks", "the five decks")
    assert (result.verdict, result.sentence) == (Verdict.PASSED, "")


def test_what_is_not_implemented_is_not_there_yet() -> None:
    result = outcome(Fake, "Classify", "in words")
    assert (result.verdict, result.sentence) == (Verdict.MISSING, "Classify is not implemented")
    refusal = outcome(Fake, "Classify", "refuses two cards")
    assert refusal.verdict is Verdict.MISSING, "UNIMPLEMENTED is not a refusal"


def test_wrong_values_are_named() -> None:
    class Swapped(Fake):
        def GetDeck(self, request: pb.GetDeckRequest, context: Any) -> pb.GetDeckResponse:  # noqa: N802
            answer = pb.GetDeckResponse()
            answer.CopyFrom(super().GetDeck(request, context))
            answer.holdings[0], answer.holdings[1] = answer.holdings[1], answer.holdings[0]
            return answer

    result = outcome(Swapped, "GetDeck", "axis H")
    assert result.verdict is Verdict.WRONG
    assert result.sentence == "GetDeck of 52, holding 0: got 2h2c, expected 2d2c"


def test_a_fixed_deal_is_not_fair() -> None:
    class Fixed(Fake):
        def Deal(self, request: pb.DealRequest, context: Any) -> pb.DealResponse:  # noqa: N802
            return pb.DealResponse(stub="JsQsKs", seed=request.seed)

    result = outcome(Fixed, "Deal", "equally likely")
    assert "number of different orders: got 1, expected 6" in result.sentence


def details(field: str) -> bytes:
    status = status_pb2.Status(code=3, message="wrong")
    violation = error_details_pb2.BadRequest.FieldViolation(field=field, description="wrong")
    status.details.add().Pack(error_details_pb2.BadRequest(field_violations=[violation]))
    return bytes(status.SerializeToString())


@pytest.mark.parametrize(
    ("code", "message", "field", "sentence"),
    [
        (grpc.StatusCode.INTERNAL, "oops", "deck", "was refused with INTERNAL (oops), expected INVALID_ARGUMENT"),
        (grpc.StatusCode.INVALID_ARGUMENT, "deck: no such deck", None, "without a google.rpc.BadRequest"),
        (grpc.StatusCode.INVALID_ARGUMENT, "deck: no such deck", "hands", "about hands, expected deck"),
        (grpc.StatusCode.INVALID_ARGUMENT, "", "deck", "without a message that says why"),
        (grpc.StatusCode.INVALID_ARGUMENT, "deck: no such deck", "deck", ""),
    ],
)
def test_refusals_need_the_right_code_and_field(
    code: grpc.StatusCode, message: str, field: str | None, sentence: str
) -> None:
    class Refusing(Fake):
        def GetDeck(self, request: pb.GetDeckRequest, context: Any) -> pb.GetDeckResponse:  # noqa: N802
            if field is not None:
                context.set_trailing_metadata((("grpc-status-details-bin", details(field)),))
            context.abort(code, message)
            raise AssertionError

    result = outcome(Refusing, "GetDeck", "refuses an unknown deck")
    assert sentence in result.sentence
    assert (result.verdict is Verdict.PASSED) == (not sentence)


def test_an_answer_where_a_refusal_is_due() -> None:
    class Tolerant(Fake):
        def Classify(self, request: pb.ClassifyRequest, context: Any) -> pb.ClassifyResponse:  # noqa: N802
            return pb.ClassifyResponse()

    result = outcome(Tolerant, "Classify", "refuses two cards")
    assert result.sentence.endswith("was answered, expected a refusal with INVALID_ARGUMENT")


def test_a_server_that_hangs_does_not_hang_the_checks() -> None:
    stop = threading.Event()

    class Hanging(Fake):
        def ListDecks(self, request: pb.ListDecksRequest, context: Any) -> pb.ListDecksResponse:  # noqa: N802
            stop.wait(30)
            return pb.ListDecksResponse()

        def Equity(self, request: pb.EquityRequest, context: Any) -> Iterator[pb.EquityResponse]:  # noqa: N802
            while not stop.is_set() and context.is_active():
                time.sleep(0.01)
                yield pb.EquityResponse(progress=pb.EquityResponse.Progress(done=0.5))

    with serving(Hanging) as server:
        for method, words in (("ListDecks", "the five decks"), ("Equity", "weights instead of text")):
            check = check_named(method, words)
            hasty = Check(check.service, check.method, check.name, check.run, 0.3)
            result = run_check(server, hasty)
            assert result.verdict is Verdict.WRONG
            assert result.sentence == f"{method} did not answer within the 0.3 seconds of the check"
        stop.set()


def test_arrays_of_the_wrong_length_are_a_sentence() -> None:
    class Short(Fake):
        def Strengths(self, request: pb.StrengthsRequest, context: Any) -> pb.StrengthsResponse:  # noqa: N802
            return pb.StrengthsResponse(strengths=b"123", board_count=len(request.boards), holding_count=1326)

    result = outcome(Short, "Strengths", "all holdings on many boards")
    assert "got 3 bytes, expected 159,120 for uint16 [60, 1326]" in result.sentence


def test_an_answer_that_nobody_foresaw_is_a_sentence_too() -> None:
    class Odd(Fake):
        def Deal(self, request: pb.DealRequest, context: Any) -> pb.DealResponse:  # noqa: N802
            return pb.DealResponse(holdings=["no cards"] * request.holding_count)

    result = outcome(Odd, "Deal", "every card of the deck")
    assert result.verdict is Verdict.WRONG
    assert result.sentence.startswith("the answer to Deal cannot be read: InvalidInput: ")


def test_nobody_listens() -> None:
    with open_channel("127.0.0.1:1") as channel:
        assert not listens(channel, 0.3)


def test_numbers_that_differ_are_counted_and_the_first_is_shown() -> None:
    import numpy as np

    came, wanted = np.array([[1.0, np.nan], [0.0, 2.0]]), np.array([[1.0, np.nan], [0.5, 3.0]])
    with pytest.raises(Wrong, match=r"2 of 4 numbers are wrong; at \[1, 0\] got 0.0, expected 0.5"):
        same_arrays("two rows", came, wanted)


def test_a_refusal_of_a_stream() -> None:
    def answers(_: Iterator[Any]) -> Iterator[int]:
        yield 1

    with pytest.raises(Wrong, match="this stream was answered, expected a refusal with NOT_FOUND"):
        refused(answers, [pb.GetDeckRequest()], "NOT_FOUND")
