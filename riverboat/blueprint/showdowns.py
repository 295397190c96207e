"""The values of terminals for each live holding, in one walk through the holdings in order of strength."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
I32 = NDArray[np.int32]
CARDS = 52


class LiveHoldings(NamedTuple):
    """The holdings that a complete board allows, weakest first; of the H rows only the first n are used."""

    first_card: U8  # [H]
    second_card: U8  # [H]; the same as the first in one-card decks
    holding: I32  # [H], place on the axis of holdings
    block_end: I32  # [H]: the place after the last holding of the same strength
    groups: U16  # [streets, H]


@kernel
def write_fold(live: LiveHoldings, n: int, reach: F32, chips: float, out: F32) -> None:
    """Write chips times the reach of all holdings that share no card with each holding [n]."""
    by_card = np.zeros(CARDS, np.float32)
    total = np.float32(0.0)
    one_card = live.first_card[0] == live.second_card[0]
    for h in range(n):
        by_card[live.first_card[h]] += reach[h]
        by_card[live.second_card[h]] += reach[h]
        total += reach[h]
    stake = np.float32(chips)
    if one_card:  # each reach was counted twice under its one card
        for h in range(n):
            out[h] = stake * (total - reach[h])
        return
    for h in range(n):
        out[h] = stake * (total - by_card[live.first_card[h]] - by_card[live.second_card[h]] + reach[h])


@kernel
def write_showdown(live: LiveHoldings, n: int, reach: F32, chips: float, out: F32) -> None:
    """Write chips times the reach that each holding beats, minus chips times the reach that beats it [n]."""
    below, whole = np.zeros(CARDS, np.float32), np.zeros(CARDS, np.float32)
    total = np.float32(0.0)
    one_card = live.first_card[0] == live.second_card[0]
    for h in range(n):
        whole[live.first_card[h]] += reach[h]
        whole[live.second_card[h]] += reach[h]
        total += reach[h]
    stake = np.float32(chips)
    passed = np.float32(0.0)
    start = 0
    while start < n:
        end = live.block_end[start]
        for h in range(start, end):  # the reach of weaker holdings
            a, b = live.first_card[h], live.second_card[h]
            out[h] = passed if one_card else passed - below[a] - below[b]
        for h in range(start, end):
            passed += reach[h]
            below[live.first_card[h]] += reach[h]
            below[live.second_card[h]] += reach[h]
        for h in range(start, end):  # minus the reach of stronger holdings: the total without weaker and equal ones
            a, b = live.first_card[h], live.second_card[h]
            stronger = total - passed
            if not one_card:
                stronger -= whole[a] - below[a] + whole[b] - below[b]
            out[h] = stake * (out[h] - stronger)
        start = end
