"""riverboat conformance: what a server that claims to fulfil a contract still gets wrong."""

import time
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import grpc
import typer

from riverboat.clients.bots.settings import host_key
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import out, print_json, progress_bar, waiting
from riverboat.clients.remote.refusals import Refused
from riverboat.installation import how_to_install

if TYPE_CHECKING:
    from riverboat.clients.conformance.runner import CheckOutcome

EXIT_WRONG = 1
_CONNECT_SECONDS = 5
_START_SECONDS = 300  # a server may have to compile something first


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(conformance)


def conformance(
    service: Annotated[str, typer.Argument(metavar="SERVICE", help="oracle, gamemanager, resolver or trainer.")],
    server: Annotated[str, typer.Option("--server", metavar="HOST:PORT", help="The server to check.")],
    only: Annotated[
        str | None, typer.Option("--only", metavar="METHOD", help="Only checks of this method.", show_default=False)
    ] = None,
    given_key: Annotated[
        str | None,
        typer.Option(
            "--host-key", help="A game manager's key for hosts; without it as for an agent host.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a server against a contract, and print what it still gets wrong.

    For your own oracle, game manager, resolver or trainer, in any language. Every method of the contract is asked, and
    what comes back is compared with what the contract says. Exit code 0 if all is right, 1 if something is wrong, 2 if
    no server answers.

    riverboat conformance oracle --server 127.0.0.1:50051

    riverboat conformance oracle --server 127.0.0.1:50051 --only Classify
    """
    outcomes = _run(service, server, only, host_key(server) if given_key is None else given_key)
    if as_json:
        print_json(_as_dict(service, server, outcomes))
    else:
        _print(outcomes)
    if any(outcome.sentence for outcome in outcomes):
        raise typer.Exit(EXIT_WRONG)


def _run(service: str, address: str, only: str | None, key: str) -> list["CheckOutcome"]:
    """All checks with a bar that shows how far it is; their outcomes."""
    try:  # here, because they load kernels and what only servers need otherwise
        from riverboat.clients.conformance.contracts import NAMES, checks_of
        from riverboat.clients.conformance.runner import run_check
        from riverboat.clients.conformance.server import Server, open_channel
    except ModuleNotFoundError as error:
        raise Refused(f"checks need {error.name}: {how_to_install('serving')}") from None
    if service not in NAMES:
        raise Refused(f"SERVICE: no contract is called {service!r}; they are {', '.join(NAMES)}")
    checks = [check for check in checks_of(service) if only in (None, check.method)]
    if not checks:
        methods = dict.fromkeys(check.method for check in checks_of(service) if check.method)
        raise Refused(f"--only: the contract has no method {only!r}; they are {', '.join(methods)}")
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
    """Wait until the server answers, and as long as it says that it is not ready yet."""
    from riverboat.clients.conformance.server import listens
    from riverboat.clients.conformance.vitals import is_starting

    if not listens(channel, _CONNECT_SECONDS):
        raise Refused(f"no {service} answers at {address}")
    give_up = time.monotonic() + _START_SECONDS
    with waiting(f"the {service} at {address} says that it is not ready yet…"):
        while is_starting(channel) and time.monotonic() < give_up:
            time.sleep(0.2)


def _print(outcomes: list["CheckOutcome"]) -> None:
    """A line for each method, and below it one for each thing that is wrong."""
    for service, of_service in groupby(outcomes, lambda outcome: outcome.check.service):
        out.print(service, style="bold")
        for method, group in groupby(of_service, lambda outcome: outcome.check.method):
            found = list(group)
            wrong = [outcome for outcome in found if outcome.sentence]
            is_missing = any(outcome.verdict.name == "MISSING" for outcome in found)  # then the rest means little
            count = "not there yet" if is_missing else f"{len(found) - len(wrong)} of {len(found)}"
            out.print(f"  {method or 'the server itself':<18} {count}", style="yellow" if wrong else "", markup=False)
            for outcome in [] if is_missing else wrong:
                out.print(f"    {outcome.check.name}", style="red", markup=False, soft_wrap=True)
                out.print(f"      {outcome.sentence}", markup=False, soft_wrap=True)
    passed = sum(not outcome.sentence for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    out.print(f"passed {passed} of {len(outcomes)} in {seconds:.0f} seconds")


def _as_dict(service: str, server: str, outcomes: list["CheckOutcome"]) -> dict[str, Any]:
    return {
        "contract": service,
        "server": server,
        "passed": sum(not outcome.sentence for outcome in outcomes),
        "count": len(outcomes),
        "checks": [
            {
                "service": outcome.check.service,
                "method": outcome.check.method,
                "name": outcome.check.name,
                "verdict": outcome.verdict.value,
                "sentence": outcome.sentence,
                "seconds": round(outcome.seconds, 3),
            }
            for outcome in outcomes
        ],
    }
