"""The kind of run `evolution`: plan, job, learn, export. All functions are pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from riverboat.equity.effective_strength import no_tables, strength_tables
from riverboat.errors import in_field
from riverboat.evolution.generations import (
    GenerationRecord,
    field_of_generation,
    first_generation,
    next_generation,
    plans_of_generation,
)
from riverboat.policies.evolved_nets import Net
from riverboat.policies.net_files import read_net, write_net
from riverboat.services.trainer.evolution.picture import draw_records
from riverboat.services.trainer.evolution.plan import EvolutionPlan
from riverboat.services.trainer.evolution.state import (
    EvolutionState,
    read_results,
    read_state_bytes,
    write_result,
    write_state_bytes,
)
from riverboat.services.trainer.rounds.kind import Artefact, FetchArtefact, TellMessage
from riverboat.tournaments.series import added, loop_rules, play_series
from riverboat.training.rounds import write_settings

_MEAN_OF = 50  # generations over which the picture and the measures average


class Evolution:
    """The kind of run that evolves nets in tournaments."""

    name = "evolution"
    makes = "a net that plays tournaments"
    plan = EvolutionPlan

    def round_count(self, plan: EvolutionPlan) -> int:
        """Return the number of generations."""
        return plan.generations

    def begin(self, plan: EvolutionPlan, tell: TellMessage, fetch: FetchArtefact) -> bytes:
        """Return the first generation."""
        start = read_net(fetch(plan.start)) if plan.start else None
        with in_field("settings"):
            generation = first_generation(plan.recipe(), np.random.default_rng([plan.seed, 0]), start)
        return write_state_bytes(EvolutionState(generation, ()))

    def job_count(self, plan: EvolutionPlan, number: int) -> int:
        """Return the number of series of tournaments in a generation."""
        return len(plans_of_generation(plan.recipe(), number, plan.seed))

    def job(self, plan: EvolutionPlan, state: bytes, number: int, job: int) -> bytes:
        """Return the result of one series."""
        settings, generation = plan.recipe(), read_state_bytes(state).generation
        series = plans_of_generation(settings, number, plan.seed)[job]
        tables = no_tables() if settings.rollouts else strength_tables()
        rules = loop_rules(settings.structure, settings.rollouts)
        return write_result(play_series(rules, field_of_generation(settings, generation), tables, series))

    def learn(
        self, plan: EvolutionPlan, state: bytes, number: int, results: Sequence[bytes], threads: int, tell: TellMessage
    ) -> tuple[bytes, Mapping[str, float]]:
        """Return the next generation, and the scores of the best player of this one."""
        before = read_state_bytes(state)
        rng = np.random.default_rng([plan.seed, number + 1])
        following, record = next_generation(plan.recipe(), before.generation, added(read_results(results)), rng)
        records = (*before.records, record)
        return write_state_bytes(EvolutionState(following, records)), _measures(records)

    def export(self, plan: EvolutionPlan, state: bytes) -> Artefact:
        """Return the best player of the last generation, who leads the elite."""
        settings, end = plan.recipe(), read_state_bytes(state)
        net = Net(settings.shape, end.generation.group[0], settings.sizes)
        card = {
            "game": f"{settings.structure.name}, {settings.structure.entrant_count} entrants",
            "settings": write_settings(plan),
            "last generation": asdict(end.records[-1]),
            "measured on": "the tournaments in which it evolved; measure it again with riverboat tournament",
        }
        return Artefact(
            label=plan.label, suffix=".json", data=write_net(net), card=card, picture=draw_records(end.records)
        )


def _measures(records: Sequence[GenerationRecord]) -> dict[str, float]:
    """Return the best player's scores, and their means over the last generations."""
    last, recent = records[-1], records[-_MEAN_OF:]
    shown = ("fitness", "ranking", "hands_won", "mean_money", "vpip", "pfr", "afq")
    measures = {name: float(getattr(last, name)) for name in shown}
    measures["roi"] = last.mean_prize - 1
    measures[f"fitness_of_{_MEAN_OF}"] = float(np.mean([record.fitness for record in recent]))
    measures[f"roi_of_{_MEAN_OF}"] = float(np.mean([record.mean_prize for record in recent])) - 1
    return measures


KIND = Evolution()
