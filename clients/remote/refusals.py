"""Errors for people: one line, and an exit code."""

import re
from collections.abc import Iterable, Mapping

import grpc

from riverboat.rpc.connections.problems import tls_problem
from riverboat.rpc.passed_metadata import REQUEST_ID_KEY

EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130

# What the contract calls a field, and what it is called on the command line; {} is a place in a list.
Names = Mapping[str, str]
_FAULTS = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
)
_EVERYWHERE = {"deck": "--deck", "board": "--board", "rollout_count": "--rollouts", "seed": "--seed"}
_FIELD = re.compile(r"(?P<name>[a-z_]+(?:\.[a-z_]+)*?)(?:\[(?P<place>\d+)\])?(?:\.(?:text|weights))?")


class Refused(Exception):
    """Something the user can mend, in one line."""


def refusal_of(error: grpc.RpcError, server: str, names: Names) -> Refused:
    """A server's error as one line."""
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE:
        return Refused(with_id(error, tls_problem(error, server) or f"the oracle at {server} does not answer any more"))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"what answers at {server} is not an oracle of this version ({details})")
    return Refused(with_id(error, _in_our_words(details, names) if details else code.name))


def with_id(error: grpc.RpcError, text: str) -> str:
    """A line about an error that the user cannot mend, with the request id that servers' logs have more under."""
    metadata: Iterable[tuple[str, object]] = getattr(error, "trailing_metadata", tuple)() or ()
    known = next((str(value) for key, value in metadata if key == REQUEST_ID_KEY), "")
    return f"{text} (request id {known})" if error.code() in _FAULTS and known and known not in text else text


def _in_our_words(message: str, names: Names) -> str:
    """The message with the field's name as the user wrote it."""
    field, colon, reason = message.partition(": ")
    match = _FIELD.fullmatch(field)
    if not colon or not match:
        return message
    known = {**_EVERYWHERE, **names}
    place = match["place"]
    exact = known.get(f"{match['name']}[{place}]") if place else None
    name = exact or known.get(match["name"] + "[]" if place else match["name"]) or known.get(match["name"])
    if name is None:
        return message
    return f"{name.format(int(match['place']) + 1 if match['place'] else '').strip()}: {reason}"
