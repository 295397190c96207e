"""A chart of an agent's strategy before the flop, for people and for programs."""

from typing import Any

from rich.text import Text

from riverboat.arena.preflop_chart import PreflopChart
from riverboat.clients.analysis.notation import notation_of
from riverboat.clients.console.views.game_words import whole_game
from riverboat.clients.console.views.grid import ColourScale, class_table
from riverboat.clients.console.views.output import note, out, print_grid
from riverboat.clients.console.views.response_result import estimate_words
from riverboat.clients.console.views.text import plain
from riverboat.holdings import holdings_of_class
from riverboat.rules.betting import CALL, FOLD

_SCALE = ColourScale(-100, 0, 100)  # only the upper half is used: a deeper blue is more frequent

_MOST_SIZES = 5  # of raises in the summary
_MOST_ACTIONS = 20  # in JSON: random has thousands


def chart_title(agent: str, chart: PreflopChart) -> str:
    """Return who decides what: "rollout as big blind after r300"."""
    seat = "on the button" if chart.public.actor == 1 else "as big blind"
    line = " ".join(line_words(chart))
    return f"{plain(agent)} {seat}" + (f" after {line}" if line else "")


def line_words(chart: PreflopChart) -> list[str]:
    """Return the actions before the decision as people type them."""
    states = zip(chart.states(), chart.line, strict=False)  # nobody has acted yet in the last one
    return [notation_of(state, action) for state, action in states]


def summary_words(chart: PreflopChart) -> str:
    """Return "plays 85.2 % of holdings, raises 61.0 % (r300)"."""
    sizes = ", ".join(notation_of(chart.public, action) for action in chart.raises)
    shown = f" ({sizes})" if 0 < len(chart.raises) <= _MOST_SIZES else ""
    return f"plays {100 * chart.played:.1f} % of holdings, raises {100 * chart.raised:.1f} %{shown}"


def trust_words(chart: PreflopChart, answer_count: int) -> str:
    """Return how well the strategy is known; empty if it is exact."""
    if answer_count:
        return estimate_words(answer_count)
    return "" if chart.strategy.is_exact else "the agent only estimates its own strategy"


def print_chart(agent: str, chart: PreflopChart, stack: int, answer_count: int) -> None:
    """Print a grid for raises and one for calls or checks, and the summary."""
    deck = chart.public.variant.deck
    out.print(Text(chart_title(agent, chart), style="bold"))
    note(whole_game(chart.public.variant, stack))
    calls = "calls" if chart.public.to_call else "checks"
    for name, actions in (("raises", chart.raises), (calls, (CALL,))):
        out.print(f"\n{name}, in % of each class", markup=False)
        values = {label: 100 * share for label, share in chart.by_class(actions).items()}
        print_grid(class_table(deck, values, _SCALE, "{:.0f}", out.width))
    out.print(f"\n{summary_words(chart)}", markup=False)
    if trust := trust_words(chart, answer_count):
        note(trust)


def chart_dict(agent: str, chart: PreflopChart, stack: int, answer_count: int) -> dict[str, Any]:
    """Return a chart for programs."""
    named = chart.strategy.actions if len(chart.strategy.actions) <= _MOST_ACTIONS else ()
    by_action = {notation_of(chart.public, action): chart.by_class([action]) for action in named}
    folds, calls, raises = (chart.by_class(actions) for actions in ((FOLD,), (CALL,), chart.raises))
    return {
        "agent": agent,
        "deck": chart.public.variant.deck.name,
        "stack": stack,
        "line": line_words(chart),
        "seat": "button" if chart.public.actor == 1 else "big blind",
        "played": chart.played,
        "raised": chart.raised,
        "exact": chart.strategy.is_exact,
        "answers": answer_count,
        "classes": [
            {
                "class": label,
                "holdings": len(members),
                "fold": folds[label],
                "call": calls[label],
                "raise": raises[label],
                "actions": {action: shares[label] for action, shares in by_action.items() if shares[label] > 0},
            }
            for label, members in holdings_of_class(chart.public.variant.deck).items()
        ],
    }
