"""The lines of a table's screen: chairs, chips, board, pots, history, and the player's options."""

from collections.abc import Sequence

from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import all_in_words, raise_verb
from riverboat.clients.console.table.orders import raises_text
from riverboat.clients.console.table.paragraphs import history, lines_of, paragraph, pots
from riverboat.clients.console.table.rows import rows
from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.table.story import Sentence
from riverboat.clients.console.views.game_words import game_words
from riverboat.clients.console.views.text import cards_text, chips_text, plain
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.state import PublicState
from riverboat.tables.view import Status

WIDTH = 80
_LEAST_HISTORY = 2  # lines, on a low screen
_LEAST_PLAYERS = 2


def draw(scene: Scene, told: Sequence[Sentence], width: int = WIDTH, height: int | None = None) -> list[Text]:
    """Return the lines of the screen, none wider than `width`, with what was told of the hand.

    A low screen leaves out what happened first.
    """
    below = turn_lines(scene, width)
    return [*picture(scene, told, width, None if height is None else height - len(below)), *below]


def picture(scene: Scene, told: Sequence[Sentence], width: int = WIDTH, height: int | None = None) -> list[Text]:
    """Return the table, without the player's options."""
    rule = Text("-" * width, style="dim")
    lines = [_title(scene, width), *_rules(scene, width), rule, *rows(scene, width), rule]
    if scene.state:
        lines += [_board(scene.state), *lines_of(pots(scene, scene.state, width))]
        room = None if height is None else max(_LEAST_HISTORY, height - len(lines) - 1)
        lines += [*lines_of(history(told, scene, width), room), rule]
    if height is not None and len(lines) > height:
        lines = [line for line in lines if line is not rule]
    for line in lines:
        line.truncate(width)
    return lines


def _title(scene: Scene, width: int) -> Text:
    parts = [f"table {plain(scene.table_id)}"]
    if scene.hand_number:
        parts.append(f"hand {scene.hand_number:,}")
    if scene.state:
        parts.append(game_words(scene.state.variant))
    if scene.table_name:
        parts.append(plain(scene.table_name))
    return Text(plain("  ".join(parts), width), style="bold")


def _rules(scene: Scene, width: int) -> list[Text]:
    """Return the restrictions of the game, if it has any."""
    words = restriction_words(scene.state.variant) if scene.state else ()
    return lines_of([paragraph("rules", words, width, ",")]) if words else []


def _board(state: PublicState) -> Text:
    line = Text("board    ").append_text(cards_text(format_cards(state.board)) if state.board else Text("-"))
    return line.append(f"    pot {chips_text(state.pot)}", style="bold")


def turn_lines(scene: Scene, width: int = WIDTH) -> list[Text]:
    """Return whose turn it is, the time left, and the player's options."""
    left = f" ({time_text(scene.time_left_ms)} left)" if scene.time_left_ms else ""
    if scene.legal and scene.state:
        return [Text(f"your turn{left}", style="bold"), Text(plain("  " + "   ".join(legal_words(scene)), width))]
    words = "waiting for players"
    if scene.actor >= 0:
        words = f"{scene.name_of(scene.actor)} to act{left}"
    elif scene.is_withheld and scene.status != Status.CLOSED:
        words = "a duplicate match: a hand is shown once all tables have played it"
    elif scene.status == Status.CLOSED:
        words = "the table is closed"
    elif scene.hand_number and scene.status == Status.WAITING:
        is_last = sum(chair.stack > 0 for chair in scene.chairs) < _LEAST_PLAYERS
        words = "the hand is over" + ("" if is_last else "; the next one starts soon")
    return [Text(plain(words, width))]


def time_text(milliseconds: int) -> str:
    """Return "24 s" or "2 min 5 s"."""
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def legal_words(scene: Scene) -> list[str]:
    """Return the player's options, each with its key and its chips."""
    legal, state, seat = scene.legal, scene.state, scene.seat
    if legal is None or state is None or seat < 0:
        return []
    stack, bet = state.stacks[seat], state.bets[seat]
    words = ["f fold"] if legal.can_fold else []
    paid = min(legal.to_call, stack)
    words.append(f"c call {chips_text(paid)}{all_in_words(paid == stack)}" if legal.to_call else "c check")
    if legal.max_raise_to:
        is_all_in = legal.max_raise_to == stack + bet
        is_only = legal.min_raise_to == legal.max_raise_to
        words.append(f"r {raise_verb(state.bet)} {raises_text(legal)}{all_in_words(is_all_in and is_only)}")
        words += ["a all-in"] if is_all_in and not is_only else []
    return words
