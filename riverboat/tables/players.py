"""The players at a table, and the tokens by which the server recognises them."""

import hashlib
import hmac
from dataclasses import dataclass, field

from riverboat.marks import DecisionCounts

_KEPT_REQUESTS = 64  # per chair; a retry follows its request soon
_NO_DECISIONS = DecisionCounts()


@dataclass(slots=True, kw_only=True)
class SeatedPlayer:
    """A player in a chair."""

    name: str
    token_hash: str
    join_id: str  # id of the request that took the chair
    stack: int  # chips before the hand in progress
    is_agent: bool
    first_hand: int  # number of the first hand that the player can be dealt into
    decisions: DecisionCounts = _NO_DECISIONS  # of hands that are over
    is_leaving: bool = False
    gives_up: bool = False  # checks or folds on every turn
    requests: list[str] = field(default_factory=list)  # ids of the last actions
    contributes: bool = False  # whether the next shuffle waits a little for a contribution
    contributes_from: int = 1  # the first hand that the player may contribute to
    was_dealt_in: bool = False  # in any hand since sitting down
    is_barred: bool = False  # from contributing, after a secret that was committed to and not revealed

    def keep_request(self, request_id: str) -> None:
        """Remember an action's request id, so that a retry is recognised; ignore an empty one."""
        if request_id:
            self.requests = [*self.requests[1 - _KEPT_REQUESTS :], request_id]


def is_same_secret(one: str, other: str) -> bool:
    """Return whether two secrets are the same, in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


def hash_of(token: str) -> str:
    """Return the SHA-256 of a token as 64 hexadecimal digits; the server stores this, never the token."""
    return hashlib.sha256(token.encode()).hexdigest()
