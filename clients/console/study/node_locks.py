"""Locks: nodes whose strategy is fixed, as people write them.

"x: f=40 c=60"            after a check: everything folds 40 % and calls 60 %
"root: QQ+,AKs: b50=100"  these holdings bet 50 at the root; another lock without a range is for the rest
"""

from typing import NamedTuple

import numpy as np

from riverboat.clients.console.study.spot_files import StudySpot
from riverboat.clients.console.study.steps import read_path, read_step
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.resolver import Step
from riverboat.errors import RiverboatError
from riverboat.holdings import holdings_of, live_holdings
from riverboat.ranges import parse_range
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64

_WHOLE = 100.0
_CLOSE = 0.01


class _Node(NamedTuple):
    """A locked node: the first lock that names it, its state, and its strategy."""

    text: str
    public: PublicState
    strategy: F64  # [A, H]


def read_locks(texts: list[str], spot: StudySpot) -> list[tuple[tuple[Step, ...], F64]]:
    """Return paths and their strategies [A, H], from all --lock options together."""
    nodes: dict[tuple[Step, ...], _Node] = {}
    rest: list[tuple[tuple[Step, ...], F64]] = []
    for text in texts:
        path, public, range_text, chances = _read(text, spot)
        empty = np.zeros((len(chances), holdings_of(public.variant.deck).count))
        strategy = nodes.setdefault(path, _Node(text, public, empty)).strategy
        if range_text is None:
            rest.append((path, chances))
        else:
            strategy[:, _range(range_text, public) > 0] = chances[:, None]
    for path, chances in rest:  # holdings without a lock of their own
        strategy = nodes[path].strategy
        strategy[:, strategy.sum(axis=0) == 0] = chances[:, None]
    for node in nodes.values():
        _check_whole(node)
    return [(path, node.strategy) for path, node in nodes.items()]


def _read(text: str, spot: StudySpot) -> tuple[tuple[Step, ...], PublicState, str | None, F64]:
    """Return path, state, range and chances of one lock."""
    parts = [part.strip() for part in text.split(":")]
    if len(parts) not in (2, 3):
        raise Refused(f"--lock: {text[:60]!r}: write LINE: ACTION=PERCENT …, or LINE: RANGE: ACTION=PERCENT …")
    try:
        path, public = read_path(parts[0], spot.public, spot.sizes)
        chances = _chances(parts[-1], public, spot)
    except (Refused, RiverboatError) as error:
        raise Refused(f"--lock: {text[:60]!r}: {error}") from None
    return path, public, parts[1] if len(parts) == 3 else None, chances


def _chances(text: str, public: PublicState, spot: StudySpot) -> F64:
    actions = restricted_actions(public, spot.sizes)
    if not actions:
        raise Refused("no player acts there")
    percents = np.zeros(len(actions))
    for item in text.replace(",", " ").split():
        word, equals, percent = item.partition("=")
        step = read_step(word, public, spot.sizes)
        try:
            share = float(percent.rstrip("%")) if equals else _WHOLE
        except ValueError:
            raise Refused(f"{item[:20]!r}: write a percentage, like c=60") from None
        if isinstance(step, str) or not 0 <= share <= _WHOLE:
            raise Refused(f"{item[:20]!r}: must be from 0 to 100")
        percents[actions.index(step)] = share
    if abs(percents.sum() - _WHOLE) > _CLOSE:
        raise Refused(f"the percentages add up to {percents.sum():g}, not to 100")
    shares: F64 = percents / percents.sum()
    return shares


def _range(text: str, public: PublicState) -> F64:
    try:
        weights: F64 = parse_range(text, public.variant.deck).astype(np.float64)
        return weights
    except RiverboatError as error:
        raise Refused(f"--lock: {error}") from None


def _check_whole(node: _Node) -> None:
    live = live_holdings(node.public.variant.deck, node.public.board)
    missing = int((node.strategy[:, live].sum(axis=0) == 0).sum())
    if missing:
        raise Refused(
            f"--lock: {node.text[:60]!r}: {missing} other holdings have no lock; "
            "add one for the same line without a range"
        )
    node.strategy[0, ~live] = 1.0  # impossible on this board
