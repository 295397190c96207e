"""The one reader of servers' errors: a line for people, and the exit code of a command that ends with it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import grpc

from riverboat.errors import RiverboatError
from riverboat.rpc.connections.problems import tls_problem
from riverboat.rpc.passed_metadata import REQUEST_ID_KEY
from riverboat.rpc.status import DETAILS_KEY

EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130

# The server does not answer, or not in time. It may come back.
LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED)

# A field's name in the contract, and its name on the command line; {} is the place in a list, from 1.
FieldNames = Mapping[str, str]
_FAULTS = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
)
_EVERYWHERE = {"deck": "--deck", "board": "--board", "rollout_count": "--rollouts", "seed": "--seed"}
_FIELD = re.compile(r"(?P<name>[a-z_]+(?:\.[a-z_]+)*?)(?:\[(?P<place>\d+)\])?(?:\.(?:text|weights))?")


class Refused(Exception):
    """An error that the user can fix, in one line."""


def refusal_of(error: grpc.RpcError, *, service: str, address: str, names: FieldNames, nobody: str = "") -> Refused:
    """Return a server's error as one line; `service` is its name in a sentence, like "game manager".

    `nobody` is the line for a server that may never have answered.
    """
    code, details = error.code(), error.details() or ""
    if code in LOST and not _is_answer(error):
        lost = nobody or f"the {service} at {address} no longer answers"
        return Refused(_with_request_id(error, tls_problem(error, address) or lost))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"the server at {address} is not {with_article(service)} of this version ({details})")
    return Refused(_with_request_id(error, _in_our_words(details, names) if details else code.name))


def reason_of(error: grpc.RpcError) -> str:
    """Return what a server says is wrong, in its own words; the name of the code if it says nothing."""
    return error.details() or str(error.code().name)


@contextmanager
def readable(service: str, address: str) -> Iterator[None]:
    """Refuse what a server sends if it makes no sense: it is of another version, or it lies."""
    try:
        yield
    except RiverboatError as error:
        raise Refused(f"the {service} at {address} sent an answer that cannot be read: {error}") from error


def with_article(noun: str) -> str:
    """Return "an oracle" or "a resolver"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _is_answer(error: grpc.RpcError) -> bool:
    """Return whether a server wrote this error: then it runs, and something that it needs does not."""
    return any(key == DETAILS_KEY for key, _ in _metadata(error))


def _with_request_id(error: grpc.RpcError, text: str) -> str:
    """Add the request id to an error that the user cannot fix: the servers' logs say more under it."""
    request_id = next((str(value) for key, value in _metadata(error) if key == REQUEST_ID_KEY), "")
    is_fault = error.code() in _FAULTS and request_id and request_id not in text
    return f"{text} (request id {request_id})" if is_fault else text


def _is_start(start: str, name: str) -> bool:
    """Return whether a name begins with one that ends in a dot, which stands for all fields below it."""
    return start.endswith(".") and name.startswith(start)


def _metadata(error: grpc.RpcError) -> Iterable[tuple[str, object]]:
    return getattr(error, "trailing_metadata", tuple)() or ()


def _in_our_words(message: str, names: FieldNames) -> str:
    """Return the message with the field's name as the user wrote it."""
    field, colon, reason = message.partition(": ")
    match = _FIELD.fullmatch(field)
    if not colon or not match:
        return message
    known = {**_EVERYWHERE, **names}
    place = match["place"]
    exact = known.get(f"{match['name']}[{place}]") if place else None
    name = exact or known.get(match["name"] + "[]" if place else match["name"]) or known.get(match["name"])
    if name is None:
        name = next((match["name"].removeprefix(start) for start in known if _is_start(start, match["name"])), None)
    if name is None:
        return message
    return f"{name.format(int(match['place']) + 1 if match['place'] else '').strip()}: {reason}"
