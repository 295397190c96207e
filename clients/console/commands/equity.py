"""riverboat equity."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from riverboat.answers import Equity
from riverboat.clients.console.options import AsJson, Board, DeckName, OracleServer, deck_named
from riverboat.clients.console.servers import oracle
from riverboat.clients.console.views.output import note, out, percent, print_json, progress_bar
from riverboat.clients.console.views.sheet import opponents_text
from riverboat.clients.remote.refusals import Refused

_BAR_WIDTH = 50
_NAMES = {
    "hero": "HOLDING",
    "opponents": "opponents",
    "opponents[]": "--vs {}",
    "rollouts.rollout_count": "--rollouts",
    "rollouts.target_error": "--error",
}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(equity)


def equity(
    holding: Annotated[
        str, typer.Argument(metavar="HOLDING", help="A holding, AhKh, or a range, QQ+,AKs,A5s-A2s,76s:0.5.")
    ],
    vs: Annotated[
        list[str] | None,
        typer.Option(
            "--vs", metavar="RANGE", help="An opponent's holding or range; once for each.", show_default=False
        ),
    ] = None,
    opponents: Annotated[
        int | None,
        typer.Option("--opponents", "-n", min=1, max=9, help="Opponents with random cards.", show_default=False),
    ] = None,
    board: Board = "",
    deck: DeckName = "52",
    exact: Annotated[bool, typer.Option("--exact", help="Enumerate every deal, or refuse and say how many.")] = False,
    rollouts: Annotated[
        int | None, typer.Option(min=1, max=10**18, help="Deal at random this many times.", show_default=False)
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(help="Deal at random until the standard error is down to this, like 0.0005.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**64 - 1, help="Repeat the same random deals; asks for rollouts.", show_default=False),
    ] = None,
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """How often a holding or range wins.

    Without --vs or --opponents it plays one opponent with random cards. The answer is exact where that
    is quick, otherwise from a million rollouts; --exact, --rollouts and --error decide
    otherwise.

    riverboat equity AhKh --vs QQ+,AKs --board Td9d2c

    riverboat equity QQ+ --opponents 5 --error 0.0002
    """
    if exact and (rollouts is not None or error is not None or seed is not None):
        raise Refused("--exact does not go with --rollouts, --error or --seed")
    if error is not None and not 0 < error < 1:
        raise Refused(f"--error: must be above 0 and below 1, not {error}")
    deck_named(deck)
    others = [*(vs or []), *["random"] * (opponents or 0)] or ["random"]
    with oracle(server, _NAMES) as client, progress_bar("dealing") as bar:
        found, used_seed = None, 0
        for step, step_seed in client.equity(deck, board, holding, others, exact, rollouts, error, seed):
            found, used_seed = step.equity, step_seed
            bar.show(step.done, f"{percent(found.equity)} ± {percent(found.error)}" if found else None)
    if found is None:
        raise Refused("the oracle gave no result")
    if as_json:
        about = {"deck": deck, "board": board, "hero": holding, "opponents": others}
        lose = max(0.0, 1 - found.win - found.tie)
        print_json({**about, **asdict(found), "lose": lose, "seed": None if found.exact else used_seed})
    else:
        _print(holding, others, board, deck, found, used_seed)
        if error is not None and not found.exact and found.error > error:
            note(f"the error is above {error}: more --rollouts are needed")


def _opponents_text(others: list[str]) -> str:
    """ "QQ+ and 2 opponents with random cards"."""
    named = [text for text in others if text.lower() != "random"]
    count = len(others) - len(named)
    if count:
        named.append("random cards" if len(others) == 1 else f"{opponents_text(count)} with random cards")
    return " and ".join(named)


def _print(holding: str, others: list[str], board: str, deck: str, found: Equity, seed: int) -> None:
    where = (f"  on {board}" if board else "") + ("" if deck == "52" else f"  ({deck} deck)")
    out.print(Text(f"{holding}  against {_opponents_text(others)}{where}", style="bold"))
    lose = max(0.0, 1 - found.win - found.tie)
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for name, value in (("equity", found.equity), ("win", found.win), ("tie", found.tie), ("lose", lose)):
        table.add_row(name, Text(percent(value), style="bold" if name == "equity" else ""))
    out.print(table)
    wins, ties = round(_BAR_WIDTH * found.win), round(_BAR_WIDTH * found.tie)
    bar = Text("█" * wins, style="green") + Text("▒" * ties, style="yellow")
    out.print(bar + Text("░" * max(0, _BAR_WIDTH - wins - ties), style="red"))
    if found.exact:
        note(f"exact: all {found.deal_count:,} deals")
    else:
        note(f"± {percent(found.error, 3)} standard error, {found.deal_count:,} rollouts, --seed {seed}")
