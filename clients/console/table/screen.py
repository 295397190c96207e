"""The table on the screen: seats, chips, board, pots, history, and what may be done. Nothing is printed here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from clients.console.table.plain import cards_words, chips_text, joined, plain
from clients.console.table.pots import pots_to_show
from clients.console.table.scene import Scene
from clients.console.table.story import Narrator, Told, street_name
from protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.cards import find_deck
from riverboat.rpc.convert.state_manager import decode_variant

WIDTH = 80
_SUIT_STYLES = {"c": "green", "d": "blue", "h": "red", "s": "default"}
_NAME_WIDTH = 30  # of the longest name that a table takes
_INDENT = 9  # columns of the name of a street


def draw(scene: Scene, width: int = WIDTH) -> list[Text]:
    """The lines of the screen, none wider than `width`."""
    rule = Text("-" * width, style="dim")
    lines = [_title(scene, width), rule, *_rows(scene, width), rule]
    if scene.state:
        lines += _middle(scene, scene.state, width)
        lines += _history(scene, scene.state, width)
        lines.append(rule)
    lines += turn_lines(scene, width)
    for line in lines:
        line.truncate(width)
    return lines


def cards_shown(cards: str) -> Text:
    """Cards coloured by suit; what is not a card is left out."""
    text = Text()
    for card in cards_words(plain(cards)).split():
        text.append(" " if text else "").append(card, style=_SUIT_STYLES.get(card[-1], ""))
    return text


def _title(scene: Scene, width: int) -> Text:
    parts = [f"table {plain(scene.table_id)}"]
    if scene.table_name:
        parts.append(plain(scene.table_name, 24))
    if scene.hand_number:
        parts.append(f"hand {scene.hand_number}")
    if scene.state:
        parts.append(game_words(scene.state.variant))
    return Text(plain("  ".join(parts), width), style="bold")


def game_words(variant: rules_pb.Variant) -> str:
    """ "no-limit hold'em, blinds 50/100"."""
    words = [plain(variant.name, 40)]
    for name, chips in (("blinds", variant.blinds), ("ante", variant.antes)):
        if any(chips):
            words.append(f"{name} {'/'.join(map(chips_text, chips))}")
    return ", ".join(words)


@dataclass(frozen=True, slots=True)
class _Row:
    """One chair."""

    mark: str
    chair: str
    name: str
    cards: Text
    stack: str
    bet: str
    notes: str
    style: str = ""


def _rows(scene: Scene, width: int) -> Iterator[Text]:
    head = _Row("", "chair", "name", Text("cards"), "stack", "bet", "", "dim")
    rows = [head, *_chairs(scene)]
    stack, bet = (max(len(value) for value in column) for column in zip(*((r.stack, r.bet) for r in rows), strict=True))
    cards = max(5, *(len(row.cards) for row in rows))
    notes = max(len(row.notes) for row in rows)
    name = min(_NAME_WIDTH, max(8, width - (11 + cards + stack + bet + notes + 8)))
    for row in rows:
        called = plain(row.name, name)
        line = Text(f"{row.mark:4}{row.chair:>5}  {called}{' ' * (name - cell_len(called))}  ", style=row.style)
        line.append_text(row.cards).append(" " * (cards - len(row.cards)))
        line.append(f"  {row.stack:>{stack}}  {row.bet:>{bet}}  {row.notes}".rstrip())
        line.rstrip()
        yield line


def _chairs(scene: Scene) -> Iterator[_Row]:
    """A row for each chair, and for those who have left it since the hand began."""
    players = {chair.chair: chair for chair in scene.chairs}
    for number in sorted({*players, *scene.seats}):
        player = players.get(number)
        seat = scene.seats.index(number) if number in scene.seats else -1
        if player is None and scene.payoffs is None:
            continue
        yield _row(scene, number, seat, player)
    if not scene.seats and scene.state:  # we came in the middle of a hand: chips by seat, whoever that is
        for seat, _ in enumerate(scene.state.seats):
            yield _row(scene, -1, seat, None)


def _row(scene: Scene, number: int, seat: int, player: pb.Chair | None) -> _Row:
    state = scene.state
    mine = state.seats[seat] if state and 0 <= seat < len(state.seats) else None
    turn = seat >= 0 and seat == scene.actor
    button = bool(scene.seats) and number == scene.seats[-1]
    in_play = mine is not None and scene.payoffs is None
    stack = mine.stack if mine and in_play else player.stack if player else None
    name = scene.name_of(seat) if seat >= 0 else plain(player.name) if player else ""
    return _Row(
        mark=(">" if turn else " ") + ("D" if button else " "),
        chair=str(number) if number >= 0 else "",
        name=name,
        cards=_cards(scene, seat, mine),
        stack="" if stack is None else chips_text(stack),
        bet=chips_text(mine.bet) if mine and in_play and mine.bet else "",
        notes=", ".join(_notes(scene, seat, mine, player)),
        style="bold" if turn else "dim" if (seat < 0 and scene.seats) or (mine is not None and mine.folded) else "",
    )


def _cards(scene: Scene, seat: int, mine: rules_pb.Seat | None) -> Text:
    if seat in scene.holdings:
        return cards_shown(scene.holdings[seat])
    if mine is None or mine.folded:
        return Text("-" if mine else "")
    size = find_deck(scene.state.variant.deck or "52").holding_size if scene.state else 0
    return Text(" ".join(["??"] * size), style="dim")


def _notes(scene: Scene, seat: int, mine: rules_pb.Seat | None, player: pb.Chair | None) -> Iterator[str]:
    if player and player.chair == scene.chair:
        yield "you"
    if mine and mine.folded:
        yield "folded"
    elif mine and not mine.stack and scene.payoffs is None:
        yield "all-in"
    if scene.payoffs is not None and 0 <= seat < len(scene.payoffs):
        yield chips_text(scene.payoffs[seat], sign=True) if scene.payoffs[seat] else "even"
    if seat < 0 and scene.seats:
        yield "not in this hand"
    if player and player.is_leaving:
        yield "leaving"
    if player is None and scene.seats:
        yield "left"


def _middle(scene: Scene, state: rules_pb.State, width: int) -> list[Text]:
    pots = pots_to_show(state.seats)
    line = Text("board    ").append_text(cards_shown(state.board) if state.board else Text("-"))
    line.append(f"    pot {chips_text(state.pot)}", style="bold")
    if len(pots) < 2:
        return [line]
    parts = []
    for place, pot in enumerate(pots):
        name = "main pot" if place == 0 else "side pot" if len(pots) == 2 else f"side pot {place}"
        parts.append(f"{name}: {chips_text(pot.chips)} for {joined([scene.name_of(seat) for seat in pot.seats])}")
    return [line, *_wrapped("pots", parts, width, ";")]


def _history(scene: Scene, state: rules_pb.State, width: int) -> list[Text]:
    told = Narrator(decode_variant(state.variant), scene.names).tell(scene.events)
    lines = list[Text]()
    streets = sorted({one.street for one in told if one.kind in ("act", "street")})
    for street in streets:
        acts = [one.text for one in told if one.kind == "act" and one.street == street]
        cards = _new_cards(told, street)
        name = street_name(street, len(state.variant.streets))
        lines += _wrapped(name, [" ".join(filter(None, (cards, *acts[:1]))), *acts[1:]], width, ",")
    ends = [one.text for one in told if one.kind == "end"]
    return [*lines, *(_wrapped("result", ends, width, ";") if ends else [])]


def _new_cards(told: Sequence[Told], street: int) -> str:
    """The board cards that a street began with, like "[Td 9d 2c]"."""
    boards = ["", *(one.board for one in told if one.kind == "street" and one.street <= street)]
    new = boards[-1][len(boards[-2]) :] if street and len(boards) > 1 else ""
    return f"[{cards_words(new)}]" if new else ""


def _wrapped(name: str, parts: list[str], width: int, between: str) -> list[Text]:
    """A paragraph with its name in front; lines break between parts, and inside of one only if it is too long."""
    room = width - _INDENT
    lines = [""]
    for place, part in enumerate(parts):
        part += between if place < len(parts) - 1 else ""
        if lines[-1] and cell_len(lines[-1]) + 1 + cell_len(part) <= room:
            lines[-1] += f" {part}"
        elif lines[-1]:
            lines.append(plain(part, room))
        else:
            lines[-1] = plain(part, room)
    names = [name, *[""] * (len(lines) - 1)]
    heads = [Text(f"{head:{_INDENT}}", style="dim") for head in names]
    return [head.append(line, style="not dim") for head, line in zip(heads, lines, strict=True)]


def turn_lines(scene: Scene, width: int = WIDTH) -> list[Text]:
    """Whose turn it is, how long, and what may be done."""
    left = f" ({time_text(scene.time_left_ms)} left)" if scene.time_left_ms else ""
    if scene.legal and scene.state:
        return [Text(f"your turn{left}", style="bold"), Text(plain("  " + "   ".join(legal_words(scene)), width))]
    if scene.actor >= 0:
        return [Text(plain(f"{scene.name_of(scene.actor)} is to act{left}", width))]
    if scene.status == pb.TABLE_STATUS_CLOSED:
        return [Text("the table is closed")]
    if scene.hand_number and scene.status == pb.TABLE_STATUS_WAITING:
        return [Text("the hand is over")]
    return [Text("waiting for players")]


def time_text(milliseconds: int) -> str:
    """ "24 s" or "2 min 5 s"."""
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def legal_words(scene: Scene) -> list[str]:
    """What the player may do, each with its key and its chips."""
    legal, state, seat = scene.legal, scene.state, scene.seat
    if legal is None or state is None or seat < 0:
        return []
    mine = state.seats[seat]
    words = ["f fold"] if legal.can_fold else []
    paid = min(legal.to_call, mine.stack)
    words.append(f"c call {chips_text(paid)}{_all_in(paid == mine.stack)}" if legal.to_call else "c check")
    if legal.max_raise_to:
        low, high = legal.min_raise_to, legal.max_raise_to
        most = _all_in(high == mine.stack + mine.bet)
        between = chips_text(high) if low == high else f"{chips_text(low)} up to {chips_text(high)}"
        words.append(f"r {'raise to' if state.bet else 'bet'} {between}{most}")
    return words


def _all_in(is_all: bool) -> str:
    return " (all-in)" if is_all else ""
