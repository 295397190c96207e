"""The text of a PHH file as columns. Hands are replayed; damaged and impossible ones are left out, with reasons."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.history.phh import UnreadHand, read_each
from riverboat.history.phh_games import game_variant
from riverboat.history.store.columns import HandColumns, join, take
from riverboat.history.store.games import StoredGame
from riverboat.history.store.histories import columns_of
from riverboat.history.store.parsing import (
    ANTES,
    BEGIN,
    BLINDS,
    CODE,
    CODES,
    COUNT,
    DECIMALS,
    FIRST_BET,
    LATER_BET,
    PLAIN,
    TRIMMED,
    UNUSUAL,
    ParsedHands,
    find_sections,
    parse_hands,
)
from riverboat.history.store.replaying import GameRules, replay_hands, room_for_replay
from riverboat.history.store.scanning import BAD, U8, UNKNOWN
from riverboat.rules.variant import MOST_SEATS, rules_array

I64 = NDArray[np.int64]
_SHORT_DECK = CODES.index("NS")  # rare, and its strengths are not compiled in: the slow path reads it


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A hand that is not in a store, and why."""

    line: int  # of the file, from 1
    reason: str


def read_text(text: bytes, first_line: int = 1) -> tuple[HandColumns, list[LeftOut]]:
    """Return the hands of whole sections of a file whose first line is `first_line`, and those that are left out."""
    plain = text.replace(b"\r\n", b"\n") if b"\r" in text else text
    data = np.frombuffer(plain, np.uint8)
    starts, lines = sections_of(data)
    if len(starts) < 2 or not _is_comment(plain[: starts[0]]):  # a file with one hand
        fast, slow_places = None, [0]
        starts, lines = np.array([0, len(plain)], np.int64), np.zeros(1, np.int64)
    else:
        parsed = parse_hands(data, starts)
        fast, slow_places = _replay(data, parsed, lines + first_line)
    slow, left_out, places = [], [], []
    for place in slow_places:
        section = plain[starts[place] : starts[place + 1]]
        line = int(lines[place]) + first_line
        try:
            slow.append(_read_slowly(section, line))
            places.append(place)
        except RiverboatError as error:
            left_out.append(LeftOut(line, str(error)))
    if fast is None:
        return join(slow), left_out
    if not slow:
        return fast, left_out
    order = np.argsort(np.concatenate([np.setdiff1d(np.arange(len(starts) - 1), slow_places), places]))
    return take(join([fast, *slow]), order), left_out


def sections_of(data: U8) -> tuple[I64, I64]:
    """Return where sections begin, and the end of the data [N + 1], and their lines from 0 [N]."""
    most = int(np.count_nonzero(data == 91)) + 1
    starts, lines = np.empty(most, np.int64), np.empty(most, np.int64)
    count = find_sections(data, starts, lines)
    return np.append(starts[:count], len(data)), lines[:count]


def _is_comment(text: bytes) -> bool:
    return all(not line.strip() or line.lstrip().startswith(b"#") for line in text.split(b"\n"))


def _read_slowly(section: bytes, line: int) -> HandColumns:
    """Return one hand by the reader that knows all of TOML; raise RiverboatError if it is damaged or impossible."""
    try:
        text = section.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("", "not UTF-8 text") from None
    hand = next(read_each("\n" * (line - 1) + text))
    if isinstance(hand, UnreadHand):
        raise hand.error
    return columns_of([hand])


def _replay(data: U8, parsed: ParsedHands, lines: I64) -> tuple[HandColumns, list[int]]:
    """Return the plain hands that the rules allow, and the places of all others."""
    count = len(parsed.status)
    status = parsed.status
    status[parsed.games[:, CODE] == _SHORT_DECK] = UNUSUAL
    games, game_of = _games(parsed)
    status[game_of < 0] = UNUSUAL
    arrays = [game.rules for game in games]
    rules = np.concatenate([np.zeros(0, np.int64), *arrays])
    replayed = room_for_replay(count, len(parsed.events.kinds))
    replay_hands(GameRules(game_of, np.cumsum([0, *map(len, arrays)]), rules), parsed, replayed)
    kept = np.flatnonzero(status == PLAIN)
    seat_counts = parsed.games[kept, COUNT]
    seats = np.arange(MOST_SEATS) < seat_counts[:, None]
    names, players = _names(data, parsed.names[kept][seats], parsed.names[kept, 0, BEGIN] == BAD, seat_counts)
    total = int(replayed.move_count[kept].sum())
    stacks = parsed.stacks[kept][seats]
    columns = HandColumns(
        games=games,
        names=names,
        number=parsed.numbers[kept],
        line=lines[kept],
        game=game_of[kept],
        rake=replayed.rake[kept],
        board=replayed.board[kept],
        seat_start=np.concatenate([[0], np.cumsum(seat_counts)]),
        move_start=np.concatenate([[0], np.cumsum(replayed.move_count[kept])]),
        player=players,
        stack=np.where(stacks == UNKNOWN, -1, stacks),
        won=replayed.won[kept][seats],
        shown=replayed.shown[kept][seats],
        holding=parsed.holdings[kept][seats],
        mover=replayed.mover[:total],
        move=replayed.move[:total],
    )
    return columns, np.flatnonzero(status != PLAIN).tolist()


def _games(parsed: ParsedHands) -> tuple[tuple[StoredGame, ...], I64]:
    """Return the different games of the plain hands, and each hand's place among them; -1 if there is none."""
    rows = np.ascontiguousarray(parsed.games).view(np.dtype((np.void, parsed.games.itemsize * parsed.games.shape[1])))
    _, firsts, inverse = np.unique(rows.reshape(-1), return_index=True, return_inverse=True)
    games: dict[StoredGame, int] = {}
    place_of = np.full(len(firsts), -1, np.int64)
    for kind, first in enumerate(firsts):
        if parsed.status[first] == PLAIN or np.any(parsed.status[inverse.reshape(-1) == kind] == PLAIN):
            try:
                game = _game(parsed.games[first].tolist())
            except InvalidInput:
                continue
            place_of[kind] = games.setdefault(game, len(games))
    return tuple(games), place_of[inverse.reshape(-1)]


def _game(row: list[int]) -> StoredGame:
    count = row[COUNT]
    variant = game_variant(
        CODES[row[CODE]],
        (row[FIRST_BET], row[LATER_BET]),
        row[BLINDS : BLINDS + count],
        row[ANTES : ANTES + count],
        is_trimmed=bool(row[TRIMMED]),
    )
    rules_array(variant, count)  # raises if the numbers do not fit
    return StoredGame(variant, count, row[DECIMALS])


def _names(data: U8, places: I64, nameless: NDArray[np.bool_], seat_counts: I64) -> tuple[tuple[str, ...], I64]:
    """Return the different names at these places [S, 2] of a text, and which one each seat has."""
    without = np.repeat(nameless, seat_counts)
    places = np.where(without[:, None], 0, places)
    players, firsts = np.empty(len(places), np.int64), np.empty(len(places), np.int64)
    count = _intern(data, places, players, firsts)
    texts = [data[begin:end].tobytes().decode("ascii") for begin, end in places[firsts[:count]].tolist()]
    if not without.any():
        return tuple(texts), players
    kept = [name for place, name in enumerate(texts) if not without[firsts[place]]]
    place_of = np.array([-1 if without[firsts[place]] else kept.index(name) for place, name in enumerate(texts)])
    return tuple(kept), np.where(without, -1, place_of[players])


@kernel
def _intern(data: U8, places: I64, players: I64, firsts: I64) -> int:
    """Write to players [S] the number of each text, equal texts having the same; to firsts where each was first.

    Return how many different texts there are.
    """
    size = 16
    while size < 2 * len(places):
        size *= 2
    table = np.full(size, -1, np.int64)
    count = 0
    for seat in range(len(places)):
        begin, end = places[seat]
        code = np.uint64(14695981039346656037)
        for at in range(begin, end):
            code = (code ^ np.uint64(data[at])) * np.uint64(1099511628211)
        slot = np.int64((code ^ (code >> np.uint64(32))) & np.uint64(size - 1))
        while True:
            player = table[slot]
            if player < 0:
                table[slot] = player = count
                firsts[count] = seat
                count += 1
                break
            first, last = places[firsts[player]]
            if last - first == end - begin and np.array_equal(data[first:last], data[begin:end]):
                break
            slot = (slot + 1) & (size - 1)
        players[seat] = player
    return count


def split_text(chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Yield a text that comes in pieces as pieces of whole sections, each of at least `size` bytes but the last."""
    waiting = b""
    for chunk in chunks:
        waiting += chunk
        while len(waiting) >= 2 * size:
            data = np.frombuffer(waiting, np.uint8)
            starts, _ = sections_of(data)
            cut = int(starts[np.searchsorted(starts, size)])
            if cut >= len(waiting):
                break
            yield waiting[:cut]
            waiting = waiting[cut:]
    if waiting:
        yield waiting
