"""The game as options: limit, blinds, deck, stacks and restrictions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import typer

from riverboat.clients.console.options import deck_named
from riverboat.clients.console.study.spot_files import read_sizes
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.bet_sizes import BetSizes, Unit
from riverboat.rules.restrictions import size_words
from riverboat.rules.variant import KUHN, LEDUC, MOST_CHIPS, Variant, fixed_limit, no_limit, pot_limit

_SMALL_GAMES = {"leduc": LEDUC, "kuhn": KUHN}
_BIG_BLINDS = 100  # of a stack, unless --stack says otherwise
_MOST_RAISES = 1_000

Limit = Annotated[Literal["no", "pot", "fixed"], typer.Option("--limit", help="Betting structure.")]
Blinds = Annotated[str, typer.Option("--blinds", help="Small and big blind, in chips.")]
Stack = Annotated[
    int | None,
    typer.Option("--stack", min=1, max=MOST_CHIPS, help="Chips of each player; default: 100 big blinds."),
]
RaisesPerStreet = Annotated[
    int | None,
    typer.Option(
        "--raises-per-street",
        min=1,
        max=_MOST_RAISES,
        help="Maximum number of bets and raises on a street, not counting blinds; default: unlimited (fixed limit: 4).",
        show_default=False,
    ),
]
PotCap = Annotated[
    int | None,
    typer.Option(
        "--pot-cap",
        metavar="CHIPS",
        min=1,
        max=MOST_CHIPS,
        help="Largest pot that a bet or raise may make, in chips; default: unlimited.",
        show_default=False,
    ),
]
NoAllIn = Annotated[
    bool, typer.Option("--no-all-in", help="Forbid all-in bets and raises; a call may still be all-in.")
]
Sizes = Annotated[
    str | None,
    typer.Option(
        "--sizes",
        help="Allowed bet sizes: 50% of the pot, 300 chips, 2b blinds, a for all-in; / between streets, raises "
        "after ;. Default: any size.",
        show_default=False,
    ),
]
RESTRICTIONS = ("raises_per_street", "pot_cap", "no_all_in", "sizes")  # as parameters of commands


@dataclass(frozen=True, slots=True)
class RestrictionOptions:
    """Options that forbid bets which the limit would allow."""

    raises_per_street: int | None = None
    pot_cap: int | None = None
    no_all_in: bool = False
    sizes: str | None = None


def game_of(limit: str, blinds: str, deck: str, restrictions: RestrictionOptions) -> Variant:
    """Return the variant that options describe; Kuhn and Leduc have rules of their own."""
    if deck in _SMALL_GAMES:
        if restrictions != RestrictionOptions():
            raise Refused(f"--deck: {deck} has fixed rules; restrictions are for hold'em")
        return _SMALL_GAMES[deck]
    return _restricted(_unrestricted(limit, blinds, deck), restrictions)


def _restricted(variant: Variant, restrictions: RestrictionOptions) -> Variant:
    """The same game with less allowed."""
    cap, pot_cap = restrictions.raises_per_street, restrictions.pot_cap or 0
    if cap:
        variant = replace(variant, streets=tuple(replace(street, raise_cap=cap) for street in variant.streets))
    least = 3 * variant.big_blind  # two big blinds in the pot, and the smallest bet
    if 0 < pot_cap < least:
        raise Refused(f"--pot-cap: must be at least {least:,} with these blinds, or nobody could ever bet")
    sizes = None if restrictions.sizes is None else read_sizes("--sizes", restrictions.sizes)
    try:
        variant = replace(variant, pot_cap=pot_cap, all_in=not restrictions.no_all_in, bet_sizes=sizes)
    except InvalidInput as error:
        raise Refused(f"--sizes: {error.reason}") from None
    if sizes is not None:
        _check_smallest(variant, sizes)
    return variant


def _check_smallest(variant: Variant, sizes: BetSizes) -> None:
    """Refuse a size that could never be bet: the smallest bet would silently replace it."""
    least = min(street.bet for street in variant.streets)
    for size in (size for street in sizes.streets for part in street for size in part):
        chips = {Unit.CHIPS: 1, Unit.BLINDS: variant.big_blind}.get(size.unit, 0) * size.value
        if 0 < chips < least:
            of_pot = f"; for {size}% of the pot write {size}%" if size.unit is Unit.CHIPS else ""
            reason = f"less than the smallest bet on every street, {least:,}{of_pot}"
            raise Refused(f"--sizes: {size_words(size)} is {reason}")


def _unrestricted(limit: str, blinds: str, deck: str) -> Variant:
    deck_named(deck)
    parts = blinds.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() and len(part) < 16 for part in parts):
        raise Refused(f"--blinds: {blinds[:20]!r} must be two numbers, like 50,100")
    small, big = map(int, parts)
    try:
        if limit == "fixed":
            return fixed_limit(big, deck=deck, small_blind=small)
        return no_limit(small, big, deck=deck) if limit == "no" else pot_limit(small, big, deck=deck)
    except RiverboatError as error:
        raise Refused(f"--blinds: {error}") from None


def stack_of(stack: int | None, variant: Variant) -> int:
    """Return the chips to sit down with."""
    return stack or _BIG_BLINDS * variant.big_blind


def message_of(variant: Variant) -> pb.Variant:
    """Return the variant for a request."""
    return encode_variant(variant)


def names_in(text: str) -> list[str]:
    """Return the words of a list like "rollout,random"."""
    return [name.strip() for name in text.split(",") if name.strip()]


def refuse_options(context: typer.Context, options: Sequence[str], reason: str) -> None:
    """Refuse options that were given and would have no effect."""
    for option in options:
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            raise Refused(f"--{option.replace('_', '-')}: {reason}")
