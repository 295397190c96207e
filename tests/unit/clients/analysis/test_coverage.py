"""Which streets have no value network, in games of all kinds."""

from dataclasses import replace

import pytest

from riverboat.clients.analysis.coverage import estimated_streets, estimated_words
from riverboat.clients.analysis.effort import AS_PLANNED, Effort
from riverboat.rules.variant import KUHN, LEDUC, Variant, fixed_limit, no_limit, pot_limit

PREFLOP, FLOP = 0, 1
FULL, SHORT = no_limit(50, 100), no_limit(50, 100, deck="24")


@pytest.mark.parametrize(
    ("variant", "streets"),
    [
        (FULL, ()),
        (SHORT, ()),
        (KUHN, ()),
        (LEDUC, ()),
        (pot_limit(50, 100), (PREFLOP, FLOP)),
        (fixed_limit(100), (PREFLOP, FLOP)),
        (replace(FULL, pot_cap=3000), (PREFLOP, FLOP)),
        (replace(SHORT, all_in=False), (PREFLOP,)),  # the flop of 24 cards is solved to the end of the hand
    ],
)
def test_streets_without_a_network_that_fits(variant: Variant, streets: tuple[int, ...]) -> None:
    assert estimated_streets(variant, AS_PLANNED, lambda *_: True) == streets


def test_streets_without_any_network() -> None:
    assert estimated_streets(FULL, AS_PLANNED, lambda *_: False) == (PREFLOP, FLOP)
    assert estimated_streets(FULL, AS_PLANNED, lambda deck, street: (deck, street) == ("52", "turn")) == (PREFLOP,)
    assert estimated_streets(SHORT, AS_PLANNED, lambda *_: False) == (PREFLOP,)
    assert estimated_streets(SHORT, Effort(is_cut=True), lambda *_: False) == (PREFLOP, FLOP)


def test_what_the_caller_asks_for_is_no_surprise() -> None:
    assert estimated_streets(FULL, Effort(leaf="equity"), lambda *_: False) == ()
    assert estimated_streets(FULL, Effort(leaf="52-turn-7bac70aa"), lambda *_: False) == (PREFLOP,)


def test_words() -> None:
    assert estimated_words(FULL, ()) == ""
    capped = replace(no_limit(50, 100, deck="36"), all_in=False)
    assert estimated_words(capped, (0, 1)) == (
        "no value network fits no-limit hold'em with 36 cards, no all-in; before the turn it compares holdings as if "
        "nobody bet again"
    )
    assert "; before the flop it compares" in estimated_words(FULL, (0,))
    assert "; on the flop it compares" in estimated_words(FULL, (1,))
