"""All settings of an evolution; the defaults are those of the experiment that it repeats."""

from dataclasses import dataclass
from math import ceil

from riverboat.errors import InvalidInput
from riverboat.policies.evolved_nets import PLAIN, SIZES, NetShape, RaiseSizes
from riverboat.tournaments.scores import DEFAULT_WEIGHTS, FitnessWeights
from riverboat.tournaments.series import SERIES_LENGTH
from riverboat.tournaments.structures import MTT_45, TournamentStructure

MOST_GENERATIONS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolutionRecipe:
    """The settings of an evolution: entrants, tournaments, selection of parents, and mutation."""

    structure: TournamentStructure = MTT_45
    shape: NetShape = PLAIN
    sizes: RaiseSizes = SIZES
    generation_count: int = 1000
    tournament_count: int = 200  # per generation
    series_length: int = SERIES_LENGTH  # tournaments through which models of opponents grow
    duplicates: int = 1  # tournaments with the same deals
    rollouts: int = 0  # for a hand's strength after the flop; 0 for tables
    static_count: int = 0  # entrants of each static kind; the evolution group is smaller by these
    hall_size: int = 0  # members of the hall of fame; the evolution group is smaller by these
    hall_replacements: int = 2  # most members of the hall that a generation replaces
    hall_parents: bool = False  # whether members of the hall may be parents
    elite_share: float = 0.10  # of all entrants, rounded up: they stay, and they are the parents
    parent_weights: tuple[float, ...] = (4, 25, 6, 1, 1, 1, 1)  # of one parent, two parents and so on
    mutation_rate: float = 0.10  # of each number of a genome
    mutation_deviation: float = 0.6
    first_deviation: float = 1.0  # of the first genomes, which are normally distributed
    weights: FitnessWeights = DEFAULT_WEIGHTS
    prize_weight: float = 0.0  # of the mean prize in buy-ins, added to the fitness

    def __post_init__(self) -> None:
        if not 1 <= self.generation_count <= MOST_GENERATIONS:
            raise InvalidInput("generation_count", f"must be 1 to {MOST_GENERATIONS:,}, not {self.generation_count:,}")
        if not 0 < self.elite_share < 1:
            raise InvalidInput("elite_share", f"must be above 0 and below 1, not {self.elite_share}")
        if min(self.hall_size, self.hall_replacements, self.static_count) < 0:
            raise InvalidInput("hall_size", "no number of players can be negative")
        if self.group_size <= self.elite_count:
            raise InvalidInput(
                "hall_size",
                f"leaves {self.group_size} players to evolve, no more than the elite of {self.elite_count}",
            )
        if not self.parent_weights or min(self.parent_weights) < 0 or sum(self.parent_weights) <= 0:
            raise InvalidInput("parent_weights", "must be at least one number, none negative, not all 0")
        if not 0 <= self.mutation_rate <= 1 or min(self.mutation_deviation, self.first_deviation) < 0:
            raise InvalidInput("mutation_rate", "must be 0 to 1, and no deviation negative")

    @property
    def group_size(self) -> int:
        """How many players evolve."""
        return self.structure.entrant_count - self.hall_size - 4 * self.static_count

    @property
    def elite_count(self) -> int:
        """How many of the fittest players stay and are parents."""
        return ceil(self.elite_share * self.structure.entrant_count)
