"""The state manager and the oracle, as a solver's tree and terminals: filled over gRPC."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import grpc
import numpy as np
from numpy.typing import NDArray

from riverboat.contracts.resolver import SpotQuestion, Step
from riverboat.contracts.state_manager import DescribedState
from riverboat.errors import IllegalAction, InvalidInput, TooLarge, Unavailable
from riverboat.rpc.connections.problems import tls_problem
from riverboat.rpc.convert import resolver_upstream as convert
from riverboat.services.resolver.answer_cache import AnswerCache
from riverboat.solving.interfaces import Betting, DealtBoards, Terminals, Tree
from riverboat.solving.subgame import F32, I32

_SECONDS = 60
_STRENGTHS_AT_A_TIME = 1000
_PROFILES_AT_A_TIME = 20
_CACHE_BYTES = 200_000_000
_LINE_BYTES, _STATE_BYTES = 64, 2_000  # approximate bytes of a line of betting, and of a state
_REFUSALS = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooLarge,
    grpc.StatusCode.FAILED_PRECONDITION: IllegalAction,
}


class StateManagerTree(Tree):
    """The `Tree` of a spot, from a state manager."""

    def __init__(self, states: Any, cache: AnswerCache, spot: SpotQuestion) -> None:
        self._states, self._cache, self._spot = states, cache, spot

    def betting(self) -> Betting:
        """Return all lines from the spot on."""
        request = convert.encode_subtree(self._spot)
        key = b"lines" + request.SerializeToString(deterministic=True)

        def ask() -> Betting:
            with _refusals("state manager"):
                return convert.decode_betting(self._states.ExpandSubtree(request, timeout=_SECONDS))

        return self._cache.get(key, ask, lambda betting: _LINE_BYTES * betting.lines.count)


class OracleTerminals(Terminals):
    """The `Terminals` of a deck, from an oracle. Errors about the ranges in `deal` call them by `names`."""

    def __init__(self, oracle: Any, cache: AnswerCache, deck: str, names: Sequence[str] = ()) -> None:
        self._oracle, self._cache, self._deck = oracle, cache, deck
        self._names = {f"ranges[{i}].weights": name for i, name in enumerate(names)}

    def deal(self, board: str, deal_count: int, weights: F32) -> DealtBoards:
        """Return the boards after up to `deal_count` more deals."""
        request = convert.encode_following(self._deck, board, deal_count, weights)
        key = b"boards" + request.SerializeToString(deterministic=True)

        def ask() -> DealtBoards:
            with _refusals("oracle", self._names):
                return convert.decode_following(self._oracle.FollowingBoards(request, timeout=_SECONDS))

        return self._cache.get(key, ask, lambda dealt: dealt.boards.live.nbytes)

    def strengths(self, boards: Sequence[str]) -> NDArray[np.uint16]:
        """Return the strengths of all holdings on complete boards [n, H]."""
        key = f"strengths {self._deck} {' '.join(boards)}".encode()

        def ask() -> NDArray[np.uint16]:
            parts = []
            for first in range(0, len(boards), _STRENGTHS_AT_A_TIME):
                request = convert.encode_boards(self._deck, boards[first : first + _STRENGTHS_AT_A_TIME])
                with _refusals("oracle"):
                    parts.append(convert.decode_strengths(self._oracle.Strengths(request, timeout=_SECONDS)))
            return np.concatenate(parts)

        return self._cache.get(key, ask, lambda strengths: strengths.nbytes)

    def utility(self, board: str, rows: I32, columns: I32) -> F32:
        """Return the mean winnings of holdings against others over all run-outs, per chip at stake [rows, columns]."""
        if not len(rows) or not len(columns):  # the oracle reads an empty list as all holdings
            return np.zeros((len(rows), len(columns)), np.float32)
        request = convert.encode_utility_request(self._deck, board, rows, columns)
        key = b"utility" + request.SerializeToString(deterministic=True)

        def ask() -> F32:
            with _refusals("oracle"):
                flat = convert.decode_utility(self._oracle.Utility(request, timeout=_SECONDS))
                return flat.reshape(len(rows), len(columns))

        return self._cache.get(key, ask, lambda utility: utility.nbytes)


class Upstream:
    """The state manager and the oracle that a resolver uses."""

    def __init__(self, oracle: Any, states: Any) -> None:
        self._oracle, self._states = oracle, states
        self._cache = AnswerCache(_CACHE_BYTES)

    def tree(self, spot: SpotQuestion) -> StateManagerTree:
        """Return the tree of a spot."""
        return StateManagerTree(self._states, self._cache, spot)

    def terminals(self, deck: str, names: Sequence[str] = ()) -> OracleTerminals:
        """Return the terminals of a deck; `names` are the ranges' names in errors."""
        return OracleTerminals(self._oracle, self._cache, deck, names)

    def profiles(self, deck: str, boards: Sequence[str], bins: int) -> tuple[F32, F32]:
        """Return the strength profiles of holdings on boards [K, H, bins], and their mean percentiles [K, H]."""
        key = f"profiles {deck} {bins} {' '.join(boards)}".encode()

        def ask() -> tuple[F32, F32]:
            parts = []
            for first in range(0, len(boards), _PROFILES_AT_A_TIME):
                request = convert.encode_profiles_request(deck, boards[first : first + _PROFILES_AT_A_TIME], bins)
                with _refusals("oracle"):
                    answer = self._oracle.StrengthProfiles(request, timeout=_SECONDS)
                    parts.append(convert.decode_profiles(answer, bins))
            return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

        return self._cache.get(key, ask, lambda profiles: profiles[0].nbytes)

    def apply(self, state: DescribedState, steps: Sequence[Step]) -> DescribedState:
        """Return the state after some steps."""
        for step in steps:
            state = self._after(state, step)
        return state

    def _after(self, state: DescribedState, step: Step) -> DescribedState:
        request = convert.encode_apply(state, step)
        key = b"apply" + request.SerializeToString(deterministic=True)

        def ask() -> DescribedState:
            with _refusals("state manager"):
                answer = self._states.Apply(request, timeout=_SECONDS)
            try:
                return convert.decode_applied(answer)
            except InvalidInput as error:  # the state manager's fault, not the caller's
                raise Unavailable(f"the state manager's answer makes no sense: {error}") from None

        return self._cache.get(key, ask, lambda _: _STATE_BYTES)


@contextmanager
def _refusals(who: str, names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Turn the other service's errors into ours, with fields named as our callers know them."""
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
    except (KeyError, ValueError, IndexError) as error:  # the server may be a third party's
        raise Unavailable(f"the {who}'s answer makes no sense: {error}") from None
