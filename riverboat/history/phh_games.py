"""Games of PHH files: codes of variants, blinds, posts and antes, as lists by seat, and back."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.history.notation import to_amount
from riverboat.history.own_games import own_entries
from riverboat.history.restrictions import GameRestrictions, restriction_entries
from riverboat.rules.variant import Street, Structure, Variant

# Code of a variant: its name here, its deck, its structure.
_VARIANTS = {
    "NT": ("no-limit hold'em", "52", Structure.NO_LIMIT),
    "NS": ("no-limit short-deck hold'em", "36", Structure.NO_LIMIT),
    "FT": ("fixed-limit hold'em", "52", Structure.FIXED_LIMIT),
}
KNOWN_CODES = ", ".join(f"{code} ({name})" for code, (name, _, _) in _VARIANTS.items())
BET_FIELDS = {"NT": ("min_bet", "min_bet"), "NS": ("min_bet", "min_bet"), "FT": ("small_bet", "big_bet")}
TRIMMING, ANTE_LIST, BLIND_LIST = "ante_trimming_status", "antes", "blinds_or_straddles"
BOARD_COUNTS = (0, 3, 1, 1)
FIXED_CAP = 4  # bets and raises on a street of FT


def game_variant(
    code: str,
    bets: tuple[int, int],
    blinds: Sequence[int],
    antes: Sequence[int],
    *,
    is_trimmed: bool,
    restrictions: GameRestrictions = GameRestrictions(),  # noqa: B008  # frozen
) -> Variant:
    """Return the variant of a file's lists by seat; a negative blind is a post. An error names the list."""
    posted, posts = split_blinds(blinds)
    return _variant(code, bets, posted, posts, antes_of(tuple(antes), is_trimmed), restrictions)


def split_blinds(blinds: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the blinds and the posts of a file's list, in which posts are negative."""
    posted = [max(0, chips) for chips in blinds]
    if sorted(filter(None, posted)) != list(filter(None, posted)):
        wanted = "each must be at least as large as the one before it"
        raise InvalidInput(BLIND_LIST, f"dead blinds and straddles in no order are not supported: {wanted}")
    return _without_end(posted), _without_end([max(0, -chips) for chips in blinds])


def _without_end(chips: list[int]) -> tuple[int, ...]:
    """Return the chips without zeros at the end."""
    last = max((place + 1 for place, x in enumerate(chips) if x), default=0)
    return tuple(chips[:last])


def antes_of(antes: tuple[int, ...], is_trimmed: bool) -> tuple[int, ...]:
    """Return the antes of a variant for a file's list by seat."""
    if not any(antes):
        return ()
    if not is_trimmed:
        return antes  # by seat, which makes them dead
    if len(set(antes)) > 1:
        raise InvalidInput(ANTE_LIST, f"antes that differ from seat to seat need {TRIMMING} = false")
    return antes[:1]


@lru_cache(maxsize=1024)
def _variant(
    code: str,
    bets: tuple[int, int],
    blinds: tuple[int, ...],
    posts: tuple[int, ...],
    antes: tuple[int, ...],
    restrictions: GameRestrictions,
) -> Variant:
    name, deck, structure = _VARIANTS[code]
    first, later = bets
    caps = restrictions.raise_caps or (_usual_cap(code),) * len(BOARD_COUNTS)
    return Variant(
        name=name,
        deck=DECKS[deck],
        structure=structure,
        streets=tuple(map(Street, BOARD_COUNTS, (first, first, later, later), caps)),
        blinds=blinds,
        antes=antes,
        posts=posts,
        pot_cap=restrictions.pot_cap,
        all_in=restrictions.all_in,
        free_folds=True,  # people fold where they could check, and such a record is valid
        bet_sizes=restrictions.bet_sizes,
    )


def _usual_cap(code: str) -> int:
    """Return the bets and raises on a street where a file does not say how many; 0 for any number."""
    return FIXED_CAP if code == "FT" else 0


def is_trimmed(variant: Variant) -> bool:
    """Return whether a player who is short of the ante wins only that much of each other ante.

    Without antes it makes no difference.
    """
    return len(variant.antes) <= 1


def game_entries(variant: Variant, count: int, decimals: int) -> dict[str, Any]:
    """Return the fields of a file that say which game it is."""
    code, bets = code_of(variant), [street.bet for street in variant.streets]
    named = {"variant": code} if code else own_entries(variant, decimals)
    fields = BET_FIELDS[code] if code else ()
    # With two players the lists begin with the button.
    seats = range(count) if count > 2 else range(count - 1, -1, -1)

    def amounts(chips: Iterable[int]) -> list[int | Decimal]:
        return [to_amount(x, decimals) for x in chips]

    def blinds() -> Iterator[int]:
        posts = (variant.post_of(seat, count) for seat in seats)
        yield from (-post or variant.blind_of(seat, count) for seat, post in zip(seats, posts, strict=True))

    return {
        **named,
        TRIMMING: is_trimmed(variant),
        ANTE_LIST: amounts(variant.ante_of(seat, count) for seat in seats),
        BLIND_LIST: amounts(blinds()),
        **{field: to_amount(bet, decimals) for field, bet in zip(fields, (bets[0], bets[-1]), strict=False)},
        **restriction_entries(variant, _usual_cap(code), decimals),
    }


def code_of(variant: Variant) -> str:
    """Return the variant's code in PHH; "" if it has none."""
    bets = [street.bet for street in variant.streets]
    caps = {street.raise_cap for street in variant.streets}
    holdem = tuple(street.board_count for street in variant.streets) == BOARD_COUNTS
    for code, (_, deck, structure) in _VARIANTS.items():
        if not holdem or (variant.deck.name, variant.structure) != (deck, structure):
            continue
        # A restricted game keeps its code; our own fields hold the restrictions.
        fixed = bets[0] == bets[1] and bets[2] == bets[3] and 0 not in caps and max(caps) <= FIXED_CAP
        if fixed if structure is Structure.FIXED_LIMIT else len(set(bets)) == 1:
            return code
    return ""
