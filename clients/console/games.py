"""The game as options: limit, blinds, deck, stacks and restrictions."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal

import typer

from riverboat.clients.console.option_values import read_blinds, read_sizes
from riverboat.clients.console.options import DeckName, deck_named
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.rules.bet_sizes import BetSizes, Unit
from riverboat.rules.restrictions import size_words
from riverboat.rules.variant import KUHN, LEDUC, MOST_CHIPS, MOST_SEATS, Variant, fixed_limit, no_limit, pot_limit

_SMALL_GAMES = {"leduc": LEDUC, "kuhn": KUHN}
STACK_BLINDS = 100  # of a stack, unless --stack says otherwise
_ACPC_BIG_BLINDS = 200  # of a stack in the computer poker competition
_MOST_RAISES = 1_000

Limit = Annotated[Literal["no", "pot", "fixed"], typer.Option("--limit", help="Betting structure.")]
Blinds = Annotated[str, typer.Option("--blinds", metavar="SMALL,BIG", help="Small and big blind, in chips.")]
StackOption = Annotated[
    int | None,
    typer.Option(
        "--stack", min=1, max=MOST_CHIPS, metavar="CHIPS", help="Chips of each player; default: 100 big blinds."
    ),
]
RaisesPerStreet = Annotated[
    int | None,
    typer.Option(
        "--raises-per-street",
        min=1,
        max=_MOST_RAISES,
        metavar="N",
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
        metavar="SIZES",
        help="Allowed bet sizes: 50% of the pot, 300 chips, 2b for 2 big blinds, a for all-in. Streets are separated "
        "by /, a street's bets from its raises by a semicolon. Default: any size.",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The options of a game, as typed; `with_option_groups` gives them to a command."""

    limit: Limit = "no"
    blinds: Blinds = "50,100"
    stack: StackOption = None
    deck: DeckName = "52"
    raises_per_street: RaisesPerStreet = None
    pot_cap: PotCap = None
    no_all_in: NoAllIn = False
    sizes: Sizes = None

    @property
    def is_restricted(self) -> bool:
        """Whether an option forbids bets that the limit would allow."""
        return bool(self.raises_per_street or self.pot_cap or self.no_all_in or self.sizes is not None)


GAME_OPTIONS = tuple(field.name for field in fields(GameOptions))


def game_of(options: GameOptions) -> Variant:
    """Return the variant that options describe; Kuhn and Leduc have rules of their own."""
    if options.deck in _SMALL_GAMES:
        if options.is_restricted:
            raise Refused(f"--deck: {options.deck} has fixed rules; restrictions are for hold'em")
        return _SMALL_GAMES[options.deck]
    return _restricted(_unrestricted(options.limit, options.blinds, options.deck), options)


def _restricted(variant: Variant, options: GameOptions) -> Variant:
    """Return the game with the restrictions that the options ask for."""
    cap, pot_cap = options.raises_per_street, options.pot_cap or 0
    if cap:
        variant = replace(variant, streets=tuple(replace(street, raise_cap=cap) for street in variant.streets))
    least = 3 * variant.big_blind  # two big blinds in the pot, and the smallest bet
    if 0 < pot_cap < least:
        raise Refused(f"--pot-cap: must be at least {least:,} with these blinds, or nobody could ever bet")
    sizes = None if options.sizes is None else read_sizes("--sizes", options.sizes)
    try:
        variant = replace(variant, pot_cap=pot_cap, all_in=not options.no_all_in, bet_sizes=sizes)
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
    small, big = read_blinds(blinds)
    try:
        if limit == "fixed":
            return fixed_limit(big, deck=deck, small_blind=small)
        return no_limit(small, big, deck=deck) if limit == "no" else pot_limit(small, big, deck=deck)
    except RiverboatError as error:
        raise refused_blinds(error) from None


def refused_blinds(error: RiverboatError) -> Refused:
    """Return the refusal for blinds that make no game; the option is named once."""
    reason = error.reason if isinstance(error, InvalidInput) and error.field == "blinds" else str(error)
    return Refused(f"--blinds: {reason}")


def stack_of(options: GameOptions, variant: Variant) -> int:
    """Return the chips to sit down with."""
    return options.stack or STACK_BLINDS * variant.big_blind


def names_in(text: str) -> list[str]:
    """Return the words of a list like "rollout,random"."""
    return [name.strip() for name in text.split(",") if name.strip()]


def refuse_options(context: typer.Context, options: Sequence[str], reason: str) -> None:
    """Refuse options that were given and would have no effect."""
    for option in options:
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            raise Refused(f"--{option.replace('_', '-')}: {reason}")


@dataclass(frozen=True, slots=True)
class AcpcGame:
    """The games of the computer poker competition, as options."""

    limit: Annotated[Literal["no", "fixed"], typer.Option("--limit", help="Betting structure.")] = "no"
    blinds: Blinds = "50,100"
    stack: Annotated[
        int | None,
        typer.Option(
            "--stack",
            min=1,
            max=MOST_CHIPS // MOST_SEATS,
            metavar="CHIPS",
            help="Chips of each player at the start of each hand; default: 200 big blinds.",
            show_default=False,
        ),
    ] = None

    def read(self) -> tuple[Variant, int]:
        """Return the game and the stack."""
        variant = game_of(GameOptions(limit=self.limit, blinds=self.blinds))
        stack = self.stack or _ACPC_BIG_BLINDS * variant.big_blind
        if stack <= variant.big_blind:
            raise Refused(f"--stack: must be more than the big blind of {variant.big_blind:,}")
        return variant, stack
