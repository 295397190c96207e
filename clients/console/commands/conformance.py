"""riverboat conformance: check a server against its contract."""

import time
from typing import TYPE_CHECKING, Annotated

import grpc
import typer

from riverboat.clients.bots.settings import host_key
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.conformance import outcomes_dict, print_outcomes
from riverboat.clients.console.views.output import print_json, progress_bar, waiting
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.installation import how_to_install

if TYPE_CHECKING:
    from riverboat.clients.conformance.runner import CheckOutcome

EXIT_WRONG = 1
_CONNECT_SECONDS = 5
_START_SECONDS = 300  # a server may have to compile something first


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(conformance)


def conformance(
    service: Annotated[
        str, typer.Argument(metavar="SERVICE", help="Contract to check: oracle, gamemanager, resolver or trainer.")
    ],
    server: Annotated[str, typer.Option("--server", metavar="HOST:PORT", help="Server to check.")],
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="METHOD", help="Run only the checks of this method.", show_default=False),
    ] = None,
    given_key: Annotated[
        str | None,
        typer.Option(
            "--host-key",
            metavar="KEY",
            help="Key that a game manager asks of agent hosts; default: RIVERBOAT_GAMEMANAGER_HOST_KEY, or the key "
            "that riverboat up made.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a server against its contract.

    Tests your own oracle, game manager, resolver or trainer, written in any language. The checks call every method of
    the contract, compare the answers with what the contract says, and print every deviation. Exit code 0 if all checks
    pass, 1 if one fails, 2 if no server answers.

    riverboat conformance oracle --server 127.0.0.1:50051

    riverboat conformance oracle --server 127.0.0.1:50051 --only Classify
    """
    outcomes = _run(service, server, only, host_key(server) if given_key is None else given_key)
    if as_json:
        print_json(outcomes_dict(service, server, outcomes))
    else:
        print_outcomes(outcomes)
    if any(outcome.sentence for outcome in outcomes):
        raise typer.Exit(EXIT_WRONG)


def _run(service: str, address: str, only: str | None, key: str) -> list["CheckOutcome"]:
    """Run all checks behind a progress bar, and return their outcomes."""
    try:  # here, because they load kernels and what only servers need otherwise
        from riverboat.clients.conformance.contracts import NAMES, checks_of
        from riverboat.clients.conformance.runner import run_check
        from riverboat.clients.conformance.server import Server, open_channel
    except ModuleNotFoundError as error:
        raise Refused(f"checks need {error.name}: {how_to_install('serving')}") from None
    if service not in NAMES:
        raise Refused(f"SERVICE: no contract is called {service!r}; the contracts are {', '.join(NAMES)}")
    checks = [check for check in checks_of(service) if only in (None, check.method)]
    if not checks:
        methods = dict.fromkeys(check.method for check in checks_of(service) if check.method)
        raise Refused(f"--only: the contract has no method {only!r}; its methods are {', '.join(methods)}")
    outcomes: list[CheckOutcome] = []
    with open_channel(address) as channel:
        _wait_for(channel, service, address)
        asked = Server(channel, address, key)
        with progress_bar("checking…") as bar:
            for check in checks:
                bar.show(len(outcomes) / len(checks), f"{check.method or 'server'}: {check.name}")
                outcomes.append(run_check(asked, check))
    return outcomes


def _wait_for(channel: grpc.Channel, service: str, address: str) -> None:
    """Wait until the server answers and reports that it is ready."""
    from riverboat.clients.conformance.server import listens
    from riverboat.clients.conformance.vitals import is_starting

    if not listens(channel, _CONNECT_SECONDS):
        raise Refused(f"no {service} answers at {address}")
    give_up = time.monotonic() + _START_SECONDS
    with waiting(f"the {service} at {address} is starting…"):
        while is_starting(channel) and time.monotonic() < give_up:
            time.sleep(0.2)
