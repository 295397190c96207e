"""Servers' errors as one line for people, and the exit code of a command that ends with one.

All clients read servers' errors here.
"""

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

# Codes of a server that does not answer, or not in time. It may come back.
LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED)

# From a field's name in the contract to its name on the command line; {} is the place in a list, from 1.
FieldNames = Mapping[str, str]
# Codes that the user cannot fix.
_FAULTS = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
)
_SHARED_NAMES: FieldNames = {"deck": "--deck", "board": "--board", "rollout_count": "--rollouts", "seed": "--seed"}
_FIELD = re.compile(r"(?P<name>[a-z_]+(?:\.[a-z_]+)*?)(?:\[(?P<place>\d+)\])?(?:\.(?:text|weights))?")


class Refused(Exception):
    """An error that the user can fix, in one line."""


def refusal_of(error: grpc.RpcError, *, service: str, address: str, names: FieldNames, no_server: str = "") -> Refused:
    """Return a server's error as one line; `service` is its name in a sentence, like "game manager".

    `no_server` replaces the line for a lost connection where the server may never have answered.
    """
    code, details = error.code(), error.details() or ""
    if code in LOST and not _is_answer(error):
        lost = no_server or f"the {service} at {address} no longer answers"
        return Refused(_with_request_id(error, tls_problem(error, address) or lost))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"the server at {address} is not {with_article(service)} of this version ({details})")
    return Refused(_with_request_id(error, _in_user_words(details, names) if details else code.name))


def refusal_of_own(error: RiverboatError, names: FieldNames) -> Refused:
    """Return an error of the library in this process as a server's would read."""
    return Refused(_in_user_words(str(error), names))


def reason_of(error: grpc.RpcError) -> str:
    """Return the server's own message; the name of the code if there is none."""
    return error.details() or str(error.code().name)


@contextmanager
def readable(service: str, address: str) -> Iterator[None]:
    """Raise Refused if the block cannot read an answer: the server has another version, or is not to be trusted."""
    try:
        yield
    except RiverboatError as error:
        raise Refused(f"the {service} at {address} sent an answer that cannot be read: {error}") from error


def with_article(noun: str) -> str:
    """Return "an oracle" or "a resolver"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _is_answer(error: grpc.RpcError) -> bool:
    """Return whether a server wrote this error: if so, it runs, but something that it needs does not."""
    return any(key == DETAILS_KEY for key, _ in _metadata(error))


def _with_request_id(error: grpc.RpcError, text: str) -> str:
    """Add the request id to an error that the user cannot fix, to be looked up in the servers' logs."""
    request_id = next((str(value) for key, value in _metadata(error) if key == REQUEST_ID_KEY), "")
    is_fault = error.code() in _FAULTS and request_id and request_id not in text
    return f"{text} (request id {request_id})" if is_fault else text


def _is_below(prefix: str, name: str) -> bool:
    """Return whether a field is below a prefix; a prefix ends in a dot and stands for all fields below it."""
    return prefix.endswith(".") and name.startswith(prefix)


def _metadata(error: grpc.RpcError) -> Iterable[tuple[str, object]]:
    return getattr(error, "trailing_metadata", tuple)() or ()


def _in_user_words(message: str, names: FieldNames) -> str:
    """Return the message with the field's name as on the command line, for a place in a list or for the whole field."""
    field, colon, reason = message.partition(": ")
    match = _FIELD.fullmatch(field)
    if not colon or not match:
        return message
    known = {**_SHARED_NAMES, **names}
    place = match["place"]
    exact = known.get(f"{match['name']}[{place}]") if place else None
    name = exact or known.get(match["name"] + "[]" if place else match["name"]) or known.get(match["name"])
    if name is None:
        name = next((match["name"].removeprefix(prefix) for prefix in known if _is_below(prefix, match["name"])), None)
    if name is None:
        return message
    return f"{name.format(int(match['place']) + 1 if match['place'] else '').strip()}: {reason}"
