"""riverboat equity."""

from dataclasses import asdict
from typing import Annotated

import typer

from riverboat.clients.console.card_answers import card_answers
from riverboat.clients.console.options import AsJson, Board, DeckName, OracleServer, deck_named
from riverboat.clients.console.views.equity import equity_title, lose_share, print_equity
from riverboat.clients.console.views.output import note, percent, print_json, progress_bar
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.oracle import EquityText

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
        str, typer.Argument(metavar="HOLDING", help="A holding, like AhKh, or a range, like QQ+,AKs,A5s-A2s,76s:0.5.")
    ],
    vs: Annotated[
        list[str] | None,
        typer.Option(
            "--vs",
            metavar="RANGE",
            help="An opponent's holding or range; repeatable.",
            show_default=False,
        ),
    ] = None,
    opponents: Annotated[
        int | None,
        typer.Option(
            "--opponents",
            "-n",
            min=1,
            max=9,
            metavar="N",
            help="Number of opponents with random cards.",
            show_default=False,
        ),
    ] = None,
    board: Board = "",
    deck: DeckName = "52",
    exact: Annotated[bool, typer.Option("--exact", help="Enumerate every deal; refuse if there are too many.")] = False,
    rollouts: Annotated[
        int | None, typer.Option(min=1, max=10**18, metavar="N", help="Number of random deals.", show_default=False)
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(
            metavar="ERROR",
            help="Deal at random until the standard error is at most this, like 0.0005.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**64 - 1, metavar="N", help="Seed of the random deals; implies rollouts.", show_default=False
        ),
    ] = None,
    server: OracleServer = None,
    as_json: AsJson = False,
) -> None:
    """Compute how often a holding or range wins.

    Without --vs or --opponents there is one opponent with random cards. The answer is exact where that is fast, and
    otherwise comes from a million rollouts. --exact, --rollouts and --error choose the method.

    riverboat equity AhKh --vs QQ+,AKs --board Td9d2c

    riverboat equity QQ+ --opponents 5 --error 0.0002
    """
    if exact and (rollouts is not None or error is not None or seed is not None):
        raise Refused("--exact does not go with --rollouts, --error or --seed")
    if error is not None and not 0 < error < 1:
        raise Refused(f"--error: must be above 0 and below 1, not {error}")
    deck_named(deck)
    others = [*(vs or []), *["random"] * (opponents or 0)] or ["random"]
    with card_answers(server, _NAMES) as client, progress_bar("dealing") as bar:
        result, used_seed = None, 0
        question = EquityText(
            deck=deck,
            board=board,
            hero=holding,
            opponents=others,
            exact=exact,
            rollout_count=rollouts,
            target_error=error,
            seed=seed,
        )
        for step, step_seed in client.equity(question):
            result, used_seed = step.equity, step_seed
            bar.show(step.done, f"{percent(result.equity)} ± {percent(result.error)}" if result else None)
    if result is None:
        raise Refused("the oracle gave no result")
    if as_json:
        about = {"deck": deck, "board": board, "hero": holding, "opponents": others}
        seed_or_none = None if result.exact else used_seed
        print_json({**about, **asdict(result), "lose": lose_share(result), "seed": seed_or_none})
        return
    print_equity(equity_title(holding, others, board, deck), result, used_seed)
    if error is not None and not result.exact and result.error > error:
        note(f"the error is above {error}: more --rollouts are needed")
