"""Many simulated tournaments between agents, and what each agent earns."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from riverboat.clients.bots.compiled_policies import compiled_policy
from riverboat.clients.console.views.output import print_json, progress_bar
from riverboat.clients.console.views.tournament import Simulation, print_simulation
from riverboat.clients.remote.refusals import Refused
from riverboat.equity.effective_strength import no_tables, strength_tables
from riverboat.errors import InvalidInput, NotFound
from riverboat.parallel import on_threads
from riverboat.policies.evolved_nets import Net
from riverboat.tournaments.field import field_of
from riverboat.tournaments.scores import group_score
from riverboat.tournaments.series import SERIES_LENGTH, SeriesResult, added, loop_rules, play_tournaments, series_plans
from riverboat.tournaments.structures import TournamentStructure

_OPTIONS = {"agents": "--agents", "entrant_count": "--agents", "duplicates": "--duplicate"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationWish:
    """The tournaments to simulate, and who plays them."""

    structure: TournamentStructure
    entries: tuple[tuple[str, int], ...]  # agents, and how often each enters
    count: int  # of tournaments
    duplicates: int  # of the same deals, with the draw rotated
    raise_pots: float  # of always-raise; 0 for the smallest raise
    rollouts: int  # for a net's hand strength; 0 for tables
    seed: int
    threads: int  # 0 for all cores


def simulate_tournaments(wish: SimulationWish, as_json: bool) -> None:
    """Play all tournaments in this process and print what each agent earned."""
    try:
        policies = [compiled_policy(name) for name, count in wish.entries for _ in range(count)]
        rules = loop_rules(wish.structure, wish.rollouts)
        series = series_plans(wish.seed, wish.count, SERIES_LENGTH, wish.duplicates)
    except InvalidInput as error:
        raise Refused(f"{_OPTIONS.get(error.field, error.field)}: {error.reason}") from None
    except NotFound as error:
        raise Refused(str(error)) from None
    has_nets = any(isinstance(policy, Net) for policy in policies)
    field, tables = field_of(policies, wish.raise_pots), strength_tables() if has_nets else no_tables()
    results: list[SeriesResult] = []
    count = wish.threads or os.cpu_count() or 1
    with progress_bar(f"{wish.count:,} tournaments") as bar, ThreadPoolExecutor(count) as pool:
        for result in play_tournaments(rules, field, tables, series, on_threads(pool, 2 * count)):
            results.append(result)
            bar.show(len(results) / len(series))
    _show(wish, has_nets, added(results), as_json)


def _show(wish: SimulationWish, has_nets: bool, result: SeriesResult, as_json: bool) -> None:
    scores, first = {}, 0
    for name, count in wish.entries:
        scores[name] = group_score(wish.structure, result, range(first, first + count))
        first += count
    if not as_json:
        print_simulation(Simulation(wish.structure, scores, result.hand_count, has_nets))
        return
    print_json(
        {
            "structure": wish.structure.name,
            "entrants": wish.structure.entrant_count,
            "tournaments": len(result.ranks),
            "hands": result.hand_count,
            "seed": wish.seed,
            "agents": {name: asdict(score) for name, score in scores.items()},
        }
    )
