"""What a player asks of practice at the table, and what comes back, on the player's display."""

from riverboat.clients.console.table.coach import explanation_text
from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.inbox import Rehearsed, Studied
from riverboat.clients.console.table.orders import NotAnOrder, read_order
from riverboat.clients.console.table.practice import Practice
from riverboat.clients.console.table.scene import scene_of_view
from riverboat.clients.console.table.story import Narrator
from riverboat.rules.variant import Variant
from riverboat.tables.view import TableView


def hear(
    practice: Practice, message: Studied | Rehearsed, view: TableView, display: Display, variant: Variant
) -> int | None:
    """Take a message about practice and show what it says; return the action that it allows to be sent."""
    if isinstance(message, Rehearsed):
        practice.is_thinking = False
        _show_rehearsal(practice, display, variant, message.problem)
        return None
    action, words = practice.warner.hear(message)
    if action is None and practice.warner.is_asked and not practice.warner.is_waiting:
        practice.warner.is_asked = False
        words = known_explanation(practice, view) or "no answer: this decision cannot be re-solved"
    display.say(words)  # without words, what was said of waiting goes away
    return action


def known_explanation(practice: Practice | None, view: TableView | None) -> str:
    """Return what practice knows about the decision of a view; "" if nothing."""
    explanation = practice.warner.explanation(view) if practice and view else None
    return explanation_text(view, explanation) if explanation and view else ""


def rehearse(practice: Practice, order: str, view: TableView, display: Display, variant: Variant) -> None:
    """Begin to play a hand again, or carry out an order in it; `view` is the table's, to go back to."""
    rehearsal = practice.rehearsal
    if practice.is_thinking or not order.strip():
        return
    if practice.is_order(order):
        if words := practice.begin(order):
            display.say(words)
        else:
            _show_rehearsal(practice, display, variant)
    elif order in ("q", "quit"):
        practice.end()
        _show_told(view, display, variant)
        display.say("back at the table")
    elif rehearsal and not rehearsal.is_over:
        try:
            practice.play(read_order(order, rehearsal.view()))
        except NotAnOrder as error:
            display.say(str(error))


def _show_rehearsal(practice: Practice, display: Display, variant: Variant, problem: str = "") -> None:
    if practice.rehearsal:
        _show_told(practice.rehearsal.view(), display, variant)
        display.say(problem or practice.rehearsal.words())


def _show_told(view: TableView, display: Display, variant: Variant) -> None:
    """Show a view with its whole hand told again."""
    display.tell(Narrator(variant).tell(view.events))
    display.show(scene_of_view(view))
