"""Hands in the logs of the Annual Computer Poker Competition's dealer, one line each:

    STATE:0:cr300c/cc/r600f:AhKd|QsQc/2c3d4h/5s:-300|300:alice|bob

Players are listed by position, which is our seat: with two players the first one posts the big blind and acts
first after the flop. A raise in no-limit is written as all chips that the player has then paid in the hand; in
limit it is a bare r. The log does not say which game it is of.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from riverboat.cards import format_cards, parse_cards
from riverboat.errors import IllegalAction, InvalidInput, in_field
from riverboat.history.hand import History, HistoryEvent, Holding, after, check_holdings, outcome, replay
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import MOST_CHIPS, Structure, Variant

_MOVE = re.compile(r"[fck/]|r(\d{0,16})")
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
    with in_field("cards"):
        private, *boards = cards.split("/")
        holdings = tuple(parse_cards(text) or None for text in private.split("|"))
        deals = [parse_cards(text) for text in boards]
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
    events = tuple(_events(moves, deals, start(variant, given), holdings))
    return replace(history, events=events)


def _final(values: str, stacks: Sequence[int]) -> tuple[int, ...] | None:
    """Return finishing stacks from wins and losses; None if those are not whole chips."""
    won = values.split("|")
    if len(won) != len(stacks) or not all(_VALUE.fullmatch(value) for value in won):
        raise InvalidInput("values", f"{values[:40]!r} are not numbers of chips for {len(stacks)} players")
    if any(not float(value).is_integer() for value in won):
        return None
    return tuple(stack + int(float(value)) for stack, value in zip(stacks, won, strict=True))


def _events(
    moves: str, deals: Sequence[tuple[int, ...]], state: PublicState, holdings: Sequence[Holding | None]
) -> Iterator[HistoryEvent]:
    """Yield the events, playing them along because amounts count from the start of the hand."""
    left, at = list(deals), 0
    while at < len(moves):
        match = _MOVE.match(moves, at)
        if not match:
            raise InvalidInput("actions", f"{moves[at : at + 10]!r} is not an action; they are f, c, r and /")
        with in_field("actions"):
            event = _event(match, state, left)
            try:
                state = after(state, event, holdings)
            except IllegalAction as error:
                raise IllegalAction(f"actions: {match[0]!r} at {at + 1} ({event}): {error}") from None
        yield event
        at = match.end()
    if left:
        raise InvalidInput("cards", f"{format_cards(left[0])} on the board came after no action")


def _event(match: re.Match[str], state: PublicState, deals: list[tuple[int, ...]]) -> HistoryEvent:
    if match[0] == "/":
        if not deals:
            raise InvalidInput("", "a street begins, but there are no cards for it")
        return BoardDealt(deals.pop(0))
    if state.actor is None:
        raise IllegalAction(f"actions: {match[0]!r} at {match.start() + 1}: nobody is to act")
    if match[0][0] != "r":
        return Move(state.actor, FOLD if match[0] == "f" else CALL)
    if not match[1]:
        if state.variant.structure is not Structure.FIXED_LIMIT:
            raise InvalidInput("", f"the raise at {match.start() + 1} has no size; only limit games leave it out")
        low, _ = state.raise_limits or (state.bet + state.full_raise, 0)
        return Move(state.actor, low)
    before = state.paid[state.actor] - state.bets[state.actor]  # on earlier streets, antes included
    to = int(match[1]) - before
    if not 1 <= to <= MOST_CHIPS:
        raise InvalidInput("", f"{match[0]!r} at {match.start() + 1} is not a raise: {before} chips were paid before")
    return Move(state.actor, to)


def write_acpc(histories: Iterable[History]) -> str:
    """Return hands as lines of a log; the final stacks of each must be known."""
    return "".join(f"{_line(history, place)}\n" for place, history in enumerate(histories))


def _line(history: History, place: int) -> str:
    names = [history.name(seat) for seat in range(len(history.stacks))]
    for name in names:
        if not name or set(name) & set(":|\r\n"):
            raise InvalidInput("names", f"{name[:20]!r} cannot be a name in a log: no colons, bars or empty names")
    final = history.finishing_stacks or outcome(history).stacks
    if final is None:
        raise InvalidInput("finishing_stacks", f"are not known: {outcome(history).reason}")
    label = history.label if isinstance(history.label, int) and history.label >= 0 else place
    values = "|".join(str(end - stack) for end, stack in zip(final, history.stacks, strict=True))
    cards = "|".join("" if holding is None else format_cards(holding) for holding in history.holdings)
    boards = "".join(f"/{format_cards(event.cards)}" for event in history.events if isinstance(event, BoardDealt))
    return f"STATE:{label}:{_moves(history)}:{cards}{boards}:{values}:{'|'.join(names)}"


def _moves(history: History) -> str:
    moves = ""
    for state, event in zip(replay(history), history.events, strict=False):  # the state before each event
        if isinstance(event, BoardDealt):
            moves += "/"
        elif not isinstance(event, Move) or state.actor is None:
            continue  # logs have neither shown cards nor checks by a player with no decision left
        elif event.action <= CALL:
            moves += "f" if event.action == FOLD else "c"
        else:
            total = event.action + state.paid[event.seat] - state.bets[event.seat]
            moves += "r" if history.variant.structure is Structure.FIXED_LIMIT else f"r{total}"
    return moves
