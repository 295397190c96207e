"""What fits instead of a spot that is too large: sizes, 16 bits, or a cut, each with its memory and time."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import grpc

from riverboat.clients.console.option_values import read_sizes
from riverboat.clients.console.study.solutions import SolveOptions, solve_spot
from riverboat.clients.console.study.spot_files import StudySpot, placed
from riverboat.clients.console.views.output import err, say
from riverboat.clients.console.views.runs import duration
from riverboat.clients.remote.refusals import Refused, reason_of
from riverboat.clients.remote.resolver import ResolverClient, place_beyond
from riverboat.contracts.resolver import EQUITY, NETWORK, Solved
from riverboat.errors import RiverboatError
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.depth import Depth
from riverboat.solving.loop import Limits
from riverboat.solving.memory import Precision, bytes_needed
from riverboat.spots.spot import Spot, build
from riverboat.streets import STREETS

_SIZES = ("50%,100%,a", "50%,100%; a", "50%,a", "75%; a", "100%; a", "100%;")  # from rich to poor
_TOO_LARGE = re.compile(r"the solver needs .*?\(([\d,]+) bytes\); the limit is ([\d,]+) bytes")
_THREADS = 2
_BYTES_A_SECOND = 2.5e9  # of regrets that two cores go through; docs/studying.md says how it was measured
_ITERATIONS = 150  # to 0.3 % of the pot, about
_MOST, _MOST_SIZES = 4, 2  # offers, and those with other sizes
LIMIT = "RIVERBOAT_RESOLVER_MEMORY_MEGABYTES"


@dataclass(frozen=True, slots=True)
class Shortage:
    """A spot that needs more memory than the resolver has."""

    needed: int  # bytes
    limit: int


@dataclass(frozen=True, slots=True, eq=False)
class SmallerSolve:
    """A way to solve a spot that fits."""

    words: str  # as options
    about: str  # what is lost
    spot: StudySpot
    options: SolveOptions
    byte_count: int
    seconds: float

    def line(self) -> str:
        """Return the offer for people."""
        size = f"{self.byte_count / 1e9:.1f} GB" if self.byte_count >= 1e8 else f"{self.byte_count / 1e6:.0f} MB"
        return f"{self.words:36} {size:>7}, about {duration(self.seconds):8} {self.about}"


def shortage_of(error: grpc.RpcError) -> Shortage | None:
    """Return what is short, if an error says that a spot is too large for the resolver."""
    match = _TOO_LARGE.search(reason_of(error))
    return Shortage(*(int(digits.replace(",", "")) for digits in match.groups())) if match else None


def offers(link: ResolverClient, spot: StudySpot, wanted: SolveOptions, limit: int) -> list[SmallerSolve]:
    """Return ways to solve a spot in a number of bytes, those nearest to what was wanted first."""
    return list(_fitting(link, spot, wanted, limit))[:_MOST]


def _fitting(link: ResolverClient, spot: StudySpot, wanted: SolveOptions, limit: int) -> Iterator[SmallerSolve]:
    if offer := _whole(spot, wanted, spot.sizes, "", limit):
        yield offer
    count = 0
    for text in _SIZES:
        sizes = placed(read_sizes("--sizes", text), spot.public)
        offer = _whole(spot, wanted, sizes, f'--sizes "{text}"', limit)
        if offer and str(sizes) != str(spot.sizes) and count < _MOST_SIZES:
            count += 1
            yield offer
    yield from _cuts(link, spot, wanted, limit)


def _whole(spot: StudySpot, wanted: SolveOptions, sizes: BetSizes, words: str, limit: int) -> SmallerSolve | None:
    """Return the offer of some sizes to the end of the hand, in 32 bits if they fit, else in 16."""
    smaller = replace(spot, sizes=sizes)
    for short in (False, True) if words else (True,):
        byte_count, seconds = _cost(smaller, None, short)
        if 0 < byte_count <= limit and not wanted.locks:
            options = " ".join(filter(None, (words, "--short" if short else "")))
            about = "fewer sizes" if words else "16 bits"
            return SmallerSolve(options, about, smaller, replace(wanted, short_storage=short), byte_count, seconds)
    return None


def _cuts(link: ResolverClient, spot: StudySpot, wanted: SolveOptions, limit: int) -> Iterator[SmallerSolve]:
    """Yield offers that end before a later street is dealt, with a network for what follows where there is one."""
    for street in range(spot.public.street + 1, len(STREETS)):
        name = STREETS[street]
        place = place_beyond(spot.public)
        has_network = street == spot.public.street + 1 and place is not None and link.has_network(*place)
        leaf = NETWORK if has_network else EQUITY
        byte_count, seconds = _cost(spot, Depth(street, int(has_network)), False)
        if 0 < byte_count <= limit:
            words = f"--cut {name}" + (" --below network" if has_network else "")
            what = "a network values what follows" if has_network else "no bets after the cut"
            options = replace(wanted, depth=(street, int(has_network)), leaf=leaf)
            yield SmallerSolve(words, what, spot, options, byte_count, seconds)


def _cost(spot: StudySpot, depth: Depth | None, short: bool) -> tuple[int, float]:
    """Return the bytes that solving takes, and about how many seconds; 0 for a tree that cannot be counted."""
    try:
        built = build(Spot(spot.public, spot.ranges, spot.sizes, depth))
    except RiverboatError:
        return 0, 0.0
    single = bytes_needed(built.subgame, Precision.SINGLE, False, _THREADS)
    precision = Precision.SHORT if short else Precision.SINGLE
    seconds = max(1.0, _ITERATIONS * single / _BYTES_A_SECOND)
    return bytes_needed(built.subgame, precision, False, _THREADS), seconds


def solve_what_fits(
    link: ResolverClient, spot: StudySpot, wanted: SolveOptions, limits: Limits
) -> tuple[StudySpot, Solved]:
    """Solve a spot; if it is too large, say what fits, and solve what a person at the terminal chooses."""
    try:
        return spot, solve_spot(link, spot, wanted, limits)
    except grpc.RpcError as error:
        shortage = shortage_of(error)
        if shortage is None:
            raise
    fitting = offers(link, spot, wanted, shortage.limit)
    head, *lines = shortage_words(shortage, fitting)
    say(head)
    for line in lines:
        say(line)
    chosen = _choice(fitting)
    if chosen is None:
        raise Refused("nothing was solved")
    return chosen.spot, solve_spot(link, chosen.spot, chosen.options, limits)


def _choice(fitting: Sequence[SmallerSolve]) -> SmallerSolve | None:
    """Return the offer that a person chooses; None without one, and in a pipe."""
    while fitting and sys.stdin.isatty() and err.is_terminal:
        try:
            word = err.input("a number solves it that way, Enter ends: ").strip()
        except EOFError:
            return None
        if not word or word.lower() in ("q", "quit"):
            return None
        if word.isdecimal() and 1 <= int(word) <= len(fitting):
            return fitting[int(word) - 1]
    return None


def shortage_words(shortage: Shortage, fitting: Sequence[SmallerSolve]) -> list[str]:
    """Return what is too large, what fits, and the setting of the limit."""
    head = f"this spot needs {shortage.needed / 1e9:.1f} GB, and the resolver may use {shortage.limit / 1e9:.1f} GB"
    more = f"{LIMIT}={-(-shortage.needed // 10**6) + 100} allows the whole of it, where the machine has that much"
    lines = [f"  {number}  {offer.line()}" for number, offer in enumerate(fitting, start=1)]
    return [f"{head}. What fits:" if fitting else f"{head}; nothing smaller fits", *lines, more]
