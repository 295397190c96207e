"""Cheat sheets: the equity of every starting-hand class against a number of opponents."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, check_board
from riverboat.contracts.oracle import Cell, Equity
from riverboat.equity.enumeration import EXACT_LIMIT, enumerate_deals
from riverboat.equity.matchup import check_opponent_count, matchup
from riverboat.equity.rollouts import check_rollouts, rollout_steps
from riverboat.errors import InvalidInput, in_field
from riverboat.holdings import holdings_of_class, live_holdings
from riverboat.parallel import Runner, serial


class SheetStep(NamedTuple):
    """How much of a sheet is done, 0 to 1, and a cell if there is a new one."""

    done: float
    cell: Cell | None


def cell_count(deck: Deck, board: Sequence[int], opponent_counts: Sequence[int]) -> int:
    """Return how many cells a sheet has: classes with no holding left on the board have none."""
    return len(_classes(deck, board)) * len(opponent_counts)


def cheat_sheet(
    deck: Deck,
    board: Sequence[int],
    opponent_counts: Sequence[int],
    rollout_count: int,
    rng: np.random.Generator,
    exact_heads_up: bool = True,
    run: Runner = serial,
    exact_limit: int = EXACT_LIMIT,
) -> Iterator[SheetStep]:
    """Yield the cells of a sheet, one opponent count after another, with progress in between.

    Against one opponent the sheet is exact unless `exact_heads_up` is off; against more it comes from
    `rollout_count` rollouts for each cell.
    """
    _check(deck, board, opponent_counts, rollout_count)
    for place, opponent_count in enumerate(opponent_counts):
        if opponent_count == 1 and exact_heads_up:
            steps = _exact_cells(deck, board, run, exact_limit)
        else:
            steps = _rolled_cells(deck, board, opponent_count, rollout_count, rng, run)
        for done, cell in steps:
            yield SheetStep((place + done) / len(opponent_counts), cell)


def _rolled_cells(
    deck: Deck, board: Sequence[int], opponent_count: int, rollout_count: int, rng: np.random.Generator, run: Runner
) -> Iterator[SheetStep]:
    classes = _classes(deck, board)
    for place, (label, members) in enumerate(classes.items()):
        question = matchup(deck, board, _range(deck, members), [None] * opponent_count)
        for step in rollout_steps(question, rng, rollout_count, run=run):
            equity = step.equity if step.done == 1 else None
            cell = _cell(label, opponent_count, members, equity) if equity else None
            yield SheetStep((place + step.done) / len(classes), cell)


def _cell(label: str, opponent_count: int, members: NDArray[np.int64], equity: Equity) -> Cell:
    return Cell(label=label, opponent_count=opponent_count, holding_count=len(members), equity=equity)


def _check(deck: Deck, board: Sequence[int], opponent_counts: Sequence[int], rollout_count: int) -> None:
    if not deck.is_holdem:
        raise InvalidInput("deck", f"cheat sheets are for decks with two private cards, not {deck.name}")
    with in_field("board"):
        check_board(deck, board)
    if not opponent_counts or len(set(opponent_counts)) != len(opponent_counts):
        raise InvalidInput("opponent_counts", "must be different numbers, at least one")
    with in_field("opponent_counts"):
        for count in opponent_counts:
            check_opponent_count(deck, count)
    check_rollouts(rollout_count, 0.0)


def _classes(deck: Deck, board: Sequence[int]) -> dict[str, NDArray[np.int64]]:
    """Return the holdings of each class that the board leaves, without classes that have none."""
    live = live_holdings(deck, board)
    classes = {label: members[live[members]] for label, members in holdings_of_class(deck).items()}
    return {label: members for label, members in classes.items() if len(members)}


def _range(deck: Deck, members: NDArray[np.int64]) -> NDArray[np.float32]:
    weights = np.zeros(len(live_holdings(deck, ())), np.float32)
    weights[members] = 1
    return weights


def _exact_cells(deck: Deck, board: Sequence[int], run: Runner, limit: int) -> Iterator[SheetStep]:
    """Yield all classes at once: one enumeration of every holding against a random one."""
    live = live_holdings(deck, board)
    question = matchup(deck, board, live.astype(np.float32), [None])
    for done, enumeration in enumerate_deals(question, run, limit):
        if enumeration is None:
            yield SheetStep(done, None)
            continue
        place = {int(hero): i for i, hero in enumerate(enumeration.heroes)}
        for label, members in _classes(deck, board).items():
            rows = [place[int(member)] for member in members]
            weight = enumeration.weights[rows].sum()
            win, tie, _ = enumeration.totals[rows].sum(axis=0) / weight
            exact = Equity(
                win=float(win),
                tie=float(tie),
                equity=float(win + tie / 2),
                error=0.0,
                deal_count=int(weight),
                exact=True,
            )
            yield SheetStep(done, _cell(label, 1, members, exact))
