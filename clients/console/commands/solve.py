"""riverboat solve: study a spot."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from riverboat.clients.console.commands.chart import chart
from riverboat.clients.console.files import check_target
from riverboat.clients.console.games import refuse_options
from riverboat.clients.console.options import AsJson, Board, HoldemDeck, ResolverServer
from riverboat.clients.console.servers import resolver
from riverboat.clients.console.study.board_report import ReportFile, print_rows, read_boards, report_key, solve_boards
from riverboat.clients.console.study.node_locks import read_locks
from riverboat.clients.console.study.offers import solve_what_fits
from riverboat.clients.console.study.output import SolutionOutput, serve_page, show_solution
from riverboat.clients.console.study.solutions import SolveOptions, Stop, load_solution
from riverboat.clients.console.study.spot_files import SpotText, read_file, read_spot, read_stacks
from riverboat.clients.console.study.steps import read_path
from riverboat.clients.console.table.agent_answers import DEFAULT_STACK
from riverboat.clients.console.views.output import print_json, say
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.resolver import EQUITY
from riverboat.errors import InvalidInput
from riverboat.rules.variant import MOST_CHIPS
from riverboat.streets import STREET_NUMBERS

_SOLUTION = ".solution"
_IN_FILES = ("board", "pot", "stack", "oop", "ip", "sizes", "deck")
_FOR_NEW_SPOTS = (*_IN_FILES, "spot", "lock", "cut", "below", "short")
_ON_A_BOARD = ("pot", "oop", "ip", "sizes", "path", "save", "html", "report", "lock", "cut", "classes")
_BIG_BLIND, _LEAST_BLINDS = 100, 2  # of the blueprint's game; of a stack
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
_STOPS = ("target", "iterations", "seconds")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(solve)


def solve(
    context: typer.Context,
    board: Board = "",
    pot: Annotated[
        int, typer.Option("--pot", min=2, max=MOST_CHIPS, metavar="CHIPS", help="Chips in the pot, an even number.")
    ] = 100,
    stack: Annotated[
        str,
        typer.Option(
            "--stack",
            metavar="CHIPS",
            help="Chips behind for each player; or of both, out of position first: 900,1400.",
        ),
    ] = "400",
    oop: Annotated[
        str,
        typer.Option("--oop", metavar="RANGE", help="Range of the player who acts first, like 22+,A2s+ or 15%."),
    ] = "random",
    ip: Annotated[str, typer.Option("--ip", metavar="RANGE", help="Range of the player who acts last.")] = "random",
    sizes: Annotated[
        str,
        typer.Option(
            "--sizes",
            metavar="SIZES",
            help="Bet sizes: 50% of the pot, 300 chips, a for all-in. Streets, from the board's on, are separated by "
            "/, a street's bets from its raises by a semicolon; a single list is for all streets.",
        ),
    ] = "50%,100%,a",
    deck: HoldemDeck = "52",
    spot: Annotated[
        Path | None, typer.Option("--spot", metavar="FILE", help="JSON file with the spot.", show_default=False)
    ] = None,
    cut: Annotated[
        Literal["turn", "river"] | None,
        typer.Option(
            "--cut", help="Cut the tree before this street is dealt, and estimate what follows.", show_default=False
        ),
    ] = None,
    below: Annotated[
        str,
        typer.Option(
            "--below",
            metavar="equity|network|NAME",
            help="Estimate below a --cut: equity (no more betting), network (the best value network), or a network's "
            "name (riverboat models).",
        ),
    ] = "equity",
    lock: Annotated[
        list[str] | None,
        typer.Option(
            "--lock",
            metavar="LINE:[RANGE:]ACTION=PERCENT…",
            help='Fix the strategy of a node: "x: f=40 c=60", or "root: QQ+: b50=100"; repeatable.',
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="Exploitability to stop at: 0.1% of the pot, or chips; with --cut, measured above the cut.",
        ),
    ] = "0.3%",
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations", min=1, max=10**9, metavar="N", help="Maximum number of iterations.", show_default=False
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            min=0.1,
            max=86_400,
            metavar="SECONDS",
            help="Maximum solving time in seconds.",
            show_default=False,
        ),
    ] = None,
    short: Annotated[bool, typer.Option("--short", help="Store 16 bits per number; precise to about 0.02%.")] = False,
    path: Annotated[
        str, typer.Option("--path", metavar="LINE", help='Node to show, like "x b50 c 7c".', show_default=False)
    ] = "",
    classes: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            metavar="CLASS",
            help="Class or holding to show in detail at the node, like AQs, 77 or AhQh; repeatable.",
            show_default=False,
        ),
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Continue with a saved solution.", show_default=False)
    ] = None,
    open_: Annotated[
        Path | None,
        typer.Option(
            "--open",
            metavar="FILE",
            help="Show a saved solution as a page in the browser, all streets on demand, until Ctrl-C.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="File to save the solution to, ending in .solution.", show_default=False
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="File to save an HTML page to; it shows the tree to click through.",
            show_default=False,
        ),
    ] = None,
    html_nodes: Annotated[
        int, typer.Option(min=1, max=20_000, metavar="N", help="Maximum number of nodes on the page.")
    ] = 600,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="With several boards: file for a line of JSON each; the same command goes on with those missing.",
            show_default=False,
        ),
    ] = None,
    server: ResolverServer = None,
    as_json: AsJson = False,
) -> None:
    """Solve a two-player spot.

    The solution says what each holding does, how often, and its EV. The spot is the start of a street. In a terminal
    you then walk through the tree: type an action (x, c, f, b50, r150, a) or the next board card (7c), b to go back, q
    to quit. EVs are in chips and count from the node on: a fold is worth 0, and both players' EVs add up to the pot.
    Without a --board the chart of the first decision before the flop is shown (riverboat chart --players 2).

    riverboat solve --board Qs7h2c5d --pot 100 --stack 400 --oop "22+,A2s+,KTs+" --ip "22+,A8s+,KQo" --sizes 50%,100%,a

    riverboat solve --spot spot.json --target 0.1% --save mine.solution --html mine.html

    riverboat solve --load mine.solution --path "x b50"

    riverboat solve --open mine.solution

    riverboat solve --board Qs7h2c,Td9d6h,AsKs2d --oop "top 40%" --ip "top 25%" --sizes "75%; a" --report flops.jsonl
    """
    if open_ is not None:
        refuse_options(context, (*_FOR_NEW_SPOTS, *_STOPS, "load", "save", "html", "path"), "not with --open")
        with resolver(server, _NAMES) as link:
            serve_page(link, *load_solution(link, open_, None, "--open"))
        return
    output = SolutionOutput(path, save, html, html_nodes, as_json, tuple(classes or ()))
    check_target("--html", html, (".html", ".htm"))
    check_target("--save", save, (_SOLUTION,))
    stop = Stop(target, iterations, seconds)
    if load is not None:
        refuse_options(context, _FOR_NEW_SPOTS, "only for a new spot; the solution in --load has its own")
        with resolver(server, _NAMES) as link:
            show_solution(link, *load_solution(link, load, stop if _is_given(context, _STOPS) else None), output)
        return
    if cut is None:
        refuse_options(context, ("below",), "only with --cut")
    if spot is not None:
        refuse_options(context, _IN_FILES, "the file in --spot has it")
    stacks = read_stacks(stack)
    boards = read_boards(board)
    if report is not None and len(boards) < 2:
        raise Refused("--report: is for several boards, like --board Qs7h2c,Td9d6h")
    text = SpotText(
        board=boards[0] if boards else "", pot=pot, stack=min(stacks), oop=oop, ip=ip, sizes=sizes, deck=deck
    )
    if not board and spot is None:
        refuse_options(context, _ON_A_BOARD, "only with a --board; before the flop the blueprint answers")
        _before_the_flop(context, min(stacks), server, as_json)
        return
    study = read_spot(read_file(spot) if spot else text)
    if len(set(stacks)) > 1 and spot is None:
        say(f"only {min(stacks):,} chips of each stack can be lost, so both count as {min(stacks):,}")
    if cut and STREET_NUMBERS[cut] <= study.public.street:
        raise InvalidInput("--cut", f"the {cut} is already dealt: name a later street, or leave --cut out")
    # A network is for the start of a street, so it is asked right after the deal; equity is the same before it.
    depth = (STREET_NUMBERS[cut], int(below != EQUITY)) if cut else None
    wanted = SolveOptions(read_locks(lock or [], study), depth, below if cut else "", short)
    limits = stop.limits(study.public.pot)
    read_path(path, study.public, study.sizes)  # refuse a bad path before solving
    if len(boards) > 1:
        refuse_options(context, ("path", "save", "html", "classes", "lock"), "not for several boards")
        file = ReportFile(report, report_key(text, wanted.depth, wanted.leaf, short, target)) if report else None
        with resolver(server, _NAMES) as link:
            rows = list(solve_boards(link, boards, text, wanted, stop.limits, file))
        if as_json:
            print_json([asdict(row) for row in rows])
        else:
            print_rows(rows)
        return
    with resolver(server, _NAMES) as link:
        show_solution(link, *solve_what_fits(link, study, wanted, limits), output)


def _before_the_flop(context: typer.Context, stack: int, server: str | None, as_json: bool) -> None:
    """Print the chart of the first decision for two players: no board is solved."""
    blinds = stack // _BIG_BLIND if _is_given(context, ("stack",)) else DEFAULT_STACK
    if blinds < _LEAST_BLINDS:
        raise Refused(f"--stack: {stack} chips are too few; without --board the blinds are 50 and {_BIG_BLIND}")
    say(
        f"no --board: this is the first decision before the flop with {blinds} big blinds, as riverboat chart "
        "--players 2 shows it; a spot to solve begins on the flop, turn or river"
    )
    chart(context, players=2, stack=blinds, server=server, as_json=as_json)


def _is_given(context: typer.Context, options: Sequence[str]) -> bool:
    sources = (context.get_parameter_source(option) for option in options)
    return any(source is not None and source.name == "COMMANDLINE" for source in sources)
