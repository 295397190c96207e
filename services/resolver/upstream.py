"""The state manager and the oracle, as the resolver sees them: lines, boards, strengths and utilities.

Answers are kept by what was asked: the same spot is asked for again and again while it is being played.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar

import grpc
import numpy as np
from numpy.typing import NDArray

from riverboat.errors import IllegalAction, InvalidInput, TooLarge, Unavailable
from riverboat.rpc.convert import resolver as convert
from riverboat.solving.questions import LineTree, SpotQuestion
from riverboat.solving.subgame import F32, I32, Boards

T = TypeVar("T")
_SECONDS = 60
_STRENGTHS_AT_A_TIME = 1000
_KEPT_BYTES = 200_000_000
_REFUSALS = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooLarge,
    grpc.StatusCode.FAILED_PRECONDITION: IllegalAction,
}


class Upstream:
    """Two contracts, whoever fulfils them."""

    def __init__(self, oracle: Any, states: Any) -> None:
        self._oracle, self._states = oracle, states
        self._kept = _Kept(_KEPT_BYTES)

    def lines(self, spot: SpotQuestion) -> LineTree:
        """The betting ahead."""
        request = convert.encode_subtree(spot)
        key = b"lines" + request.SerializeToString(deterministic=True)

        def ask() -> LineTree:
            with _refusals("state manager"):
                return convert.decode_lines(self._states.ExpandSubtree(request, timeout=_SECONDS))

        return self._kept.get(key, ask, lambda found: 64 * found.lines.count)

    def boards(
        self, spot: SpotQuestion, deal_count: int, weights: F32
    ) -> tuple[Boards, tuple[str, ...], NDArray[np.uint8]]:
        """The boards ahead, their cards, and what holdings are made of."""
        request = convert.encode_following(spot, deal_count, weights)
        key = b"boards" + request.SerializeToString(deterministic=True)

        def ask() -> tuple[Boards, tuple[str, ...], NDArray[np.uint8]]:
            with _refusals("oracle"):
                return convert.decode_following(self._oracle.FollowingBoards(request, timeout=_SECONDS))

        return self._kept.get(key, ask, lambda found: found[0].live.nbytes)

    def strengths(self, deck: str, boards: tuple[str, ...]) -> NDArray[np.uint16]:
        """Strengths on complete boards [K, H]."""
        key = f"strengths {deck} {' '.join(boards)}".encode()

        def ask() -> NDArray[np.uint16]:
            parts = []
            for first in range(0, len(boards), _STRENGTHS_AT_A_TIME):
                request = convert.encode_boards(deck, boards[first : first + _STRENGTHS_AT_A_TIME])
                with _refusals("oracle"):
                    parts.append(convert.decode_strengths(self._oracle.Strengths(request, timeout=_SECONDS)))
            return np.concatenate(parts)

        return self._kept.get(key, ask, lambda found: found.nbytes)

    def utility(self, deck: str, board: str, rows: I32, columns: I32) -> F32:
        """What holdings win against others per chip at stake, over all run-outs."""
        request = convert.encode_utility_request(deck, board, rows, columns)
        key = b"utility" + request.SerializeToString(deterministic=True)

        def ask() -> F32:
            with _refusals("oracle"):
                found = convert.decode_utility(self._oracle.Utility(request, timeout=_SECONDS))
            return found.reshape(len(rows), len(columns))

        return self._kept.get(key, ask, lambda found: found.nbytes)

    def apply(self, state: bytes, steps: tuple[int | str, ...]) -> bytes:
        """The state after some steps."""
        for step in steps:
            with _refusals("state manager"):
                answer = self._states.Apply(convert.encode_apply(state, step), timeout=_SECONDS)
            state = answer.state.SerializeToString(deterministic=True)
        return state


class _Kept:
    """Answers by question, the latest ones, up to a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._found: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes, ask: Callable[[], T], size_of: Callable[[T], int]) -> T:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                known: T = self._found[key][0]
                return known
        found = ask()  # two that ask at the same time both get an answer
        with self._lock:
            size = size_of(found) + len(key)
            if key not in self._found:
                self._found[key] = (found, size)
                self._size += size
            while self._size > self._limit and len(self._found) > 1:
                self._size -= self._found.popitem(last=False)[1][1]
        return found


@contextmanager
def _refusals(who: str) -> Iterator[None]:
    """What the other service says, in our own words."""
    try:
        yield
    except grpc.RpcError as error:
        code, details = error.code(), error.details() or error.code().name
        if code is grpc.StatusCode.INVALID_ARGUMENT:
            field, _, reason = details.partition(": ")
            raise InvalidInput(
                f"spot.{field.removeprefix('subtree.')}" if reason else "spot", reason or details
            ) from None
        if code in _REFUSALS:
            raise _REFUSALS[code](details) from None
        raise Unavailable(f"the {who} does not answer ({code.name}): {details}") from None
