"""A resolver's client that asks no question twice: measurements ask the same ones in hand after hand."""

import hashlib
from collections import OrderedDict
from typing import Any

import numpy as np

from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import Resolved
from riverboat.rules.state import PublicState

_MOST_BYTES = 300_000_000
_LIMITS = 3  # their place among the arguments of a question


class RememberingResolver(ResolverClient):
    """Keeps whole answers by the exact bits of their questions, up to a number of bytes.

    A resolver answers the same question with the same bytes, so results do not depend on which answers are kept. An
    answer that a deadline or a time limit cut short is not kept, because the next one could differ. Start a new client
    when the resolver gets other networks.
    """

    is_patient = True  # measurements have no clock, and their results must not depend on how busy the machine is

    def __init__(self, channel: Any, address: str, most_bytes: int = _MOST_BYTES) -> None:
        super().__init__(channel, address)
        self._answers: OrderedDict[bytes, Resolved] = OrderedDict()
        self._most_bytes, self._bytes = most_bytes, 0
        self.asked_count, self.remembered_count = 0, 0

    def resolve(self, *question: Any, timeout: float | None = None, **more: Any) -> Resolved:
        """Return the kept answer, or ask; see `ResolverClient.resolve`."""
        key = _key(question, more)
        if key in self._answers:
            self.remembered_count += 1
            self._answers.move_to_end(key)
            return self._answers[key]
        answer = super().resolve(*question, timeout=timeout, **more)
        self.asked_count += 1
        limits = more["limits"] if "limits" in more else question[_LIMITS]
        if limits.seconds is None and not answer.cost.is_partial:
            self._keep(key, answer)
        return answer

    def _keep(self, key: bytes, answer: Resolved) -> None:
        self._answers[key] = answer
        self._bytes += _size(answer)
        while self._bytes > self._most_bytes:
            self._bytes -= _size(self._answers.popitem(last=False)[1])


def _size(answer: Resolved) -> int:
    arrays = (
        answer.strategy,
        answer.own_range,
        answer.opponent_range,
        answer.values,
        answer.opponent_values,
        answer.reply_strategy,
        answer.opponent_reach,
        answer.actor_values,
    )
    return sum(array.nbytes for array in arrays if array is not None)


def _key(question: tuple[Any, ...], more: dict[str, Any]) -> bytes:
    """Return a digest of a question, numbers to the last bit."""
    digest = hashlib.sha256()
    _feed(digest, (question, sorted(more.items())))
    return digest.digest()


def _feed(digest: "hashlib._Hash", part: Any) -> None:
    if isinstance(part, PublicState):
        _feed(digest, (repr(part.variant), part.flat, part.board))
    elif isinstance(part, np.ndarray):
        digest.update(f"{part.dtype}{part.shape}".encode() + part.tobytes())
    elif isinstance(part, tuple | list):
        digest.update(f"({len(part)}".encode())
        for item in part:
            _feed(digest, item)
    else:
        digest.update(f"{part!r},".encode())
