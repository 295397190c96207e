"""Hands from files: the options that commands share, and the decisions of a hand."""

import lzma
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Annotated, Literal

import typer

from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.console.games import refused_blinds
from riverboat.clients.console.option_values import read_blinds
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import IllegalAction, RiverboatError
from riverboat.history.acpc import read_acpc
from riverboat.history.hand import History, Show
from riverboat.history.hand import replay as replayed
from riverboat.history.phh import UnreadHand, line_of_event, read_each
from riverboat.history.sites.formats import SITES, site_of
from riverboat.history.sites.reading import read_site
from riverboat.rules.events import Move
from riverboat.rules.variant import Variant, fixed_limit, no_limit

COMPRESSED = ".xz"
_EVENT = re.compile(r"event (\d+) ")
_HEADER = re.compile(rb"^\[[\w-]+\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
_FORMATS = {".phh": "phh", ".phhs": "phh", ".log": "acpc", ".acpc": "acpc"}

Form = Annotated[
    Literal["phh", "acpc"] | None,
    typer.Option("--format", help="Format of the hands; default: by the ending of the file name.", show_default=False),
]
LogBlinds = Annotated[str, typer.Option("--blinds", metavar="SMALL,BIG", help="Small and big blind of an ACPC log.")]
LogStack = Annotated[int, typer.Option("--stack", min=1, metavar="CHIPS", help="Starting stack in an ACPC log.")]
LogLimit = Annotated[Literal["no", "fixed"], typer.Option("--limit", help="Betting limit of an ACPC log.")]
HandNumber = Annotated[int, typer.Option("--hand", "-n", min=1, metavar="N", help="Number of the hand in the file.")]
PlayerName = Annotated[
    str | None,
    typer.Option("--player", metavar="NAME", help="Player to look at: a name, or p1, p2 by seat.", show_default=False),
]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """How to read files."""

    form: str | None  # None: by the file's ending
    variant: Variant  # of ACPC logs, which do not name it
    stack: int


def game_of_options(form: str | None, blinds: str, stack: int, limit: str) -> FileFormat:
    """Return the format that the options describe."""
    return FileFormat(form, _log_variant(blinds, limit), stack)


def _log_variant(blinds: str, limit: str) -> Variant:
    small, big = read_blinds(blinds)
    try:
        game = no_limit(small, big) if limit == "no" else fixed_limit(big, small_blind=small)
    except RiverboatError as error:
        raise refused_blinds(error) from None
    return replace(game, free_folds=True)


def hands_in(path: Path, game: FileFormat) -> Iterator[History | UnreadHand]:
    """Yield the hands of a file, and in their places those that cannot be read; a refusal names file and line."""
    try:
        text = _bytes_of(path).decode("utf-8-sig")
        form = game.form or _form_of(path, text)
        if form == "phh":
            yield from read_each(text)
        elif form == "acpc":
            yield from read_acpc(text, game.variant, game.stack)
        else:
            yield from read_site(text)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror or error}") from None
    except (lzma.LZMAError, EOFError) as error:
        raise Refused(f"{path}: not a complete xz file: {error}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise Refused(f"{path}: line {line}: not UTF-8 text") from None
    except RiverboatError as error:
        raise Refused(f"{path}: {error}") from None


def _form_of(path: Path, text: str) -> str:
    """Return the format of a file: a site's by its first line, others by the ending of the name."""
    plain = path.with_suffix("") if path.suffix.lower() == COMPRESSED else path
    form = _FORMATS.get(plain.suffix.lower())
    if form is None and site_of(text) is None:
        names = ", ".join(site.name for site in SITES)
        raise Refused(
            f"{path}: unknown format; its name should end in {', '.join(_FORMATS)}, its text be a history of {names} "
            "(in English), or give --format"
        )
    return form or "site"


def _bytes_of(path: Path) -> bytes:
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix.lower() == COMPRESSED else data


def line_count_of(path: Path) -> int:
    """Return how many lines a file has; 1 if it cannot be read."""
    try:
        return _bytes_of(path).count(b"\n") + 1
    except (OSError, lzma.LZMAError, EOFError):
        return 1


def hand_in(path: Path, game: FileFormat, number: int) -> History:
    """Return one hand of a file, counted from 1."""
    history = next(islice(hands_in(path, game), number - 1, None), None)
    if history is None:
        raise Refused(f"--hand: {path} has fewer than {number} hands")
    if isinstance(history, UnreadHand):
        raise Refused(f"{path}: {history.error}")
    return history


def broken_hand(path: Path, history: History, error: RiverboatError) -> Refused:
    """Return the refusal of a hand that breaks the rules: it names the line of the event, where the file has lines."""
    line, event = history.line, _EVENT.match(str(error))
    if event:
        with suppress(OSError, UnicodeDecodeError, RiverboatError):  # a log has a line for each hand
            line = line_of_event(_bytes_of(path).decode("utf-8-sig"), history, int(event[1]))
    return Refused(f"{path}: line {line}: {error}")


def hand_count_of(path: Path) -> int:
    """Return how many hands a PHH file has by its headers; 1 for any other file."""
    try:
        return max(1, len(_HEADER.findall(_bytes_of(path))))
    except (OSError, lzma.LZMAError, EOFError):
        return 1


def decisions_in(path: Path, history: History) -> list[TakenAction]:
    """Return all decisions of a hand."""
    if history.unknown_stacks:
        names = ", ".join(map(history.name, history.unknown_stacks))
        raise Refused(f"{path}: line {history.line}: the stack of {names} is not known")
    try:
        states = list(replayed(_without_free_folds(history)))
    except RiverboatError as error:
        raise broken_hand(path, history, error) from None
    return [
        (before, event.action)
        for event, (before, after) in zip(history.events, pairwise(states), strict=True)
        if isinstance(event, Move) and after is not before  # a check that the rules skip changes nothing
    ]


def _without_free_folds(history: History) -> History:
    """Return the hand by rules without folds when there is nothing to call, unless somebody made one."""
    stricter = replace(history, variant=replace(history.variant, free_folds=False))
    try:
        for _ in replayed(stricter):
            pass
    except IllegalAction:
        return history
    return stricter


def holding_in(history: History, seat: int) -> tuple[int, ...] | None:
    """Return the private cards of a seat, dealt or shown; None if they are not known."""
    shown = [event.cards for event in history.events if isinstance(event, Show) and event.seat == seat]
    size = history.variant.deck.holding_size
    return history.holdings[seat] or next((cards for cards in shown if len(cards) == size), None)


def seat_named(history: History, name: str) -> int:
    """Return the seat of a player; p1 is the first."""
    seats = range(len(history.stacks))
    named = next((seat for seat in seats if name in (history.name(seat), f"p{seat + 1}")), None)
    if named is None:
        names = ", ".join(map(history.name, seats))
        raise Refused(f"--player: nobody is called {name[:30]!r} in this hand; the players are {names}")
    return named
