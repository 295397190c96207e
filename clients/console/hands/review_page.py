"""A review as one HTML page that needs nothing else: the decisions by what they cost, each with both ranges."""

from collections.abc import Sequence
from html import escape

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import action_words
from riverboat.clients.analysis.caveats import estimate_words, graded_against
from riverboat.clients.analysis.explanation import Choice
from riverboat.clients.analysis.wording import share_words, why
from riverboat.clients.console.hands.session_review import CostlyDecision
from riverboat.clients.console.views.explanation import class_weights, street_of
from riverboat.clients.console.views.html_template import fill_template
from riverboat.clients.console.views.review import GRADE_WORDS, roughly
from riverboat.clients.console.views.text import cards_words, plain
from riverboat.holdings import class_grid, class_label

_LEAST = 0.005  # of a class: less is an empty cell


def review_page(title: str, about: str, decisions: Sequence[CostlyDecision]) -> str:
    """Return the page; decisions stand in the order given."""
    body = "\n".join(map(_section, decisions))
    return fill_template(
        str(__package__), "review.html", {"title": escape(title), "about": escape(about), "body": body}
    )


def _section(one: CostlyDecision) -> str:
    explained, names = one.reviewed.explanation, one.at.names
    public, seat = explained.public, explained.seat
    opponent = plain(names.players[1 - seat])
    board = f" on {cards_words(format_cards(public.board))}" if public.board else ""
    title = f"hand {one.at.number}, {street_of(explained)}{board}, pot {names.amount(public.pot)}"
    loss = f"{roughly(explained)}{names.amount(one.reviewed.taken.loss)} lost, {share_words(one.reviewed.pot_share)}"
    who = f"{plain(names.players[seat])} holds {cards_words(format_cards(one.at.holding))}"
    grade = one.reviewed.grade
    texts = [why(explained, opponent, names.amount), graded_against(explained, opponent), estimate_words(explained)]
    grids = "".join(
        f"<div><p>{escape(plain(names.players[player]))}'s range</p>{_grid(one, player)}</div>"
        for player in (seat, 1 - seat)
    )
    return (
        f'<section><h2>{escape(title)}: {escape(who)}</h2><p class="{grade}">{GRADE_WORDS[grade]}: '
        f"{escape(loss)} of the pot</p>{_actions(one)}"
        + "".join(f"<p>{escape(text)}</p>" for text in texts if text)
        + f'<div class="ranges">{grids}</div></section>'
    )


def _actions(one: CostlyDecision) -> str:
    head = "<tr><th>action</th><th>this hand</th><th>whole range</th><th>EV</th><th>loss</th><th></th></tr>"
    return f"<table>{head}{''.join(_action(one, choice) for choice in one.reviewed.explanation.choices)}</table>"


def _action(one: CostlyDecision, choice: Choice) -> str:
    explained, amount = one.reviewed.explanation, one.at.names.amount
    rough = roughly(explained)
    played = choice.action == explained.taken
    cells = [
        action_words(explained.public, choice.action, amount),
        share_words(choice.frequency),
        share_words(choice.range_frequency),
        rough + amount(choice.ev),
        rough + amount(choice.loss),
        "; ".join(["best"] * (choice is explained.best) + ["played"] * played),
    ]
    mark = ' class="best"' if choice is explained.best else ""
    return f"<tr{mark}>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _grid(one: CostlyDecision, player: int) -> str:
    explained = one.reviewed.explanation
    weights = class_weights(explained, player)
    rows = class_grid(explained.public.variant.deck)
    held = class_label(one.at.holding) if player == explained.seat else ""
    cells = "".join(_cell(label, weights.get(label, 0.0), label == held) for row in rows for label in row)
    return f'<div class="grid" style="--ranks:{len(rows[0])}">{cells}</div>'


def _cell(label: str, weight: float, is_held: bool) -> str:
    mark = ' class="held"' if is_held else ""
    # From pale to deep blue, as the terminal's grids are.
    colour = f' style="background:color-mix(in srgb,#529ecc {100 * weight:.0f}%,#fffae6)"' if weight >= _LEAST else ""
    return f'<span{mark}{colour} title="{label} {share_words(weight)}">{label}</span>'
