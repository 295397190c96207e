"""Several boards solved as one report: a row for each, kept as it comes, so that the same command goes on."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from rich.table import Column, Table
from rich.text import Text

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.analysis.notation import notation_of
from riverboat.clients.console.study.report import mean_ev, pair_weights
from riverboat.clients.console.study.solutions import SolveOptions, solve_spot
from riverboat.clients.console.study.spot_files import SpotText, StudySpot, read_spot
from riverboat.clients.console.views.output import note, out, print_table
from riverboat.clients.console.views.text import cards_words
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import NodeAnswer, Step
from riverboat.rules.state import PublicState
from riverboat.solving.loop import Limits

_MOST_BOARDS = 2_000
_MEAN = "mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One solved board."""

    board: str
    pot: int
    evs: tuple[float, ...]  # chips, out of and in position
    frequencies: Mapping[str, float]  # of the first player's actions
    exploitability: float  # of the pot
    iterations: int


@dataclass(frozen=True, slots=True)
class ReportFile:
    """The rows of a report in a file, a line of JSON each, for one way of solving."""

    path: Path
    key: str

    def rows(self) -> dict[str, BoardRow]:
        """Return the rows that are there, by board; a line that was cut off is left out."""
        rows = {}
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise Refused(f"--report: {self.path}: {error.strerror or error}") from None
        for line in lines:
            try:
                entry = json.loads(line)
                if entry.pop("key") == self.key:
                    row = BoardRow(**{**entry, "evs": tuple(entry["evs"])})
                    rows[row.board] = row
            except (ValueError, TypeError, KeyError, AttributeError):
                continue
        return rows

    def add(self, row: BoardRow) -> None:
        """Add a row."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": self.key, **asdict(row)}) + "\n")
        except OSError as error:
            raise Refused(f"--report: {self.path}: {error.strerror or error}") from None


def read_boards(text: str) -> list[str]:
    """Return boards separated by commas; a single one is one."""
    boards = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if len(boards) > _MOST_BOARDS:
        raise Refused(f"--board: {len(boards):,} boards are too many for one report; the limit is {_MOST_BOARDS:,}")
    return boards


def report_key(text: SpotText, *others: object) -> str:
    """Return what tells one way of solving from another: everything but the board."""
    parts = [*map(str, asdict(replace(text, board="")).values()), *map(str, others)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def solve_boards(
    link: ResolverClient,
    boards: Sequence[str],
    text: SpotText,
    wanted: SolveOptions,
    limits_of: Callable[[int], Limits],
    file: ReportFile | None,
) -> Iterator[BoardRow]:
    """Yield a row for each board, solved now or earlier."""
    known = file.rows() if file else {}
    for place, board in enumerate(boards, start=1):
        study = read_spot(replace(text, board=board))
        name = format_cards(study.public.board)
        if name not in known:
            note(f"{cards_words(name)} ({place} of {len(boards)})")
            known[name] = _solved(link, study, wanted, limits_of(study.public.pot))
            if file:
                file.add(known[name])
        yield known[name]


def _solved(link: ResolverClient, study: StudySpot, wanted: SolveOptions, limits: Limits) -> BoardRow:
    solved = solve_spot(link, study, wanted, limits)
    node = link.node(solved.handle)
    link.release(solved.handle)
    return BoardRow(
        board=format_cards(study.public.board),
        pot=study.public.pot,
        evs=tuple(solved.evs),
        frequencies=frequencies_at(study.public, node),
        exploitability=solved.cost.exploitability / study.public.pot,
        iterations=solved.cost.iterations,
    )


def frequencies_at(public: PublicState, node: NodeAnswer) -> dict[str, float]:
    """Return how often the range of the player to act takes each action."""
    if node.player < 0:
        return {}
    weights = pair_weights(public.variant.deck, node)
    total = max(float(weights.sum()), 1e-12)
    rows = zip(node.actions, node.strategy, strict=True)
    return {notation_of(public, action): float((row * weights).sum()) / total for action, row in rows}


def print_rows(rows: Sequence[BoardRow], title: str = "board") -> None:
    """Print a table of boards: EVs in chips, and how often the first player takes each action."""
    actions = list(dict.fromkeys(action for row in rows for action in row.frequencies))
    right = [Column(name, justify="right") for name in ("EV oop", "EV ip", *actions, "expl.")]
    table = Table(title, *right, box=None, padding=(0, 2, 0, 0))
    for row in [*rows, *([_mean(rows)] if len(rows) > 1 else [])]:
        shares = (f"{100 * row.frequencies[action]:.0f} %" if action in row.frequencies else "-" for action in actions)
        error = f"{100 * row.exploitability:.2f} %" if np.isfinite(row.exploitability) else "-"
        table.add_row(
            Text(row.board if row.board == _MEAN else cards_words(row.board)),
            *(f"{ev:,.1f}" for ev in row.evs),
            *shares,
            error,
        )
    print_table(table)
    out.file.flush()


def _mean(rows: Sequence[BoardRow]) -> BoardRow:
    actions = dict.fromkeys(action for row in rows for action in row.frequencies)
    return BoardRow(
        board=_MEAN,
        pot=rows[0].pot,
        evs=tuple(float(np.mean([row.evs[player] for row in rows])) for player in (0, 1)),
        frequencies={action: float(np.mean([row.frequencies.get(action, 0) for row in rows])) for action in actions},
        exploitability=float(np.mean([row.exploitability for row in rows])),
        iterations=0,
    )


def run_out_rows(
    link: ResolverClient, handle: str, public: PublicState, path: tuple[Step, ...], node: NodeAnswer
) -> Iterator[BoardRow]:
    """Yield a row for each card that can be dealt at a node: what both ranges win, and what is done first."""
    for deal in node.deals:
        answer = link.node(handle, (*path, deal))
        yield BoardRow(
            board=deal,
            pot=answer.pot,
            evs=tuple(mean_ev(public, answer, player) for player in (0, 1)),
            frequencies=frequencies_at(public.deal(tuple(parse_cards(deal))), answer),
            exploitability=float("nan"),
            iterations=0,
        )
