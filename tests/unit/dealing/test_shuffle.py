import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import DECKS
from riverboat.dealing import commitment, deal_by_seed, derived_seed, shuffle_by_seed
from riverboat.errors import InvalidInput

FULL = DECKS["52"]
seeds = st.binary(min_size=32, max_size=32)


@given(seeds, st.sampled_from(list(DECKS.values())))
def test_a_shuffle_has_every_card_once_and_repeats(seed: bytes, deck: object) -> None:
    cards = shuffle_by_seed(deck, seed)  # type: ignore[arg-type]
    assert sorted(cards) == list(deck.cards)  # type: ignore[attr-defined]
    assert cards == shuffle_by_seed(deck, seed)  # type: ignore[arg-type]


@given(seeds)
def test_a_deal_is_the_shuffle_in_order(seed: bytes) -> None:
    dealt = deal_by_seed(FULL, 3, 5, seed)
    flat = [card for holding in dealt.holdings for card in holding]
    assert (*flat, *dealt.board, *dealt.stub) == shuffle_by_seed(FULL, seed)


def test_the_shuffle_as_the_documentation_says() -> None:
    """A second implementation, from the documentation alone."""
    seed = bytes(range(32))
    stream = b"".join(hashlib.sha256(seed + n.to_bytes(8, "big")).digest() for n in range(40))
    cards, at = list(range(52)), 0
    for i in range(51, 0, -1):
        while True:
            number = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if number < 2**32 - 2**32 % (i + 1):
                break
        j = number % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    assert tuple(cards) == shuffle_by_seed(FULL, seed)


def test_every_card_comes_first_equally_often() -> None:
    count = 20_000
    first = Counter(shuffle_by_seed(FULL, derived_seed(bytes(32), n))[0] for n in range(count))
    expected = count / 52
    chi2 = sum((first[card] - expected) ** 2 / expected for card in range(52))
    assert chi2 < 100  # 51 degrees of freedom: 99.99 % are below 97


def test_commitments_hide_and_bind() -> None:
    a, b = bytes(32), bytes(31) + b"\1"
    assert commitment(a) != commitment(b)
    assert len(commitment(a)) == 64
    assert commitment(a) != hashlib.sha256(a).hexdigest()
    with pytest.raises(InvalidInput):
        commitment(b"short")
