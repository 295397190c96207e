"""The runner of checks: each has a time limit, and a failure becomes a sentence."""

import time
from dataclasses import dataclass
from enum import Enum

import grpc

from riverboat.clients.conformance.check import Check, Wrong
from riverboat.clients.conformance.expectations import short
from riverboat.clients.conformance.server import Server


class Verdict(Enum):
    """The result of a check."""

    PASSED = "passed"
    WRONG = "wrong"
    MISSING = "not implemented"  # the server answers UNIMPLEMENTED


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """A check that was run, and its result."""

    check: Check
    verdict: Verdict
    sentence: str  # the breach; "" if the check passed
    seconds: float


def run_check(server: Server, check: Check) -> CheckOutcome:
    """Run one check."""
    start = time.monotonic()
    verdict, sentence = Verdict.WRONG, ""
    try:
        with server.within(check.seconds):
            check.run(server)
        verdict = Verdict.PASSED
    except Wrong as wrong:
        sentence = str(wrong)
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.UNIMPLEMENTED:
            verdict = Verdict.MISSING
        sentence = _failed_call(error, server.last_method, check.seconds)
    except Exception as error:  # an unexpected answer must not stop the other checks
        sentence = f"the answer to {server.last_method} cannot be read: {type(error).__name__}: {short(str(error))}"
    return CheckOutcome(check, verdict, sentence, time.monotonic() - start)


def _failed_call(error: grpc.RpcError, method: str, seconds: float) -> str:
    code, details = error.code(), short(error.details() or "")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return f"{method} is not implemented"
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"{method} did not answer within the {seconds:g} seconds of the check"
    if code is grpc.StatusCode.UNAVAILABLE:
        return f"{method} was not answered: the connection was lost ({details})"
    return f"{method} should answer, but failed with {code.name}" + (f": {details}" if details else "")
