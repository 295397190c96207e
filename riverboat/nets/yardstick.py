"""A yardstick: situations whose values are known, by which all networks for one deck and street are compared.

Cards of networks cannot be compared with each other: each states a loss on its own samples and its own labels. A
yardstick fixes the situations, the bet sizes and the labels once, and every user of a network scores it.

As arrays, N situations on K boards:

    about     uint8 [bytes]     JSON: how it was made, and what equity scores on it
    boards    uint8 [K, cards]
    board_of  uint16 [N]        the board of each situation
    pots      int32 [N]         chips; both stacks are half of what is left of `total_chips`
    shares    float16 [N, 2, H] both players' ranges, as multiples of 1 / H
    values    float16 [N, 2, H] counterfactual values of both players in pots
    profiles  float16 [K, H, 32], means float32 [K, H]: a board as a network sees it (features.py)
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.nets.features import BINS, board_features
from riverboat.solving.subgame import F32, F64

F16 = NDArray[np.float16]
NamedArrays = Mapping[str, NDArray[Any]]
NetworkValues = Callable[[F32, F32, F32], F32]  # Network.values
_AT_A_TIME = 16  # situations: a batch takes milliseconds, so a time limit between batches holds


@dataclass(frozen=True, slots=True)
class YardstickScore:
    """How far values are from known ones, averaged over situations, players and possible holdings, in pots."""

    huber: float  # Huber's loss with delta 1: half the square of a small error
    error: float  # mean absolute error


@dataclass(frozen=True, slots=True, kw_only=True)
class YardstickAbout:
    """How a yardstick was made."""

    deck: str
    street: str
    seed: int
    code: str  # a hash of the code that made it
    labels: str  # "exact", or the network whose values the labels come from
    bet_sizes: str  # of the trees that were solved, on every street; empty if nothing was solved
    exploitability: float  # mean over all situations, as a share of the pot
    total_chips: int  # pot and both stacks
    equity: YardstickScore  # of values as if there were no more bets; a network must be better


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Yardstick:
    """N situations on K boards, with known values."""

    about: YardstickAbout
    boards: NDArray[np.uint8]  # [K, cards]
    board_of: NDArray[np.uint16]  # [N]
    pots: NDArray[np.int32]  # [N], chips
    shares: F16  # [N, 2, H]: ranges as multiples of 1 / H
    values: F16  # [N, 2, H], pots
    profiles: F16  # [K, H, BINS]
    means: F32  # [K, H]

    @property
    def count(self) -> int:
        """Number of situations, N."""
        return len(self.board_of)

    @property
    def place(self) -> tuple[str, str]:
        """The deck and the street that the yardstick is for."""
        return self.about.deck, self.about.street

    @property
    def hash(self) -> str:
        """The SHA-256 of its content, as hexadecimal digits."""
        digest = hashlib.sha256()
        for name, array in sorted(as_arrays(self).items()):
            digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def as_arrays(yardstick: Yardstick) -> dict[str, NDArray[Any]]:
    """Return a yardstick as arrays, for a file."""
    text = json.dumps(asdict(yardstick.about), sort_keys=True).encode()
    return {
        "about": np.frombuffer(text, np.uint8),
        "boards": yardstick.boards,
        "board_of": yardstick.board_of,
        "pots": yardstick.pots,
        "shares": yardstick.shares,
        "values": yardstick.values,
        "profiles": yardstick.profiles,
        "means": yardstick.means,
    }


def from_arrays(arrays: NamedArrays) -> Yardstick:
    """Return the yardstick that arrays describe; raise InvalidInput if they describe none."""
    try:
        facts = json.loads(arrays["about"].tobytes())
        about = YardstickAbout(**{**facts, "equity": YardstickScore(**facts["equity"])})
        yardstick = Yardstick(
            about=about,
            boards=arrays["boards"],
            board_of=arrays["board_of"],
            pots=arrays["pots"],
            shares=arrays["shares"],
            values=arrays["values"],
            profiles=arrays["profiles"],
            means=arrays["means"],
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput("yardstick", f"is missing something: {error!r}") from None
    _check(yardstick)
    return yardstick


def shares_of(ranges: F32) -> F16:
    """Return ranges [..., H] as multiples of 1 / H, as a yardstick stores them."""
    shares: F16 = (ranges * ranges.shape[-1]).astype(np.float16)
    return shares


def ranges_of(shares: F16) -> F32:
    """Return ranges [..., H] from a yardstick's shares, each adding up to one.

    Shares are rounded, so these differ from the ranges that were sampled; labels must be solved for these.
    """
    exact = shares.astype(np.float64)
    ranges: F32 = (exact / exact.sum(axis=-1, keepdims=True)).astype(np.float32)
    return ranges


def _check(yardstick: Yardstick) -> None:
    count, holdings = yardstick.count, yardstick.shares.shape[-1]
    boards = len(yardstick.boards)
    shapes = {
        "pots": (yardstick.pots.shape, (count,)),
        "shares": (yardstick.shares.shape, (count, 2, holdings)),
        "values": (yardstick.values.shape, (count, 2, holdings)),
        "profiles": (yardstick.profiles.shape, (boards, holdings, BINS)),
        "means": (yardstick.means.shape, (boards, holdings)),
    }
    for name, (shape, expected) in shapes.items():
        if shape != expected:
            raise InvalidInput(f"yardstick.{name}", f"has the shape {shape}, not {expected}")
    if not count or yardstick.board_of.max() >= boards:
        raise InvalidInput("yardstick.board_of", f"there are {boards} boards")
    if not all(np.isfinite(array).all() for array in (yardstick.shares, yardstick.values, yardstick.profiles)):
        raise InvalidInput("yardstick", "has numbers that are not finite")


def errors(yardstick: Yardstick, values: NetworkValues) -> Iterator[F64]:
    """Yield Huber's loss and the absolute error of a network, a few situations at a time [n, 2]."""
    for first in range(0, yardstick.count, _AT_A_TIME):
        rows = slice(first, first + _AT_A_TIME)
        boards, ranges = yardstick.board_of[rows], ranges_of(yardstick.shares[rows])
        features = {k: _features(yardstick, k) for k in np.unique(boards).tolist()}
        estimates = values(
            ranges[:, None],
            (yardstick.pots[rows, None, None] / yardstick.about.total_chips).astype(np.float32),
            np.array([features[k] for k in boards.tolist()]),
        )
        yield deviations(estimates[:, 0], yardstick.values[rows].astype(np.float32), ranges)


def _features(yardstick: Yardstick, board: int) -> F32:
    return board_features(yardstick.profiles[board].astype(np.float32), yardstick.means[board])


def deviations(estimates: F32, known: F32, ranges: F32) -> F64:
    """Return Huber's loss and the absolute error of values [N, 2, H], averaged over possible holdings [N, 2]."""
    live = ranges.sum(axis=1, keepdims=True) > 0
    size = np.where(live, np.abs(estimates.astype(np.float64) - known), 0.0)
    huber = np.where(size <= 1, size**2 / 2, size - 0.5) * live
    total = 2 * live.sum(axis=(1, 2))
    return np.stack([huber.sum(axis=(1, 2)) / total, size.sum(axis=(1, 2)) / total], axis=1)


def score(yardstick: Yardstick, values: NetworkValues) -> YardstickScore:
    """Return a network's score; raise the network's InvalidInput if it gives no finite values."""
    return mean_score(np.concatenate(list(errors(yardstick, values))))


def mean_score(parts: F64) -> YardstickScore:
    """Return the average of situations' errors [N, 2]."""
    huber, error = parts.mean(axis=0).tolist()
    return YardstickScore(huber, error)
