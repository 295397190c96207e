"""The state manager and the oracle, as the resolver sees them: lines, boards, strengths and utilities."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import grpc
import numpy as np
from numpy.typing import NDArray

from riverboat.errors import IllegalAction, InvalidInput, TooLarge, Unavailable
from riverboat.rpc.connections.problems import tls_problem
from riverboat.rpc.convert import resolver_upstream as convert
from riverboat.services.resolver.cache import Kept
from riverboat.solving.questions import LineTree, SpotQuestion
from riverboat.solving.subgame import F32, I32, Boards

_SECONDS = 60
_STRENGTHS_AT_A_TIME = 1000
_PROFILES_AT_A_TIME = 20
_KEPT_BYTES = 200_000_000
_REFUSALS = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooLarge,
    grpc.StatusCode.FAILED_PRECONDITION: IllegalAction,
}


class Upstream:
    """Two contracts, whoever fulfils them."""

    def __init__(self, oracle: Any, states: Any) -> None:
        self._oracle, self._states = oracle, states
        self._kept = Kept(_KEPT_BYTES)

    def lines(self, spot: SpotQuestion) -> LineTree:
        """The betting ahead."""
        request = convert.encode_subtree(spot)
        key = b"lines" + request.SerializeToString(deterministic=True)

        def ask() -> LineTree:
            with _refusals("state manager"):
                return convert.decode_lines(self._states.ExpandSubtree(request, timeout=_SECONDS))

        return self._kept.get(key, ask, lambda found: 64 * found.lines.count)

    def boards(
        self, spot: SpotQuestion, deal_count: int, weights: F32, names: tuple[str, ...] = ()
    ) -> tuple[Boards, tuple[str, ...], NDArray[np.uint8]]:
        """The boards ahead, their cards, and what holdings are made of; `names` are what the ranges are called."""
        request = convert.encode_following(spot, deal_count, weights)
        key = b"boards" + request.SerializeToString(deterministic=True)

        def ask() -> tuple[Boards, tuple[str, ...], NDArray[np.uint8]]:
            with _refusals("oracle", {f"ranges[{i}].weights": name for i, name in enumerate(names)}):
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

    def profiles(self, deck: str, boards: tuple[str, ...], bins: int) -> tuple[F32, F32]:
        """How strong holdings are on boards and may become [K, H, bins], and their average percentiles [K, H]."""
        key = f"profiles {deck} {bins} {' '.join(boards)}".encode()

        def ask() -> tuple[F32, F32]:
            parts = []
            for first in range(0, len(boards), _PROFILES_AT_A_TIME):
                request = convert.encode_profiles_request(deck, boards[first : first + _PROFILES_AT_A_TIME], bins)
                with _refusals("oracle"):
                    answer = self._oracle.StrengthProfiles(request, timeout=_SECONDS)
                    parts.append(convert.decode_profiles(answer, bins))
            return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

        return self._kept.get(key, ask, lambda found: found[0].nbytes)

    def utility(self, deck: str, board: str, rows: I32, columns: I32) -> F32:
        """What holdings win against others per chip at stake, over all run-outs."""
        if not len(rows) or not len(columns):  # to the oracle none means all
            return np.zeros((len(rows), len(columns)), np.float32)
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


@contextmanager
def _refusals(who: str, names: Mapping[str, str] | None = None) -> Iterator[None]:
    """What the other service says, in our own words, with fields called as our callers know them."""
    try:
        yield
    except grpc.RpcError as error:
        code, details = error.code(), error.details() or error.code().name
        if code is grpc.StatusCode.INVALID_ARGUMENT:
            field, _, reason = details.partition(": ")
            ours = (names or {}).get(field) or f"spot.{field.removeprefix('subtree.')}"
            raise InvalidInput(ours if reason else "spot", reason or details) from None
        if code in _REFUSALS:
            raise _REFUSALS[code](details) from None
        reason = tls_problem(error, f"the {who}") or details
        raise Unavailable(f"the {who} does not answer ({code.name}): {reason}") from None
    except (KeyError, ValueError, IndexError) as error:  # anybody may have written it
        raise Unavailable(f"the {who} does not answer sensibly: {error}") from None
