"""riverboat demo: what Riverboat does, in ninety seconds."""

import grpc
import typer

from riverboat.clients.console.demo.hand import OPPONENT, THINKER, explain_last, played_hand
from riverboat.clients.console.demo.pace import heading, pause
from riverboat.clients.console.demo.river import SPOT, solve_river
from riverboat.clients.console.views.output import note, out
from riverboat.clients.local.gamemanager import own_game_manager
from riverboat.clients.local.resolver import resolver
from riverboat.clients.remote.refusals import refusal_of

_SHORT, _LONG = 4, 15  # seconds to read
_STARTS = (
    "It starts an oracle, which knows cards; a game manager, which deals and knows the rules; a resolver, which "
    "solves; and a host of agents. The first start on a machine compiles kernels, for about a minute."
)
_PLAYERS = f"{THINKER} solves what lies ahead at every decision; {OPPONENT} plays out its chances. All cards are open."
_EXPLAINED = f"The last decision of {THINKER} again: what both can have after all that was done, and what it was worth."
_SOLVED = (
    f"Board {SPOT.board}, pot {SPOT.pot}, {SPOT.stack} behind. Exploitability is what the best opponent wins against "
    "the strategy: it falls towards zero."
)
_NEXT = (
    ("riverboat play", "sit down yourself; ? says what to do"),
    ("riverboat watch --agents resolver,rollout", "more hands like the first"),
    (f"riverboat solve --board {SPOT.board}", "walk through the spot"),
    ("riverboat match rollout random", "who is better, and how sure that is"),
    ("riverboat", "all that there is"),
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo() -> None:
    """Show what Riverboat does, in ninety seconds.

    Two agents play a hand, a decision of it is explained, and a spot is solved. On a terminal Enter goes on, and so do
    some seconds; in a pipe there are no pauses. Everything that is needed is started, and stopped in the end.

    riverboat demo
    """
    heading("Riverboat in ninety seconds", _STARTS)
    with resolver(None, {}) as solver:
        try:
            with own_game_manager((THINKER, OPPONENT), {"RIVERBOAT_RESOLVER_SERVER": solver.address}) as games:
                heading("1. A hand between two agents", _PLAYERS)
                history, holdings = played_hand(games)
        except grpc.RpcError as error:
            raise refusal_of(error, service="game manager", address="its socket", names={}) from None
        pause(_SHORT)
        heading("2. Why?", _EXPLAINED)
        explain_last(solver, history, holdings)
        pause(_LONG)
        heading("3. A spot, solved", _SOLVED)
        solve_river(solver)
        pause(_SHORT)
    heading("Where to go next")
    for command, text in _NEXT:
        out.print(f"  {command:44}", style="cyan", markup=False, end="")
        out.print(text, markup=False)
    note("\nriverboat doctor looks at the installation; docs/how-to.md has recipes")
