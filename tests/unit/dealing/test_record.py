"""Deals from two pre-decks: as documented to the last bit, uniform, and every change is detected."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.cards import DECKS, Deck, format_cards
from riverboat.dealing.mix import dealt_index, is_digest, mix_of, order_of, seat_commitment
from riverboat.dealing.predeck import Opening, PreDeck, opens, pre_deck
from riverboat.dealing.record import problems, revealed_deal
from tests.reference.dealing import whole_deal
from tests.unit.dealing.vectors import GOLDEN, golden_record, honest, made_up

FULL = DECKS["52"]
seeds = st.binary(min_size=32, max_size=32)
decks = st.sampled_from(list(DECKS.values()))
SECRETS = ("11" * 32, "22" * 32)


def ids(case: dict[str, Any]) -> str:
    return f"{case['deck']}, {len(case['chairs'])} seats"


@pytest.mark.parametrize("case", GOLDEN, ids=ids)
def test_the_vectors_are_what_the_words_say(case: dict[str, Any]) -> None:
    names = ("deck", "table_id", "hand_number", "attempt", "seeds", "chairs", "secrets")
    assert whole_deal(*(case[name] for name in names)) == case


@pytest.mark.parametrize("case", GOLDEN, ids=ids)
def test_the_library_agrees_with_the_vectors(case: dict[str, Any]) -> None:
    record, deck = golden_record(case)
    assert [pre_deck(deck, bytes.fromhex(seed)).root for seed in case["seeds"]] == case["roots"]
    assert record.offer.commitment == case["commitment"]
    assert list(record.lineup.commitments) == case["commitments"]
    assert (record.mix, dealt_index(record.mix)) == (case["mix"], case["dealt"])
    assert list(order_of(record.mix, len(deck.cards))) == case["order"]
    assert [format_cards(holding) for holding in revealed_deal(record, deck).holdings] == case["holdings"]
    assert list(problems(record, deck)) == []


@given(seeds, decks)
def test_every_card_of_a_pre_deck_opens_and_no_other(seed: bytes, deck: Deck) -> None:
    made, count = pre_deck(deck, seed), len(deck.cards)
    for place, card in enumerate(made.cards):
        opening = made.opening(place)
        assert opens(made.root, count, place, card, opening)
        other = made.cards[(place + 1) % count]
        assert not opens(made.root, count, place, other, opening)
        assert not opens(made.root, count, (place + 1) % count, card, opening)
        assert not opens(made.root, count, place, card, replace(opening, salt=opening.salt[:-1]))
        assert not opens(made.root, count, place, card, replace(opening, path=opening.path + bytes(32)))
        assert not opens(made.root, count, place, card, replace(opening, path=opening.path[:-1]))


@given(seeds, seeds, decks)
def test_an_honest_deal_has_no_problems(one: bytes, two: bytes, deck: Deck) -> None:
    record = honest(deck, (one, two), SECRETS)
    assert list(problems(record, deck)) == []
    dealt = (one, two)[dealt_index(record.mix)]
    assert list(problems(replace(record, seed=dealt.hex()), deck)) == []


@settings(max_examples=60)
@given(st.data())
def test_any_change_of_a_record_is_found(data: st.DataObject) -> None:
    record = honest(FULL, (bytes(32), bytes([1]) * 32), SECRETS)
    digest = data.draw(seeds.map(bytes.hex))
    which = data.draw(st.integers(0, len(record.opened) - 1))
    opened = record.opened[which]
    card = data.draw(st.sampled_from(sorted(set(FULL.cards) - {opened.cards[0]})))
    changed = data.draw(
        st.sampled_from(
            [
                replace(record, commitment=digest),
                replace(record, other_seed=digest),
                replace(record, secrets=(digest, SECRETS[1])),
                replace(record, secrets=("", SECRETS[1])),
                replace(record, chairs=(1, 0)),
                replace(record, seed=digest),
                replace(record, offer=replace(record.offer, attempt=2)),
                replace(record, offer=replace(record.offer, hand_number=2)),
                replace(record, offer=replace(record.offer, table_id="t2")),
                replace(record, offer=replace(record.offer, roots=(digest, record.offer.roots[1]))),
                replace(record, offer=replace(record.offer, roots=record.offer.roots[:1])),
                replace(record, opened=(replace(opened, cards=(card, *opened.cards[1:])),)),
                replace(record, opened=(replace(opened, openings=opened.openings[1:]),)),
                replace(record, opened=(replace(opened, position=opened.position + 1),)),
                replace(record, opened=(replace(opened, position=60),)),
                replace(record, other_seed="zz"),
            ]
        )
    )
    assert list(problems(changed, FULL))


def test_a_card_that_is_twice_in_a_pre_deck_is_found_where_both_are_seen() -> None:
    """Each of the two cards opens correctly: only both together, or the whole pre-deck, reveal the fraud."""
    twice = tuple(range(26)) * 2
    salts = [bytes([i]) * 16 for i in range(52)]
    false = PreDeck(twice, salts)
    record = made_up(FULL, (false, false), (bytes(32), bytes(32)), tuple(f"{i:064x}" for i in range(9)))
    texts = list(problems(record, FULL))
    assert any("was dealt twice" in text for text in texts)
    assert any("is not the one that was committed to" in text for text in texts)


def test_an_honest_secret_makes_the_deal_uniform_whatever_the_server_wants() -> None:
    """Whatever pre-decks and secret the server chooses, the first card is uniformly random."""
    sorted_deck, count = tuple(range(52)), 10_000
    mixes = [mix_of("ab" * 32, (0, 1), (f"{i:064x}", "ff" * 32)) for i in range(count)]
    first = Counter(sorted_deck[order_of(mix, 52)[0]] for mix in mixes[:4000])
    chi2 = sum((first[card] - 4000 / 52) ** 2 / (4000 / 52) for card in range(52))
    assert chi2 < 100  # 51 degrees of freedom: 99.99 % are below 97
    assert abs(sum(map(dealt_index, mixes)) - count / 2) < 4 * (count / 4) ** 0.5


@given(seeds.map(bytes.hex), st.integers(0, 9), st.integers(0, 9))
def test_commitments_bind_to_the_chair_and_the_offer(secret: str, chair: int, other: int) -> None:
    one = seat_commitment("ab" * 32, chair, secret)
    assert is_digest(one)
    assert (seat_commitment("ab" * 32, other, secret) == one) == (chair == other)
    assert seat_commitment("cd" * 32, chair, secret) != one


def test_digests_are_64_lower_case_hexadecimal_digits() -> None:
    assert is_digest("0123456789abcdef" * 4)
    for text in ("", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "٣" * 64):
        assert not is_digest(text)


def test_openings_of_a_long_path_do_not_pass() -> None:
    made = pre_deck(FULL, bytes(32))
    assert not opens(made.root, 52, 0, made.cards[0], Opening(made.opening(0).salt, b""))
