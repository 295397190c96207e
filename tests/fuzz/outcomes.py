"""Sending bytes as requests, and reading the answers."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import grpc

from tests.fuzz.methods import Method

_MOST_ANSWERS = 20  # messages of a stream that are read
_LATE_SECONDS = 30.0  # a call that ends this many seconds after its deadline has hung
OPTIONS = (("grpc.max_receive_message_length", 64 * 1024 * 1024), ("grpc.max_send_message_length", 64 * 1024 * 1024))
BUGS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNIMPLEMENTED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended."""

    code: grpc.StatusCode
    details: str
    answers: tuple[bytes, ...]
    is_late: bool

    @property
    def problem(self) -> str:
        """Return the problem; "" if there is none."""
        if self.is_late:
            return "the call went on after its deadline"
        return f"{self.code.name}: {self.details}" if self.code in BUGS else ""


def send(channel: Any, method: Method, messages: Sequence[bytes], seconds: float) -> Outcome:
    """Make one call with a deadline; read streams for a while, then cancel them."""
    kind = f"{'stream' if method.sends_stream else 'unary'}_{'stream' if method.gets_stream else 'unary'}"
    call = getattr(channel, kind)(method.path)  # sends and receives raw bytes
    begin = time.monotonic()
    request: Any = _paced(messages, seconds) if method.sends_stream else messages[0]
    answers: list[bytes] = []
    code, details = grpc.StatusCode.OK, ""
    try:
        if method.gets_stream:
            stream = call(request, timeout=seconds)
            for answer in stream:
                answers.append(answer)
                if len(answers) == _MOST_ANSWERS:
                    stream.cancel()
                    break
        else:
            answers.append(call(request, timeout=seconds))
    except grpc.RpcError as error:
        code, details = error.code(), error.details() or ""
    return Outcome(code, details, tuple(answers), time.monotonic() - begin > seconds + _LATE_SECONDS)


def _paced(messages: Sequence[bytes], seconds: float) -> Iterator[bytes]:
    """Yield the messages of a stream, and keep it open for a moment after the last."""
    yield from messages
    time.sleep(seconds / 4)
