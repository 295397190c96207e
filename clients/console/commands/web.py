"""riverboat web: the page in a browser."""

import webbrowser
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.console.games import names_in
from riverboat.clients.console.options import DATA_FOLDER, DataFolder, GameServer
from riverboat.clients.console.views.output import note, out, waiting
from riverboat.clients.local.laboratory import private_laboratory, running_laboratory
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.installation import how_to_install

_PORT = 8642
_LIBRARIES = ("starlette", "uvicorn", "websockets", "anyio")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(web)


def web(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="PORT", help="Port; 0 picks a free one.")
    ] = _PORT,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address to listen at; others need a password or TLS.")
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    experiment: Annotated[
        str | None,
        typer.Option("--experiment", metavar="NAME", help="Run an experiment with people.", show_default=False),
    ] = None,
    agents: Annotated[
        str, typer.Option("--agents", metavar="AGENTS", help="Agents that participants are drawn to play.")
    ] = "rollout",
    hands: Annotated[
        int, typer.Option("--hands", min=1, max=100_000, metavar="N", help="Hands that a participant may play.")
    ] = 500,
    questions_after: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="Hands after which the questionnaire is offered.")
    ] = 100,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="PEM file of the certificate, for TLS.", show_default=False)
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="PEM file of the certificate's key.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Serve others without password and TLS.")] = False,
    folder: DataFolder = DATA_FOLDER,
    server: GameServer = None,
) -> None:
    """Play, watch, study and learn in a browser.

    Starts the services it needs, serves the page on this machine, prints its address and opens it. With --experiment
    people sign up and play a hidden agent heads-up, 100 big blinds deep in every hand; the results have a page of their
    own, and the command prints its key. RIVERBOAT_WEB_PASSWORD sets a password for the page.

    riverboat web

    riverboat web --port 8000 --no-open

    riverboat web --experiment autumn --agents rollout,resolver --hands 500
    """
    try:
        from riverboat.clients.web.experiment.plan import new_plan
        from riverboat.clients.web.launching import Launch
    except ModuleNotFoundError as error:
        if error.name not in _LIBRARIES:
            raise
        raise Refused(f"the page needs {error.name}; to install it: {how_to_install('web')}") from None
    plan = new_plan(experiment, tuple(names_in(agents)), hands, questions_after, folder) if experiment else None
    launch = Launch(host=host, port=port, certificate=certificate, key=key, force=force, experiment=plan)
    launch.check()
    address = server or server_in_environment("gamemanager")
    chosen = running_laboratory(address, folder, waiting) if address else private_laboratory(folder, waiting)
    with chosen as laboratory:
        launch.check_agents(laboratory.games.agents())
        launch.run(laboratory, partial(_announce, no_open=no_open))


def _announce(address: str, more: str, *, no_open: bool) -> None:
    """Print the address, and open it where there is a desktop."""
    from riverboat.clients.web.settings import has_desktop

    out.print(address, highlight=False, soft_wrap=True)
    if more:
        out.print(more, highlight=False, soft_wrap=True, markup=False)
    note("Ctrl-C stops it")
    if not no_open and has_desktop():
        webbrowser.open(address)
