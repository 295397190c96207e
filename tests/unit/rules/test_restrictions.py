"""Games with restrictions: raises per street, a pot cap, no all-in, a list of bet sizes."""

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from riverboat.errors import IllegalAction, InvalidInput
from riverboat.history.phh import read_phh, write_hand
from riverboat.rpc.convert.state_manager import decode_variant, encode_legal_actions, encode_variant
from riverboat.rules.bet_sizes import BetSize, Unit, parse_bet_sizes
from riverboat.rules.betting import ACT, CALL
from riverboat.rules.parts import assemble
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import HandState, PublicState, start, start_random
from riverboat.rules.tree import Depth, expand_betting
from riverboat.rules.variant import KUHN, LEDUC, VARIANTS, Variant, fixed_limit, no_limit
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Created, decode, encode
from tests.unit.arena.bots import RandomBot
from tests.unit.history.hands import capped, record
from tests.unit.rules.hands import LISTS, RESTRICTED, restricted_setup, seeds
from tests.unit.rules.test_properties import parts_of


def sized(sizes: str, variant: Variant | None = None) -> Variant:
    return replace(variant or no_limit(50, 100), bet_sizes=parse_bet_sizes(sizes))


def slow_raises(public: PublicState) -> list[int]:
    """Return the legal raises, by docs/rules-of-play.md and the limits of the game without its list."""
    sizes, free = public.variant.bet_sizes, replace(public.variant, bet_sizes=None)
    limits = assemble(replace(parts_of(public), variant=free)).raise_limits
    if sizes is None or limits is None:
        return []
    low, high = limits
    pot = public.pot + public.to_call

    def chips(size: BetSize) -> float:
        return {Unit.CHIPS: size.value, Unit.BLINDS: size.value * 100, Unit.POT: size.value * pot}.get(size.unit, 1e18)

    bets, raises = sizes.on(public.street)
    wanted = (public.bet + int(chips(size) + 0.5) for size in (raises if public.bet else bets))
    return sorted({min(high, max(low, to)) for to in wanted})


def states(seed: int) -> Iterator[HandState]:
    """Yield every state of a random hand of a random game in which a player is to act."""
    variant, stacks = restricted_setup(seed)
    rng = np.random.default_rng(seed)
    hand, bot = start_random(variant, stacks, rng), RandomBot(rng)
    while not hand.is_over:
        yield hand
        assert hand.public.actor is not None
        hand = hand.play(bot.act(hand.view(hand.public.actor)))


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_raises_are_those_of_the_list(seed: int) -> None:
    for hand in states(seed):
        public = hand.public
        if public.variant.bet_sizes is None:
            assert public.raises_to == ()
            continue
        raises = slow_raises(public)
        assert list(public.raises_to) == raises
        assert public.raise_limits == ((raises[0], raises[-1]) if raises else None)
        near = {1, public.bet, *raises, *(to + 1 for to in raises), *(to - 1 for to in raises), 10**12}
        for to in near - {CALL}:
            assert public.can_play(to) == (to in raises)
            nearest = min(raises, key=lambda size: (abs(size - to), size), default=None)
            assert public.nearest_raise(to) == nearest
        legal = encode_legal_actions(public, public.raises_to)
        assert (list(legal.raises_to), legal.min_raise_to) == (raises, raises[0] if raises else 0)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_tree_has_no_illegal_bet(seed: int) -> None:
    """Each size that a tree asks for becomes the nearest one that the game allows."""
    sizes = parse_bet_sizes("0.4p 1p all-in")
    for hand in states(seed):
        root = hand.public
        tree = expand_betting(root, sizes, Depth(root.street, 4))
        for line in np.flatnonzero(tree.kind == ACT):
            state = tree.state(int(line), root.board)
            first, count = tree.first_child[line], tree.child_count[line]
            actions = tuple(tree.action[first : first + count].tolist())
            assert actions == restricted_actions(state, sizes)
            for action in actions:
                state.verify_action(action)


def test_a_list_says_what_is_possible() -> None:
    public = start(sized("1b 3b"), [10_000] * 2)
    assert public.raises_to == (200, 400)
    with pytest.raises(IllegalAction, match="cannot raise to 300; it may raise to 200 or 400"):
        public.play(300)
    assert public.nearest_raise(300) == 200  # of two equally near sizes, the smaller one
    flop = start(sized("1b / "), [10_000] * 2).play(0).play(0).deal((0, 1, 2))
    with pytest.raises(IllegalAction, match="no sizes for bets on street 1"):
        flop.play(100)


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        (no_limit(50, 100), ()),
        (fixed_limit(100), ()),
        (LEDUC, ()),
        (KUHN, ()),
        (capped(fixed_limit(100), 2), ("2 raises a street",)),
        (replace(no_limit(50, 100), pot_cap=5000, all_in=False), ("no bet may take the pot above 5,000", "no all-in")),
        (sized("0.5p 1b; all-in / 300"), ("bets of 50% 1b; raises of all-in / 300 chips",)),
        (sized("1200 / 300 400"), ("bets of 1,200 chips / 300 chips 400 chips",)),
    ],
)
def test_words(variant: Variant, words: tuple[str, ...]) -> None:
    assert restriction_words(variant) == words


@pytest.mark.parametrize(
    ("variant", "changes", "reason"),
    [
        (fixed_limit(100), {"bet_sizes": parse_bet_sizes("1p")}, "fixed limit has one size"),
        (no_limit(50, 100), {"bet_sizes": parse_bet_sizes("all-in"), "all_in": False}, "no all-in"),
        (no_limit(50, 100), {"bet_sizes": parse_bet_sizes("1/1/1/1/1")}, "there are 4"),
        (no_limit(50, 100), {"bet_sizes": parse_bet_sizes("/")}, "a size on some street"),
    ],
)
def test_combinations_that_make_no_sense(variant: Variant, changes: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        replace(variant, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", [*RESTRICTED, *map(sized, LISTS)], ids=str)
def test_they_are_kept(variant: Variant) -> None:
    """In messages and in the journal."""
    assert decode_variant(encode_variant(variant)) == variant
    created = Created(TableConfig(name="t", variant=variant, chair_count=4, buy_in=1000), "hash", "secret")
    assert decode(json.loads(json.dumps(encode(created)))) == created


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_journals_from_before_are_read(variant: Variant) -> None:
    created = Created(
        TableConfig(name="t", variant=variant, chair_count=3 if variant is KUHN else 2, buy_in=1000), "h", "s"
    )
    written = json.loads(json.dumps(encode(created)))
    del written["config"]["variant"]["bet_sizes"]
    assert decode(written) == created


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_hands_are_written_as_phh(seed: int) -> None:
    """A hand with restrictions is still a hand of its game, and is read back with the same actions and stacks."""
    variant, rng = RESTRICTED[seed % 2], np.random.default_rng(seed)
    stacks = rng.integers(3, 200, size=3).tolist()
    hand, bot = start_random(variant, stacks, rng), RandomBot(rng)
    while not hand.is_over:
        hand = hand.play(bot.act(hand.view(hand.public.actor or 0)))
    history = record(variant, stacks, hand.holdings, hand.whole_board, list(hand.actions))
    (back,) = read_phh(write_hand(history))
    assert (back.events, back.stacks, back.finishing_stacks) == (
        history.events, history.stacks, history.finishing_stacks,
    )  # fmt: skip
