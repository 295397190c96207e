"""Scores of simulated tournaments, as a table."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.table import Table

from riverboat.clients.console.views.output import note, percent, print_table
from riverboat.tournaments.scores import GroupScore
from riverboat.tournaments.structures import TournamentStructure


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulation and its results."""

    structure: TournamentStructure
    scores: Mapping[str, GroupScore]
    hand_count: int
    has_nets: bool


def print_simulation(simulation: Simulation) -> None:
    """Print the scores by agent, the highest return first."""
    table = Table(box=None, pad_edge=False)
    table.add_column("agent")
    for title in ("entrants", "mean rank", "fitness", "ROI", "VPIP", "PFR", "AFq"):
        table.add_column(title, justify="right")
    for name, score in sorted(simulation.scores.items(), key=lambda each: -each[1].roi):
        table.add_row(
            name,
            str(score.entrant_count),
            f"{score.mean_rank:.2f} ± {score.rank_interval:.2f}",
            f"{score.fitness:.4f}",
            f"{percent(score.roi)} ± {percent(score.roi_interval)}",
            *(percent(value, 1) for value in (score.vpip, score.pfr, score.afq)),
        )
    print_table(table)
    structure = simulation.structure
    count = next(iter(simulation.scores.values())).tournament_count
    note(
        f"{count:,} tournaments ({structure.name}, {structure.entrant_count} entrants), "
        f"{simulation.hand_count:,} hands; ± is half a 95 % interval"
    )
    if simulation.has_nets:
        note("nets that read models of opponents learn them over series of 25 tournaments")
