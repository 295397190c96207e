import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from riverboat import errors
from riverboat.errors import InvalidInput, RiverboatError, Unavailable, in_field
from riverboat.rpc.status import CODES, code_of, details_of, message_of


def test_the_table_is_that_of_the_design() -> None:
    expected = {
        "InvalidInput": "INVALID_ARGUMENT",
        "IllegalAction": "FAILED_PRECONDITION",
        "Stale": "ABORTED",
        "NotFound": "NOT_FOUND",
        "NotYours": "PERMISSION_DENIED",
        "TooLarge": "RESOURCE_EXHAUSTED",
        "Unavailable": "UNAVAILABLE",
        "RiverboatError": "FAILED_PRECONDITION",
    }
    assert {kind.__name__: code.name for kind, code in CODES.items()} == expected


def test_every_error_has_a_code() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RiverboatError)]
    assert set(kinds) == set(CODES)


class Torn(Unavailable):
    """A class of errors that the table does not name."""


class Worn(RiverboatError):
    """An error whose only named base class is the root."""


def test_an_error_that_is_not_in_the_table_has_the_code_of_the_class_it_derives_from() -> None:
    assert code_of(Torn("later")) is grpc.StatusCode.UNAVAILABLE
    assert code_of(Worn("never")) is grpc.StatusCode.FAILED_PRECONDITION
    status = status_pb2.Status.FromString(details_of(Torn("later")))
    assert (status.code, status.message) == (grpc.StatusCode.UNAVAILABLE.value[0], "later")


def test_fields_are_told_apart_from_reasons() -> None:
    error = InvalidInput("hero.text", "no such range")
    assert code_of(error) is grpc.StatusCode.INVALID_ARGUMENT
    status = status_pb2.Status.FromString(details_of(error))
    bad = error_details_pb2.BadRequest()
    assert status.details[0].Unpack(bad)
    assert (bad.field_violations[0].field, bad.field_violations[0].description) == ("hero.text", "no such range")


def test_long_messages_are_cut() -> None:
    assert len(message_of(InvalidInput("x" * 100_000, "y" * 100_000))) == 1000
    assert len(details_of(InvalidInput("x" * 100_000, "y" * 100_000))) < 5000


@pytest.mark.parametrize(
    ("inner", "expected"), [("", "outer"), ("field", "outer.field"), ("[3]", "outer[3]"), ("[3].x", "outer[3].x")]
)
def test_fields_nest(inner: str, expected: str) -> None:
    with pytest.raises(InvalidInput) as caught, in_field("outer"):
        raise InvalidInput(inner, "why")
    assert caught.value.field == expected
    assert str(caught.value) == f"{expected}: why"
