"""riverboat runs: list and control training runs."""

from typing import Annotated

import typer
from rich.table import Table

from riverboat.clients.console.options import DATA_FOLDER, AsJson, DataFolder, TrainerServer
from riverboat.clients.console.servers import trainer
from riverboat.clients.console.views.output import note, out, print_json, print_table
from riverboat.clients.console.views.runs import run_as_dict, run_line, what_it_trains
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.remote.refusals import Refused

_RUN = "RUN"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(runs)


def runs(
    pause: Annotated[
        str | None, typer.Option(metavar=_RUN, help="Pause this run: send no new jobs.", show_default=False)
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar=_RUN, help="Resume this run.", show_default=False)] = None,
    cancel: Annotated[
        str | None, typer.Option(metavar=_RUN, help="Cancel this run; samples stay.", show_default=False)
    ] = None,
    drop: Annotated[
        str | None,
        typer.Option(
            metavar=_RUN,
            help="Forget a run that is over or cannot start; samples and networks stay.",
            show_default=False,
        ),
    ] = None,
    folder: DataFolder = DATA_FOLDER,
    server: TrainerServer = None,
    as_json: AsJson = False,
) -> None:
    """List training runs; pause, resume, cancel or drop one.

    Without a running trainer, lists the runs in --folder and continues none of them; riverboat train --run continues
    one.

    riverboat runs

    riverboat runs --server 127.0.0.1:50054 --pause 3f2a91c0
    """
    if not (server or server_in_environment("trainer") or folder.is_dir()):
        raise Refused(f"there are no runs: no folder {folder}, and no trainer in --server or RIVERBOAT_TRAINER_SERVER")
    with trainer(server, folder, 0, {"run_id": _RUN}, conducts=False) as link:
        for what, run_id in (("pause", pause), ("resume", resume), ("cancel", cancel), ("drop", drop)):
            if run_id is not None:
                link.change(what, run_id)
        statuses = link.runs()
    if as_json:
        print_json([run_as_dict(run) for run in statuses])
        return
    if not statuses:
        out.print("no runs yet")
        note("riverboat train starts one")
        return
    table = Table("run", "trains", "stage", "", box=None, padding=(0, 2, 0, 0))
    for run in statuses:
        table.add_row(run.run_id, what_it_trains(run.plan), run.stage.value, run_line(run))
    print_table(table)
