"""The strength of one hand in the standard ordering, as fast as a call from Python can be.

The tables are compiled into these functions, because passing them would cost more than the look-up itself. Cards are
not checked: they must be different integers 0..51.
"""

from riverboat.cards import Ordering
from riverboat.compiled.kernels import kernel
from riverboat.strength.evaluation import EMPTY_KEY, strength
from riverboat.strength.tables import tables_of

_FIVE, _SIX, _SEVEN = (tables_of(Ordering.STANDARD, card_count) for card_count in (5, 6, 7))
_KEYS, _BITS = _SEVEN.card_keys, _SEVEN.card_bits


@kernel
def strength_of_five(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength of five cards."""
    key = EMPTY_KEY + _KEYS[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e]
    bits = _BITS[a] | _BITS[b] | _BITS[c] | _BITS[d] | _BITS[e]
    return int(strength(key, bits, _FIVE))


@kernel
def strength_of_six(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Return the strength of the best five of six cards."""
    key = EMPTY_KEY + _KEYS[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e] + _KEYS[f]
    bits = _BITS[a] | _BITS[b] | _BITS[c] | _BITS[d] | _BITS[e] | _BITS[f]
    return int(strength(key, bits, _SIX))


@kernel
def strength_of_seven(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """Return the strength of the best five of seven cards."""
    key = EMPTY_KEY + _KEYS[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[e] + _KEYS[f] + _KEYS[g]
    bits = _BITS[a] | _BITS[b] | _BITS[c] | _BITS[d] | _BITS[e] | _BITS[f] | _BITS[g]
    return int(strength(key, bits, _SEVEN))
