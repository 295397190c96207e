"""Outcomes of conformance checks, for people and for programs."""

from itertools import groupby
from typing import TYPE_CHECKING, Any

from riverboat.clients.console.views.output import out

if TYPE_CHECKING:  # the checks need packages that not every installation has
    from riverboat.clients.conformance.runner import CheckOutcome


def print_outcomes(outcomes: list["CheckOutcome"]) -> None:
    """Print a line for each method, and two below it for each failed check."""
    for service, of_service in groupby(outcomes, lambda outcome: outcome.check.service):
        out.print(service, style="bold")
        for method, group in groupby(of_service, lambda outcome: outcome.check.method):
            of_method = list(group)
            wrong = [outcome for outcome in of_method if outcome.sentence]
            missing = next((outcome.verdict for outcome in wrong if outcome.verdict.name == "MISSING"), None)
            count = missing.value if missing else f"{len(of_method) - len(wrong)} of {len(of_method)}"
            out.print(f"  {method or 'the server itself':<18} {count}", style="yellow" if wrong else "", markup=False)
            for outcome in [] if missing else wrong:  # without the method the rest means little
                out.print(f"    {outcome.check.name}", style="red", markup=False, soft_wrap=True)
                out.print(f"      {outcome.sentence}", markup=False, soft_wrap=True)
    passed = sum(not outcome.sentence for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    out.print(f"passed {passed} of {len(outcomes)} in {seconds:.0f} seconds")


def outcomes_dict(service: str, server: str, outcomes: list["CheckOutcome"]) -> dict[str, Any]:
    """Return outcomes for programs."""
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
