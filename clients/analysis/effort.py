"""The effort of a re-solving agent's decisions, where the caller sets it; the plans choose the rest."""

import re
from dataclasses import dataclass, replace

from riverboat.contracts.resolver import EQUITY, is_network_name
from riverboat.errors import InvalidInput

APART = "+"  # between the words of an effort
_CUT = "cut"
_ITERATIONS = re.compile(r"[1-9][0-9]{0,5}")
_SECONDS = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)s")
_LEAST_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How to solve, where the caller sets it; None and empty leave the choice to the plans."""

    leaf: str = ""  # what lies below a cut: "equity", or names of networks joined by "+"
    is_cut: bool = False  # whether every street with more than one to follow is cut, also where solving to the end fits
    iterations: int | None = None  # of each solution
    seconds: float | None = None  # of solving, for a decision

    @property
    def may_be_exact(self) -> bool:
        """Whether a flop may be solved to the end of the hand: not if the caller names the estimate below its cut."""
        return not self.is_cut and not self.leaf


AS_PLANNED = Effort()


def parse_effort(text: str) -> Effort:
    """Read words joined by "+": "equity", names of networks, "cut", iterations (1000) or seconds (2s)."""
    effort, names = Effort(), []
    for word in text.split(APART):
        seconds = _SECONDS.fullmatch(word)
        if word == EQUITY or is_network_name(word):
            names.append(word)
        elif word == _CUT:
            effort = replace(effort, is_cut=True)
        elif _ITERATIONS.fullmatch(word):
            effort = replace(effort, iterations=int(word))
        elif seconds and float(seconds[1]) >= _LEAST_SECONDS:
            effort = replace(effort, seconds=float(seconds[1]))
        else:
            raise InvalidInput("", f"{word[:30]!r} is not a network, a number of iterations or a time such as 2s")
    if EQUITY in names and len(names) > 1:
        raise InvalidInput("", f"{EQUITY} means that no network is used, so no network can be named beside it")
    if effort.iterations and effort.seconds:
        raise InvalidInput("", "give iterations or seconds, not both")
    return replace(effort, leaf=APART.join(names))
