"""Push-or-fold charts, for people and for programs."""

from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import DECKS
from riverboat.clients.console.views.grid import ColourScale, class_table
from riverboat.clients.console.views.output import note, out, print_grid
from riverboat.pushfold.game import PushFoldError, PushFoldStrategy
from riverboat.range_text import range_text

_SCALE = ColourScale(-100, 0, 100)  # as in charts of agents: a deeper blue is more frequent
_PUSHES = 0.5  # of the time: a class that is listed


def print_pushfold(strategy: PushFoldStrategy, error: PushFoldError) -> None:
    """Print how each position opens, and how the big blind calls each push."""
    game = strategy.game
    out.print(Text(_title(strategy), style="bold"))
    table = Table("position", Column("all-in", justify="right"), "with", box=None, padding=(0, 2, 0, 0))
    for place, name in enumerate(game.positions[:-1]):
        table.add_row(name, f"{100 * strategy.overall(place):.1f} %", Text(_range(strategy, place, 0)))
    out.print("\nall-in when everybody before has folded", markup=False)
    out.print(table)
    calls = Table("call of", Column("calls", justify="right"), "with", box=None, padding=(0, 2, 0, 0))
    last = game.player_count - 1
    for place, name in enumerate(game.positions[:-1]):
        share = f"{100 * strategy.overall(last, 1 << place):.1f} %"
        calls.add_row(name, share, Text(_range(strategy, last, 1 << place)))
    out.print("\nthe big blind's calls when one player is all-in and the others have folded", markup=False)
    out.print(calls)
    note(f"\n{error_words(strategy, error)}; --position SB shows every class, --against names who is all-in")


def print_position(strategy: PushFoldStrategy, error: PushFoldError, position: int, pushers: int) -> None:
    """Print the grid of one decision."""
    names = strategy.game.positions
    against = " and ".join(name for place, name in enumerate(names) if pushers >> place & 1)
    out.print(Text(f"{_title(strategy)}: {names[position]}" + (f" after {against} went all-in" if against else ""),
                   style="bold"))  # fmt: skip
    out.print("\nall-in, in % of each class", markup=False)
    values = {label: 100 * share for label, share in strategy.shares(position, pushers).items()}
    print_grid(class_table(DECKS["52"], values, _SCALE, "{:.0f}", out.width))
    out.print(f"\nall-in with {100 * strategy.overall(position, pushers):.1f} % of holdings", markup=False)
    note(error_words(strategy, error))


def error_words(strategy: PushFoldStrategy, error: PushFoldError) -> str:
    """Return how good the strategy is, and how that is known."""
    largest = max(range(len(error.gains)), key=error.gains.__getitem__)
    most = 100 * (error.gains[largest] + 2 * error.standard_errors[largest])
    return (
        f"self-play over {strategy.deal_count:,} deals of a game in which everybody goes all-in or folds; whoever "
        f"knows this strategy wins at most {most:.2f} bb/100 more than by playing it"
    )


def _title(strategy: PushFoldStrategy) -> str:
    game = strategy.game
    ante = f", ante {game.ante:g}" if game.ante else ""
    return f"push or fold, {game.player_count} players, {game.stack:g} big blinds{ante}"


def _range(strategy: PushFoldStrategy, position: int, pushers: int) -> str:
    shares = strategy.shares(position, pushers)
    return range_text([label for label, share in shares.items() if share >= _PUSHES])


def pushfold_dict(strategy: PushFoldStrategy, error: PushFoldError) -> dict[str, Any]:
    """Return everything about opening, and the calls of one all-in, for programs."""
    game = strategy.game
    names = game.positions
    return {
        "players": game.player_count,
        "stack_big_blinds": game.stack,
        "ante_big_blinds": game.ante,
        "deals": strategy.deal_count,
        "best_response_gain_bb100": {n: 100 * gain for n, gain in zip(names, error.gains, strict=True)},
        "standard_error_bb100": {n: 100 * e for n, e in zip(names, error.standard_errors, strict=True)},
        "open": {name: strategy.shares(place) for place, name in enumerate(names[:-1])},
        "call": {
            name: {against: strategy.shares(place, 1 << other) for other, against in enumerate(names[:place])}
            for place, name in enumerate(names)
            if place
        },
    }
