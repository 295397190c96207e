"""Errors as the page shows them: a status and one sentence."""

import json
from collections.abc import Mapping

import grpc
from starlette.requests import Request
from starlette.responses import JSONResponse

from riverboat.clients.remote.refusals import Refused, reason_of
from riverboat.errors import IllegalAction, NotFound, RiverboatError

_STATUSES: Mapping[grpc.StatusCode, int] = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 503,
}
_LONGEST = 400  # characters of a sentence


class ApiError(Exception):
    """A request that is refused: the HTTP status, and a sentence for the page."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def failure_of(error: Exception) -> ApiError:
    """Return any expected error as the page shows it."""
    match error:
        case ApiError():
            return error
        case grpc.RpcError():
            return ApiError(_STATUSES.get(error.code(), 502), reason_of(error)[:_LONGEST])
        case NotFound():
            return ApiError(404, str(error)[:_LONGEST])
        case IllegalAction():
            return ApiError(409, str(error)[:_LONGEST])
        case Refused() | RiverboatError():
            return ApiError(400, str(error).removeprefix("--")[:_LONGEST])
    return ApiError(400, "the request is not JSON of the expected form")


EXPECTED: tuple[type[Exception], ...] = (
    ApiError, Refused, RiverboatError, grpc.RpcError, json.JSONDecodeError, UnicodeDecodeError,
)  # fmt: skip


async def answer_failure(_: Request, error: Exception) -> JSONResponse:
    """Answer a request that was refused."""
    failure = failure_of(error)
    return JSONResponse({"error": str(failure)}, failure.status)
