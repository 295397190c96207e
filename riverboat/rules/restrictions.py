"""Restrictions beyond the betting structure: raises per street, a cap on the pot, no all-in, certain sizes only."""

from collections.abc import Callable

from riverboat.rules.bet_sizes import BetSize, Unit
from riverboat.rules.variant import Structure, Variant

# Bets and raises that fixed-limit hold'em allows without being restricted, with the big blind as the first or not.
_FIXED_CAPS = ((3, 4, 4, 4), (4, 4, 4, 4))


def restriction_words(variant: Variant, amount: Callable[[int], str] = "{:,}".format) -> tuple[str, ...]:
    """Return the restrictions of a game in words: "3 raises a street", "no all-in"; `amount` formats chips."""
    words = [_cap_words(variant)] if any(_caps(variant)) and not _is_usual(variant) else []
    if variant.pot_cap:
        words.append(f"no bet may take the pot above {amount(variant.pot_cap)}")
    if not variant.all_in:
        words.append("no all-in")
    if variant.bet_sizes is not None:
        streets = (_street_words(*street, amount) for street in variant.bet_sizes.streets)
        words.append(f"bets of {' / '.join(streets)}")
    return tuple(words)


def _street_words(bets: tuple[BetSize, ...], raises: tuple[BetSize, ...], amount: Callable[[int], str]) -> str:
    bet_words, raise_words = (" ".join(size_words(size, amount) for size in part) or "none" for part in (bets, raises))
    return bet_words if bet_words == raise_words else f"{bet_words}; raises of {raise_words}"


def size_words(size: BetSize, amount: Callable[[int], str] = "{:,}".format) -> str:
    """Return a size as people say it: 50% (of the pot), 300 chips, 2b, all-in."""
    if size.unit is Unit.POT:
        return f"{100 * size.value:.10g}%"
    return f"{amount(int(size.value + 0.5))} chips" if size.unit is Unit.CHIPS else str(size)


def _caps(variant: Variant) -> tuple[int, ...]:
    return tuple(street.raise_cap for street in variant.streets)


def _is_usual(variant: Variant) -> bool:
    """Return whether players expect these caps; games with one private card have their own."""
    is_fixed = variant.structure is Structure.FIXED_LIMIT
    return is_fixed and (not variant.deck.is_holdem or _caps(variant) in _FIXED_CAPS)


def _cap_words(variant: Variant) -> str:
    caps = _caps(variant)
    shown = str(caps[0]) if len(set(caps)) == 1 else "/".join(str(cap) if cap else "any" for cap in caps)
    return f"{shown} raise{'' if shown == '1' else 's'} a street"
