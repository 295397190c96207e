"""The plan of an evolution: every number as a setting."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from riverboat.errors import InvalidInput, in_field
from riverboat.evolution.recipe import MOST_GENERATIONS, EvolutionRecipe
from riverboat.features.tournament_inputs import MODEL_INPUTS, PLAIN_INPUTS
from riverboat.policies.evolved_nets import MOST_HIDDEN, NetShape, RaiseSizes
from riverboat.tournaments.scores import FitnessWeights
from riverboat.tournaments.structures import PRESETS, TournamentStructure, preset, with_entrants
from riverboat.training.rounds import setting

# Settings whose field in the recipe has another name.
_SETTINGS = {
    "hall_size": "hall",
    "elite_share": "elite",
    "parent_weights": "parents",
    "mutation_rate": "mutation",
    "thresholds": "small_below",
    "weights": "ranking",
    "entrant_count": "entrants",
    "starting_chips": "chips",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolutionPlan:
    """The plan of an evolution; the defaults repeat the published experiment without a hall of fame."""

    label: str = setting("evolved", "First part of the net's name.")
    seed: int = setting(1, "Seed of the first genomes, the deals and the children.", low=0, high=2**40)
    start: str = setting("", "Evolved net of an earlier run that the first genomes vary; empty: random genomes.")
    generations: int = setting(1000, "Number of generations.", low=1, high=MOST_GENERATIONS)
    tournaments: int = setting(200, "Tournaments per generation.", low=1, high=100_000)
    series: int = setting(25, "Tournaments per job; models of opponents grow through them.", low=1, high=10_000)
    duplicates: int = setting(1, "Tournaments played with the same deals; must divide series.", low=1, high=1000)
    rollouts: int = setting(
        0, "Rollouts for a hand's strength after the flop; 0 for tables, which are more exact.", low=0, high=100_000
    )
    structure: str = setting("mtt-45", "Structure of the tournaments.", choices=tuple(PRESETS))
    entrants: int = setting(45, "Entrants per tournament.", low=2, high=1000)
    chips: int = setting(0, "Chips of each entrant at the start; 0: as in the structure.", low=0, high=10**9)
    level_hands: int = setting(0, "Hands per level; 0: as in the structure.", low=0, high=1_000_000)
    models: bool = setting(False, "Whether nets read VPIP, PFR and AFq of their opponents.")
    hidden: int = setting(12, "Hidden units.", low=1, high=MOST_HIDDEN)
    hall: int = setting(0, "Members of the hall of fame; 13 in the published experiment.", low=0, high=500)
    hall_replacements: int = setting(2, "Members of the hall that a generation may replace.", low=0, high=500)
    hall_parents: bool = setting(False, "Whether members of the hall may be parents.")
    static: int = setting(0, "Entrants of each static kind in each tournament.", low=0, high=200)
    elite: float = setting(0.1, "Share of the entrants that stays and has children.", low=0.0, high=1.0)
    parents: str = setting("4,25,6,1,1,1,1", "Weights of one parent, two parents and so on.")
    mutation: float = setting(0.1, "Chance of each number of a genome to change.", low=0.0, high=1.0)
    deviation: float = setting(0.6, "Standard deviation of a change.", low=0.0, high=100.0)
    first_deviation: float = setting(1.0, "Standard deviation of the first genomes.", low=0.0, high=100.0)
    ranking: float = setting(0.8, "Weight of the ranking in the fitness.", low=0.0, high=1.0)
    hands_won: float = setting(0.02, "Weight of the hands won.", low=0.0, high=1.0)
    mean_money: float = setting(0.18, "Weight of the mean money.", low=0.0, high=1.0)
    prizes: float = setting(0.0, "Weight of the mean prize in buy-ins, added to the fitness.", low=0.0, high=100.0)
    small_below: float = setting(1 / 3, "A raise is small if its output is below this.", low=0.0, high=1.0)
    large_from: float = setting(2 / 3, "A raise is large if its output is at least this.", low=0.0, high=1.0)

    def __post_init__(self) -> None:
        self.recipe()

    def recipe(self) -> EvolutionRecipe:
        """Return the plan as the library's recipe; InvalidInput names a setting that does not fit the others."""
        with in_field("settings"), _own_names():
            return EvolutionRecipe(
                structure=self._structure(),
                shape=NetShape(MODEL_INPUTS if self.models else PLAIN_INPUTS, self.hidden),
                sizes=RaiseSizes(thresholds=(self.small_below, self.large_from)),
                generation_count=self.generations,
                tournament_count=self.tournaments,
                series_length=self.series,
                duplicates=self.duplicates,
                rollouts=self.rollouts,
                static_count=self.static,
                hall_size=self.hall,
                hall_replacements=self.hall_replacements,
                hall_parents=self.hall_parents,
                elite_share=self.elite,
                parent_weights=_weights(self.parents),
                mutation_rate=self.mutation,
                mutation_deviation=self.deviation,
                first_deviation=self.first_deviation,
                weights=FitnessWeights(self.ranking, self.hands_won, self.mean_money),
                prize_weight=self.prizes,
            )

    def _structure(self) -> TournamentStructure:
        structure = with_entrants(preset(self.structure), self.entrants)
        return replace(
            structure,
            starting_chips=self.chips or structure.starting_chips,
            level_hands=self.level_hands or structure.level_hands,
        )


@contextmanager
def _own_names() -> Iterator[None]:
    """Make errors name the plan's setting instead of the recipe's field."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(_SETTINGS.get(error.field, error.field), error.reason) from None


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        return ()  # which is refused with a sentence
