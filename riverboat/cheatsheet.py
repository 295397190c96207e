"""Cheat sheets: the chance to win of every starting-hand class against a number of opponents."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.answers import Cell, Equity
from riverboat.cards import Deck, check_board
from riverboat.equity.exact import enumerate_deals
from riverboat.equity.matchup import MOST_OPPONENTS, matchup
from riverboat.equity.rollouts import MOST_ROLLOUTS, rollout_steps
from riverboat.errors import InvalidInput, in_field
from riverboat.holdings import holdings_of_class, live_holdings
from riverboat.parallel import Run, serial


def cell_count(deck: Deck, board: Sequence[int], opponent_counts: Sequence[int]) -> int:
    """How many cells a sheet has: classes with no holding left on the board have none."""
    return len(_classes(deck, board)) * len(opponent_counts)


def cheat_sheet(
    deck: Deck,
    board: Sequence[int],
    opponent_counts: Sequence[int],
    rollout_count: int,
    rng: np.random.Generator,
    exact_heads_up: bool = True,
    run: Run = serial,
) -> Iterator[Cell | None]:
    """The cells of a sheet, one opponent count after another; None now and then while one is worked on.

    Against one opponent the sheet is exact unless `exact_heads_up` is off; against more it comes from
    `rollout_count` rollouts for each cell.
    """
    _check(deck, board, opponent_counts, rollout_count)
    for opponent_count in opponent_counts:
        if opponent_count == 1 and exact_heads_up:
            yield from _exact_cells(deck, board, run)
        else:
            for label, members in _classes(deck, board).items():
                question = matchup(deck, board, _range(deck, members), [None] * opponent_count)
                for step in rollout_steps(question, rng, rollout_count, run=run):
                    if step.done < 1:
                        yield None
                    elif step.equity:
                        yield Cell(label, opponent_count, len(members), step.equity)


def _check(deck: Deck, board: Sequence[int], opponent_counts: Sequence[int], rollout_count: int) -> None:
    if not deck.is_holdem:
        raise InvalidInput("deck", f"cheat sheets are for decks with two private cards, not {deck.name}")
    with in_field("board"):
        check_board(deck, board)
    if not opponent_counts or len(set(opponent_counts)) != len(opponent_counts):
        raise InvalidInput("opponent_counts", "must be different numbers, at least one")
    for count in opponent_counts:
        if not 1 <= count <= MOST_OPPONENTS:
            raise InvalidInput("opponent_counts", f"must be between 1 and {MOST_OPPONENTS}, not {count}")
    if not 1 <= rollout_count <= MOST_ROLLOUTS:
        raise InvalidInput("rollout_count", f"must be between 1 and {MOST_ROLLOUTS:,}, not {rollout_count:,}")


def _classes(deck: Deck, board: Sequence[int]) -> dict[str, NDArray[np.int64]]:
    """The holdings of each class that the board leaves, without classes that have none."""
    live = live_holdings(deck, board)
    classes = {label: members[live[members]] for label, members in holdings_of_class(deck).items()}
    return {label: members for label, members in classes.items() if len(members)}


def _range(deck: Deck, members: NDArray[np.int64]) -> NDArray[np.float32]:
    weights = np.zeros(len(live_holdings(deck, ())), np.float32)
    weights[members] = 1
    return weights


def _exact_cells(deck: Deck, board: Sequence[int], run: Run) -> Iterator[Cell | None]:
    """All classes at once: one enumeration of every holding against a random one."""
    live = live_holdings(deck, board)
    question = matchup(deck, board, live.astype(np.float32), [None])
    for _, found in enumerate_deals(question, run):
        if found is None:
            yield None
            continue
        place = {int(hero): i for i, hero in enumerate(found.heroes)}
        for label, members in _classes(deck, board).items():
            rows = [place[int(member)] for member in members]
            weight = found.weights[rows].sum()
            win, tie, _ = found.totals[rows].sum(axis=0) / weight
            cell = Equity(float(win), float(tie), float(win + tie / 2), 0.0, int(weight), exact=True)
            yield Cell(label, 1, len(members), cell)
