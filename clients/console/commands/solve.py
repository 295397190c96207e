"""riverboat solve: study a spot."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from riverboat.cards import format_cards
from riverboat.clients.analysis.scope import exploitability_name, exploitability_words
from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.games import refuse_options
from riverboat.clients.console.options import AsJson, Board, DeckName
from riverboat.clients.console.study.book import collect
from riverboat.clients.console.study.node_locks import read_locks
from riverboat.clients.console.study.page import Page, html_page
from riverboat.clients.console.study.report import PLAYERS, as_dict
from riverboat.clients.console.study.solutions import Stop, Wanted, load_solution, solve_spot
from riverboat.clients.console.study.spot_files import SpotText, StudySpot, read_file, read_spot
from riverboat.clients.console.study.steps import read_path
from riverboat.clients.console.study.walk import show_node, walk
from riverboat.clients.console.views.output import note, out, print_json, progress_bar
from riverboat.clients.local.resolver import ResolverServer, resolver
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import EQUITY, Solved
from riverboat.errors import InvalidInput
from riverboat.rules.variant import MOST_CHIPS

_SOLUTION = ".solution"
_IN_FILES = ("board", "pot", "stack", "oop", "ip", "sizes", "deck")
_FOR_NEW_SPOTS = (*_IN_FILES, "spot", "lock", "cut", "below", "short")
_NAMES = {
    "ranges[0]": "--oop",
    "ranges[1]": "--ip",
    "ranges": "--oop or --ip",
    "spot.bet_sizes": "--sizes",
    "spot.state.board": "--board",
    "spot.leaf": "--below",
    "locks": "--lock",
    "budget.exploitability": "--target",
}
_STREETS = {"turn": 2, "river": 3}
_STOPS = ("target", "iterations", "seconds")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(solve)


def solve(
    context: typer.Context,
    board: Board = "",
    pot: Annotated[int, typer.Option("--pot", min=2, max=MOST_CHIPS, help="Chips in the middle; even.")] = 100,
    stack: Annotated[int, typer.Option("--stack", min=1, max=MOST_CHIPS, help="Chips behind, of both players.")] = 400,
    oop: Annotated[str, typer.Option("--oop", metavar="RANGE", help="Of who acts first, like 22+,A2s+.")] = "random",
    ip: Annotated[str, typer.Option("--ip", metavar="RANGE", help="Of who acts last.")] = "random",
    sizes: Annotated[
        str,
        typer.Option(
            "--sizes",
            help="Bets and raises: 50% of the pot, 300 chips, a for all-in; streets by /, raises after ;. "
            "One list is for all streets.",
        ),
    ] = "50%,100%,a",
    deck: DeckName = "52",
    spot: Annotated[
        Path | None, typer.Option("--spot", metavar="FILE", help="Read the spot from JSON.", show_default=False)
    ] = None,
    cut: Annotated[
        Literal["turn", "river"] | None,
        typer.Option("--cut", help="Stop before this street is dealt, and estimate the rest.", show_default=False),
    ] = None,
    below: Annotated[
        str,
        typer.Option(
            "--below",
            metavar="equity|network|NAME",
            help="How a --cut is estimated: as if nobody bet any more, by the value network that scores best, or by "
            "the network with this name (riverboat models).",
        ),
    ] = "equity",
    lock: Annotated[
        list[str] | None,
        typer.Option(
            "--lock",
            metavar="LINE:[RANGE:]ACTION=PERCENT…",
            help='Fix what a node does: "x: f=40 c=60", or "root: QQ+: b50=100". May be repeated.',
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            help="Stop at this exploitability: 0.1% of the pot, or chips. With --cut it is measured above the cut.",
        ),
    ] = "0.3%",
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", min=1, max=10**9, help="Or after so many iterations.", show_default=False),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.1, max=86_400, help="Or after so long.", show_default=False)
    ] = None,
    short: Annotated[bool, typer.Option("--short", help="Take half the memory, precise to about 0.02%.")] = False,
    path: Annotated[
        str, typer.Option("--path", metavar="LINE", help='Show this node, like "x b50 c 7c".', show_default=False)
    ] = "",
    load: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Go on with a saved solution.", show_default=False)
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Write the solution to a .solution file.", show_default=False),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page to click through.", show_default=False),
    ] = None,
    html_nodes: Annotated[int, typer.Option(min=1, max=20_000, help="How many nodes the page has at most.")] = 600,
    server: ResolverServer = None,
    as_json: AsJson = False,
) -> None:
    """Solve a spot of two players: what each holding does, how often, and what that is worth.

    The spot is the start of a street. In a terminal you then walk through the tree: type an action (x, c, f, b50,
    r150, a) or a card that is dealt (7c), b to go back, q to end. EVs are shares of the pot in chips, counted from the
    node on.

    riverboat solve --board Qs7h2c5d --pot 100 --stack 400 --oop "22+,A2s+,KTs+" --ip "22+,A8s+,KQo" --sizes 50%,100%,a

    riverboat solve --spot spot.json --target 0.1% --save mine.solution --html mine.html

    riverboat solve --load mine.solution --path "x b50"
    """
    outputs = _Outputs(path, save, html, html_nodes, as_json)
    check_target("--html", html, (".html", ".htm"))
    check_target("--save", save, (_SOLUTION,))
    stop = Stop(target, iterations, seconds)
    if load is not None:
        refuse_options(context, _FOR_NEW_SPOTS, "is for a new spot; the solution has its own")
        with resolver(server, _NAMES) as link:
            _show(link, *load_solution(link, load, stop if _is_given(context, _STOPS) else None), outputs)
        return
    if cut is None:
        refuse_options(context, ("below",), "is for what lies below a --cut")
    if spot is not None:
        refuse_options(context, _IN_FILES, "is in the file that --spot names")
    found = read_spot(read_file(spot) if spot else SpotText(board, pot, stack, oop, ip, sizes, deck))
    if cut and _STREETS[cut] <= found.public.street:
        raise InvalidInput("--cut", f"the {cut} is dealt already: name a later street, or solve to the end without it")
    # A network is for the start of a street, so it is asked right after the deal; equity is the same before it.
    depth = (_STREETS[cut], int(below != EQUITY)) if cut else None
    wanted = Wanted(read_locks(lock or [], found), depth, below if cut else "", short)
    limits = stop.limits(found.public.pot)
    read_path(path, found.public, found.sizes)  # whatever is wrong with it, before anybody waits
    with resolver(server, _NAMES) as link:
        _show(link, found, solve_spot(link, found, wanted, limits), outputs)


def _is_given(context: typer.Context, options: Sequence[str]) -> bool:
    sources = (context.get_parameter_source(option) for option in options)
    return any(source is not None and source.name == "COMMANDLINE" for source in sources)


@dataclass(frozen=True, slots=True)
class _Outputs:
    """What to do with a solution."""

    path: str
    save: Path | None
    html: Path | None
    html_nodes: int
    as_json: bool


def _show(link: ResolverClient, spot: StudySpot, solved: Solved, outputs: _Outputs) -> None:
    """Print, write and walk, whatever is wanted."""
    path, public = read_path(outputs.path, spot.public, spot.sizes)
    said = [write("--save", outputs.save, lambda target: _save(link, solved, target))]
    said.append(write("--html", outputs.html, lambda target: _page(link, spot, solved, outputs.html_nodes, target)))
    if outputs.as_json:
        print_json(as_dict(spot.public, public, solved, outputs.path, link.node(solved.handle, path)))
        return
    for fact in (*_facts(spot, solved), *((text, "") for text in said if text)):
        note(": ".join(filter(None, fact)))
    if sys.stdin.isatty() and out.is_terminal:
        walk(link, solved.handle, spot, path)
    else:
        show_node(public, link.node(solved.handle, path))


def _save(link: ResolverClient, solved: Solved, target: Path) -> None:
    """Write a file beside the target first: what was there is not lost when something goes wrong."""
    new = target.with_name(f".{target.name}.new")
    try:
        with new.open("wb") as file:
            file.writelines(link.save(solved.handle))
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def _page(link: ResolverClient, spot: StudySpot, solved: Solved, most: int, target: Path) -> None:
    with progress_bar("collecting nodes") as bar:
        nodes = collect(link, solved.handle, spot.public, most, bar.show)
    title = f"{format_cards(spot.public.board)}, pot {spot.public.pot:,}, stacks {min(spot.public.stacks):,}"
    page = Page(title, spot.public.variant.deck, PLAYERS, tuple(_facts(spot, solved)), nodes)
    target.write_text(html_page(page), encoding="utf-8")


def _facts(spot: StudySpot, solved: Solved) -> Iterator[tuple[str, str]]:
    cost = solved.cost
    yield exploitability_name(cost.scope), exploitability_words(cost.scope, cost.exploitability / spot.public.pot)
    for player, ev in zip(PLAYERS, solved.evs, strict=True):
        yield f"EV {player}", f"{ev:,.1f} of {spot.public.pot:,}"
    yield "iterations", f"{cost.iterations:,} in {cost.solving_seconds:.2f} s"
    boards = f"{cost.board_count:,} board{'s' * (cost.board_count != 1)}"
    yield "tree", f"{cost.line_count:,} lines of betting on {boards}, {cost.byte_count / 1e6:,.1f} MB"
    if cost.leaf:
        yield "below the cut", cost.leaf
    if cost.is_partial:
        yield "time ran out", "this is the best so far"
