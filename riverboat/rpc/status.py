"""The one table from Riverboat's errors to gRPC codes, and back."""

import grpc
from google.rpc import error_details_pb2, status_pb2

from riverboat.errors import (
    IllegalAction,
    InvalidInput,
    NotFound,
    NotYours,
    RiverboatError,
    Stale,
    TooLarge,
    Unavailable,
)

DETAILS_KEY = "grpc-status-details-bin"
_LONGEST_MESSAGE = 1000  # characters; metadata has little room

CODES: dict[type[RiverboatError], grpc.StatusCode] = {
    InvalidInput: grpc.StatusCode.INVALID_ARGUMENT,
    IllegalAction: grpc.StatusCode.FAILED_PRECONDITION,
    Stale: grpc.StatusCode.ABORTED,
    NotFound: grpc.StatusCode.NOT_FOUND,
    NotYours: grpc.StatusCode.PERMISSION_DENIED,
    TooLarge: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Unavailable: grpc.StatusCode.UNAVAILABLE,
    RiverboatError: grpc.StatusCode.FAILED_PRECONDITION,  # a kind that is none of the above
}


def code_of(error: RiverboatError) -> grpc.StatusCode:
    """Return the gRPC code of an error: its class's own, or that of the nearest class it derives from."""
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


def error_of(code: int, message: str) -> RiverboatError:
    """Return the error that a server reported, from its code's number."""
    kind = next((kind for kind, known in CODES.items() if known.value[0] == code), RiverboatError)
    return InvalidInput("", message) if kind is InvalidInput else kind(message)


def message_of(error: RiverboatError) -> str:
    """Return the error's message, cut to what fits into a status."""
    message = str(error)
    return message if len(message) <= _LONGEST_MESSAGE else message[: _LONGEST_MESSAGE - 1] + "…"


def details_of(error: RiverboatError) -> bytes:
    """Return a serialised google.rpc.Status; for invalid input with a BadRequest that names the field."""
    code = code_of(error).value[0]
    status = status_pb2.Status(code=code, message=message_of(error))
    if isinstance(error, InvalidInput):
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=error.field[:_LONGEST_MESSAGE], description=error.reason[:_LONGEST_MESSAGE]
        )
        status.details.add().Pack(error_details_pb2.BadRequest(field_violations=[violation]))
    return bytes(status.SerializeToString())
