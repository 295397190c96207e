"""riverboat demo: a tour in ninety seconds."""

import grpc
import typer

from riverboat.clients.console.demo.hand import OPPONENT, THINKER, explain_last, played_hand
from riverboat.clients.console.demo.pace import heading, pause
from riverboat.clients.console.demo.river import SPOT, solve_river
from riverboat.clients.console.servers import private_game_manager, resolver
from riverboat.clients.console.views.output import note, out
from riverboat.clients.remote.refusals import refusal_of

_SHORT, _LONG = 4, 15  # seconds to read
_STARTS = (
    "The demo starts an oracle, which knows cards; a game manager, which deals and knows the rules; a resolver, which "
    "solves spots; and an agent host. The first start on a machine compiles kernels for about a minute."
)
_PLAYERS = (
    f"{THINKER} re-solves the rest of the hand at every decision; {OPPONENT} estimates its chances by random deals. "
    "All cards are open."
)
_EXPLAINED = (
    f"The last decision of {THINKER}: the ranges of both players after all actions so far, and each action's EV."
)
_SOLVED = (
    f"Board {SPOT.board}, pot {SPOT.pot}, {SPOT.stack} behind. Exploitability, which falls towards zero, is what a "
    "perfect opponent would win against the strategy."
)
_NEXT = (
    ("riverboat play", "play yourself; ? advises you"),
    ("riverboat watch --agents resolver,rollout", "more hands like the first one"),
    (f"riverboat solve --board {SPOT.board}", "walk through the spot above"),
    ("riverboat match rollout random", "who is better, and by how much"),
    ("riverboat", "all commands"),
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo() -> None:
    """Take a tour of Riverboat in ninety seconds.

    Two agents play a hand, one of its decisions is explained, and a spot is solved. On a terminal, each stop waits for
    Enter or a few seconds; in a pipe there are no pauses. The demo starts the services it needs and stops them on exit.

    riverboat demo
    """
    heading("Riverboat in ninety seconds", _STARTS)
    with resolver(None, {}) as solver:
        try:
            with private_game_manager((THINKER, OPPONENT), solver.address) as games:
                heading("1. A hand between two agents", _PLAYERS)
                history, holdings = played_hand(games)
        except grpc.RpcError as error:
            raise refusal_of(error, service="game manager", address="its socket", names={}) from None
        pause(_SHORT)
        heading("2. A decision, explained", _EXPLAINED)
        explain_last(solver, history, holdings)
        pause(_LONG)
        heading("3. A spot, solved", _SOLVED)
        solve_river(solver)
        pause(_SHORT)
    heading("What to try next")
    for command, text in _NEXT:
        out.print(f"  {command:44}", style="cyan", markup=False, end="")
        out.print(text, markup=False)
    note("\nriverboat doctor checks the installation; docs/how-to.md has recipes")
