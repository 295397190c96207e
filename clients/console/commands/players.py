"""riverboat players: how the players of a store of hands play."""

from collections.abc import Callable
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.hands.scores import report_scores
from riverboat.clients.console.hands.store import HandStore
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import note, print_json, progress_bar
from riverboat.clients.console.views.players import player_dict, print_players, print_report
from riverboat.clients.console.views.players_page import players_page, report_page, scatter_pictures
from riverboat.clients.remote.refusals import Refused
from riverboat.opponents.player_statistics import PlayerStatistics, PlayerTally


class PlayerOrder(StrEnum):
    """The statistic that players are sorted by, the largest first."""

    HANDS = "hands"
    VPIP = "vpip"
    PFR = "pfr"
    AGGRESSION = "aggression"
    WIN_RATE = "win-rate"


_VALUES: dict[PlayerOrder, Callable[[PlayerStatistics], float]] = {
    PlayerOrder.HANDS: lambda player: player.hand_count,
    PlayerOrder.VPIP: lambda player: player.vpip,
    PlayerOrder.PFR: lambda player: player.pfr,
    PlayerOrder.AGGRESSION: lambda player: player.aggression,
    PlayerOrder.WIN_RATE: lambda player: player.win_rate,
}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(players)


def players(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="Folder that riverboat hands import writes.")],
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Report on one player.", show_default=False)
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seats", min=2, max=10, metavar="N", help="Only hands with this many players; repeatable."),
    ] = None,
    least: Annotated[
        int, typer.Option("--min-hands", min=1, metavar="N", help="Leave out players with fewer hands than this.")
    ] = 100,
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="Number of players to print.")] = 20,
    order: Annotated[PlayerOrder, typer.Option("--sort", help="Statistic to sort by, the largest first.")] = (
        PlayerOrder.HANDS
    ),
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="File for an HTML page that needs no other file.", show_default=False
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE", help="File for a picture of PFR over VPIP: .svg.", show_default=False
        ),
    ] = None,
    score: Annotated[
        bool, typer.Option("--score", help="Score the models of opponents on the moves in the store.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show how players play, from a store of hands.

    The statistics are VPIP, PFR, aggression, showdowns and win rates; docs/hands.md defines them. A win rate is in big
    blinds per hundred hands, with its 95 % interval. Rake is deducted if the files record it.

    riverboat players my-hands --min-hands 1000

    riverboat players my-hands --player Ann --html ann.html

    With --score it shows instead how well the models that ship foresee the moves in the store.

    riverboat players my-hands --score --json
    """
    if score:
        report_scores(HandStore(store), tuple(seats or ()), as_json)
        return
    check_target("--html", html, (".html",))
    check_target("--picture", picture, (".svg",))
    tally = _count(HandStore(store))
    if player is not None:
        _report(tally, store, player, html, as_json)
        return
    chosen = [each for each in tally.players(seats or ()) if each.hand_count >= least]
    value = _VALUES[order]
    chosen.sort(key=lambda each: (isnan(value(each)), -value(each), each.name))
    about = f"{len(chosen):,} players with at least {least:,} hands, of {tally.hand_count:,} hands in {store.name}"
    saved = [
        write("--html", html, lambda target: _write(target, players_page(f"Players of {store.name}", chosen, about))),
        write("--picture", picture, lambda target: _write(target, next(scatter_pictures(chosen)))),
    ]
    if as_json:
        print_json([player_dict(each) for each in chosen])
        return
    print_players(chosen, top)
    for line in (about, *filter(None, saved)):
        note(line)


def _count(store: HandStore) -> PlayerTally:
    store.check_parts()
    tally, part_count = PlayerTally(), len(store.part_paths())
    with progress_bar("hands") as bar:
        for place, part in enumerate(store.parts(), start=1):
            tally.add(part.columns)
            bar.show(place / part_count, f"{tally.hand_count:,} hands")
    return tally


def _report(tally: PlayerTally, store: Path, name: str, html: Path | None, as_json: bool) -> None:
    rows = tally.player(name)
    if not rows:
        raise Refused(f"--player: nobody is called {name[:40]!r} in {store}; riverboat players {store} lists the names")
    saved = write("--html", html, lambda target: _write(target, report_page(rows, f"hands in {store.name}")))
    if as_json:
        print_json([player_dict(row) for row in rows])
        return
    print_report(rows)
    if saved:
        note(saved)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
