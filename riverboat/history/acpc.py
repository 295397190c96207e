"""Hands in the logs of the Annual Computer Poker Competition's dealer, one line each:

    STATE:0:cr300c/cc/r600f:AhKd|QsQc/2c3d4h/5s:-300|300:alice|bob

Players are listed by position, which is our seat: with two players the first one posts the big blind and acts
first after the flop. A raise in no-limit is written as all chips that the player has then paid in the hand; in
limit it is a bare r. The log does not name its game.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from riverboat.cards import format_cards, parse_cards
from riverboat.errors import IllegalAction, InvalidInput, in_field
from riverboat.history.acpc_moves import read_events, write_events
from riverboat.history.hand import History, Holding, check_holdings, outcome
from riverboat.rules.events import BoardDealt
from riverboat.rules.state import start
from riverboat.rules.variant import Variant

_VALUE = re.compile(r"-?\d{1,16}(\.\d{1,16})?", re.ASCII)
_SKIPPED = ("#", "SCORE:")
_SHAPE = "STATE:number:actions:cards:values:names"


def read_acpc(text: str, variant: Variant, stacks: int | Sequence[int]) -> Iterator[History]:
    """Yield the hands of a log, one after another; every seat starts with `stacks`, or each with its own.

    An error names the line. Values with a fraction, where a pot was split to less than a chip, are left out.
    """
    has_states = False
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith(_SKIPPED):
            continue
        has_states = True
        try:
            history = _read_line(line.strip(), number, variant, stacks)
        except (InvalidInput, IllegalAction) as error:
            raise InvalidInput(f"line {number}", str(error)) from None
        yield history
    if not has_states:
        raise InvalidInput("", "there is no hand in this log")


def _read_line(line: str, number: int, variant: Variant, stacks: int | Sequence[int]) -> History:
    parts = line.split(":")
    if len(parts) != 6 or parts[0] != "STATE":
        raise InvalidInput("", f"{line[:40]!r} is not a hand; one looks like {_SHAPE}")
    _, label, moves, cards, values, players = parts
    if not label.isdecimal() or len(label) > 18:
        raise InvalidInput("number", f"{label[:20]!r} is not the number of a hand")
    names = players.split("|")
    given = (stacks,) * len(names) if isinstance(stacks, int) else tuple(stacks)
    if len(given) != len(names):
        raise InvalidInput("names", f"there are {len(names)}, and stacks for {len(given)} players")
    holdings, deals = read_cards(cards)
    history = History(
        variant=variant,
        stacks=given,
        holdings=holdings,
        events=(),
        names=tuple(names),
        finishing_stacks=_final(values, given),
        label=int(label),
        line=number,
    )
    check_holdings(history)
    events = tuple(read_events(moves, deals, start(variant, given), holdings))
    return replace(history, events=events)


def read_cards(text: str) -> tuple[tuple[Holding | None, ...], list[tuple[int, ...]]]:
    """Return the holdings by seat, None where they are hidden, and the board cards of each street after the first."""
    with in_field("cards"):
        private, *boards = text.split("/")
        return tuple(parse_cards(part) or None for part in private.split("|")), [parse_cards(part) for part in boards]


def _final(values: str, stacks: Sequence[int]) -> tuple[int, ...] | None:
    """Return finishing stacks from wins and losses; None if those are not whole chips."""
    won = values.split("|")
    if len(won) != len(stacks) or not all(_VALUE.fullmatch(value) for value in won):
        raise InvalidInput("values", f"{values[:40]!r} are not numbers of chips for {len(stacks)} players")
    if any(not float(value).is_integer() for value in won):
        return None
    return tuple(stack + int(float(value)) for stack, value in zip(stacks, won, strict=True))


def write_acpc(histories: Iterable[History]) -> str:
    """Return hands as lines of a log; the final stacks of each must be known."""
    return "".join(f"{_line(history, place)}\n" for place, history in enumerate(histories))


def _line(history: History, place: int) -> str:
    names = [history.name(seat) for seat in range(len(history.stacks))]
    final = history.finishing_stacks or outcome(history).stacks
    if final is None:
        raise InvalidInput("finishing_stacks", f"are not known: {outcome(history).reason}")
    boards = [event.cards for event in history.events if isinstance(event, BoardDealt)]
    return log_line(
        number=history.label if isinstance(history.label, int) and history.label >= 0 else place,
        betting=write_events(history),
        cards=cards_text(history.holdings, boards),
        won=[end - stack for end, stack in zip(final, history.stacks, strict=True)],
        names=names,
    )


def log_line(*, number: int, betting: str, cards: str, won: Sequence[int], names: Sequence[str]) -> str:
    """Return the line of a finished hand; chips won and names are by seat."""
    check_names(names)
    return f"STATE:{number}:{betting}:{cards}:{'|'.join(map(str, won))}:{'|'.join(names)}"


def score_line(won: Sequence[int], names: Sequence[str]) -> str:
    """Return the last line of a log: the chips that each player won in the whole match."""
    check_names(names)
    return f"SCORE:{'|'.join(map(str, won))}:{'|'.join(names)}"


def cards_text(holdings: Sequence[Holding | None], boards: Iterable[Sequence[int]]) -> str:
    """Return the cards of a hand, holdings first; a holding that is None is left empty."""
    private = "|".join("" if holding is None else format_cards(holding) for holding in holdings)
    return private + "".join(f"/{format_cards(cards)}" for cards in boards)


def check_names(names: Sequence[str]) -> None:
    """Raise unless these can be names of players in a log."""
    for name in names:
        if not name or set(name) & set(":|\r\n"):
            raise InvalidInput("names", f"{name[:20]!r} cannot be a name in a log: no colons, bars or empty names")
