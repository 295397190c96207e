"""The order of a match's hands, and their sums."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.marks import Mark, count_one
from riverboat.tables.schedule import MatchTally, Schedule


@given(st.integers(1, 230), st.integers(1, 6))
def test_every_deal_has_all_its_turns_once(deals: int, turns: int) -> None:
    schedule = Schedule(deals, turns, "secret")
    places = [schedule.place(hand) for hand in range(deals * turns)]
    assert sorted(places) == [(deal, turn) for deal in range(deals) for turn in range(turns)]
    for deal in range(deals):
        mine = [turn for place, turn in places if place == deal]
        assert mine == sorted(mine), "the seed is revealed with the last turn"


def test_turns_of_a_deal_do_not_follow_one_another_and_their_order_is_secret() -> None:
    one, other = (
        [Schedule(100, 2, secret).place(hand)[0] for hand in range(200)] for secret in ("one secret", "another")
    )
    assert sum(a == b for a, b in itertools.pairwise(one)) <= 2
    assert one[50:100] != one[:50]
    assert one != other


@given(st.integers(1, 4), st.lists(st.integers(-1000, 1000), min_size=8, max_size=60))
def test_sums_are_those_of_the_deals(turns: int, payoffs: list[int]) -> None:
    tally = MatchTally(2, turns)
    deals: dict[int, list[int]] = {}
    for n, chips in enumerate(payoffs):
        deal = n % 5
        if len(deals.get(deal, [])) < turns:
            deals.setdefault(deal, []).append(chips)
            tally.add(deal, [chips, -chips], [count_one(Mark.AS_INTENDED), count_one(Mark.FALLBACK)])
    whole = [sum(sums) for sums in deals.values() if len(sums) == turns]
    assert tally.deal_count == len(whole)
    assert tally.hand_count == sum(map(len, deals.values()))
    counted = [(counts.decision_count, counts.fallback_count) for counts in tally.decisions]
    assert counted == [(turns * len(whole), 0), (turns * len(whole),) * 2], "of deals that are complete"
    if len(whole) > 1:
        assert tally.mean() == pytest.approx([np.mean(whole), -np.mean(whole)])
        assert tally.deviation() == pytest.approx([np.std(whole, ddof=1)] * 2, abs=1e-3)
