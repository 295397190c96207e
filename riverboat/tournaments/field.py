"""The players of a simulated tournament as arrays: rules that never change, and nets."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.policies.evolved_nets import PLAIN, SIZES, Net

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


class PolicyKind(IntEnum):
    """How a player decides."""

    ALWAYS_FOLD = 0
    ALWAYS_CALL = 1
    ALWAYS_RAISE = 2
    RANDOM = 3
    NET = 4


STATIC_POLICIES: Mapping[str, PolicyKind] = {
    "always-fold": PolicyKind.ALWAYS_FOLD,
    "always-call": PolicyKind.ALWAYS_CALL,
    "always-raise": PolicyKind.ALWAYS_RAISE,
    "random": PolicyKind.RANDOM,
}


Policy = PolicyKind | Net


class Field(NamedTuple):
    """The players of all E entrants as kernels read them, with G nets."""

    kinds: I64  # [E]
    nets: I64  # [E], number of the entrant's net; -1 for none
    genomes: F64  # [G, longest]
    inputs: I64  # [G]
    hiddens: I64  # [G]
    sizes: F64  # [G, 8]
    raise_pots: float  # size of always-raise's raises, in pots after a call; infinite for all-in
    net_count: int


def field_of(policies: Sequence[Policy], raise_pots: float = 1.0) -> Field:
    """Return the arrays of these players, one entrant each."""
    if not raise_pots >= 0:
        raise InvalidInput("raise_pots", f"must not be negative, not {raise_pots}")
    nets = [policy for policy in policies if isinstance(policy, Net)]
    places = iter(range(len(nets)))
    longest = max((net.shape.genome_length for net in nets), default=PLAIN.genome_length)
    genomes = np.zeros((max(1, len(nets)), longest))
    for row, net in zip(genomes, nets, strict=False):
        row[: net.genome.size] = net.genome
    return Field(
        kinds=np.array([PolicyKind.NET if isinstance(policy, Net) else policy for policy in policies], np.int64),
        nets=np.array([next(places) if isinstance(policy, Net) else -1 for policy in policies], np.int64),
        genomes=genomes,
        inputs=np.array([net.shape.input_count for net in nets] or [0], np.int64),
        hiddens=np.array([net.shape.hidden_count for net in nets] or [0], np.int64),
        sizes=np.array([net.sizes.array() for net in nets] or [SIZES.array()]),
        raise_pots=float(raise_pots),
        net_count=len(nets),
    )
