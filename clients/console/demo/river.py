"""The last stop: a river is solved, and exploitability falls."""

from math import isfinite, log

from rich.text import Text

from riverboat.clients.console.study.report import summary
from riverboat.clients.console.study.spot_files import SpotText, read_spot
from riverboat.clients.console.views.output import out
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import Solved
from riverboat.solving.loop import Limits

SPOT = SpotText(
    board="Td9d6hQc2s", pot=100, stack=400, oop="22+,A2s+,KTs+", ip="22+,A8s+,KQo", sizes="50%,100%,a", deck="52"
)
TARGET = 0.001  # of the pot
_FALLS = 0.5  # print a line whenever it is at most this share of the last one
_WIDTH = 40  # columns of the longest bar


def solve_river(link: ResolverClient) -> None:
    """Solve the spot; print how exploitability falls, and the first player's strategy."""
    spot = read_spot(SPOT)
    pot, last, shown = spot.public.pot, None, float("inf")
    for step in link.solve(spot.public, str(spot.sizes), spot.ranges, Limits(None, TARGET * pot, None)):
        last, worth = step, step.cost.exploitability
        if isfinite(worth) and (worth <= _FALLS * shown or step.handle):
            shown = worth
            out.print(_line(step, pot))
    if last is None or not last.handle:
        raise Refused("the resolver returned no solution")
    out.print()
    out.print(summary(spot.public, link.node(last.handle)))
    link.release(last.handle)


def _line(step: Solved, pot: int) -> Text:
    """Return a line of progress, with a bar on a logarithmic scale."""
    share = step.cost.exploitability / pot
    length = round(_WIDTH * log(max(share, TARGET / 2) / (TARGET / 2)) / log(2 / TARGET))
    text = Text(f"{step.cost.iterations:6,} iterations  {100 * share:7.3f} % of the pot  ")
    return text.append("━" * max(0, min(_WIDTH, length)), style="cyan")
