"""Games that PHH has no code for, as fields of a PHH file: other readers refuse them, ours plays them.

    variant = 'riverboat'
    _game = {name = "pot-limit hold'em", deck = '24', limit = 'pot', streets = [[0, 100], [3, 100], [1, 100], [1, 100]]}

Each street is the number of its board cards and its bet in the file's unit. Blinds, antes, posts and restrictions stand
in the same fields as for other games.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput, in_field
from riverboat.history.notation import to_amount, to_chips
from riverboat.history.restrictions import GameRestrictions
from riverboat.rules.variant import MOST_STREETS, Street, Structure, Variant

OWN_CODE, GAME = "riverboat", "_game"
_LIMITS = {"no": Structure.NO_LIMIT, "pot": Structure.POT_LIMIT, "fixed": Structure.FIXED_LIMIT}
_LONGEST_NAME = 100
_WANTED = "must look like {name = 'my game', deck = '24', limit = 'no', streets = [[0, 100], [3, 100]]}"


def own_entries(variant: Variant, decimals: int) -> dict[str, Any]:
    """Return the fields that say which game it is."""
    limit = next(word for word, structure in _LIMITS.items() if structure is variant.structure)
    streets = [[street.board_count, to_amount(street.bet, decimals)] for street in variant.streets]
    return {
        "variant": OWN_CODE,
        GAME: {"name": variant.name, "deck": variant.deck.name, "limit": limit, "streets": streets},
    }


def own_street_count(table: Mapping[str, Any]) -> int:
    """Return how many streets the game of a file has."""
    streets = _game(table)["streets"]
    return len(streets) if isinstance(streets, list) else 0


def own_variant(
    table: Mapping[str, Any],
    decimals: int,
    *,
    blinds: Sequence[int],
    posts: Sequence[int],
    antes: Sequence[int],
    restrictions: GameRestrictions,
) -> Variant:
    """Return the game that a file describes; an error names the field."""
    game = _game(table)
    name, deck, limit, streets = (game[key] for key in ("name", "deck", "limit", "streets"))
    with in_field(GAME):
        if not isinstance(name, str) or not 1 <= len(name) <= _LONGEST_NAME:
            raise InvalidInput("", f"the name must be a text of at most {_LONGEST_NAME} characters")
        if not isinstance(deck, str) or deck not in DECKS:
            raise InvalidInput("", f"there is no deck {str(deck)[:20]!r}; the decks are {', '.join(DECKS)}")
        if not isinstance(limit, str) or limit not in _LIMITS:
            raise InvalidInput("", f"there is no limit {str(limit)[:20]!r}; the limits are {', '.join(_LIMITS)}")
        if not isinstance(streets, list) or not 1 <= len(streets) <= MOST_STREETS:
            raise InvalidInput("", f"there must be 1 to {MOST_STREETS} streets")
        caps = restrictions.raise_caps or (0,) * len(streets)
        return Variant(
            name=name,
            deck=DECKS[deck],
            structure=_LIMITS[limit],
            streets=tuple(_street(street, cap, decimals) for street, cap in zip(streets, caps, strict=True)),
            blinds=tuple(blinds),
            antes=tuple(antes),
            posts=tuple(posts),
            pot_cap=restrictions.pot_cap,
            all_in=restrictions.all_in,
            free_folds=True,  # as in other games of files
            bet_sizes=restrictions.bet_sizes,
        )


def _street(value: object, cap: int, decimals: int) -> Street:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidInput("", "a street is two numbers: its board cards and its bet")
    cards, bet = value
    if not isinstance(cards, int) or isinstance(cards, bool) or not 0 <= cards <= 5:
        raise InvalidInput("", f"{str(cards)[:20]!r} is not a number of board cards")
    if isinstance(bet, bool) or not isinstance(bet, int | Decimal):
        raise InvalidInput("", f"{str(bet)[:20]!r} is not a number of chips")
    return Street(cards, to_chips(bet, decimals, 1), cap)


def _game(table: Mapping[str, Any]) -> Mapping[str, Any]:
    game = table.get(GAME)
    if not isinstance(game, Mapping) or not {"name", "deck", "limit", "streets"} <= game.keys():
        raise InvalidInput(GAME, _WANTED)
    return game
