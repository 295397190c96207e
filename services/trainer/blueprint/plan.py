"""The plan of a blueprint run: the abstract game, and the length of self-play."""

from dataclasses import dataclass
from functools import lru_cache

from riverboat.blueprint.game import AbstractGame
from riverboat.blueprint.sampling import Sampling, SelfPlayRecipe
from riverboat.errors import InvalidInput, TooLarge, in_field
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.situations.situation import find_deck
from riverboat.training.rounds import setting

# The sizes that winners of real hands use most: docs/experiments/blueprint.md has the counts.
SIZES = "; 1p all-in / 0.4p 0.75p all-in; 0.7p all-in / 0.4p 0.75p 1.5p all-in; 0.7p all-in"
MOST_ENTRIES = 250_000_000  # two floats each: 2 GB
BYTES_OF_AN_ENTRY = 8
_GAMMA = 2.0  # of the average strategy: see docs/experiments/blueprint.md
_MOST_GROUPS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintPlan:
    """The plan of a blueprint run."""

    deck: str = setting("24", "Deck: 24, 36 or 52 cards.")
    stack: int = setting(10_000, "Stacks in chips; blinds are 50 and 100.", low=100, high=10**6)
    sizes: str = setting(SIZES, "Bet sizes: streets by slashes, raises after a semicolon.")
    raise_cap: int = setting(4, "Maximum number of bets and raises on a street; 0 for any number.", low=0, high=20)
    flop_groups: int = setting(200, "Groups of holdings on the flop.", low=1, high=_MOST_GROUPS)
    turn_groups: int = setting(200, "Groups of holdings on the turn.", low=1, high=_MOST_GROUPS)
    river_groups: int = setting(200, "Groups of holdings on the river.", low=1, high=_MOST_GROUPS)
    epochs: int = setting(500, "Epochs of self-play.", low=1, high=100_000)
    boards: int = setting(20, "Boards dealt per epoch.", low=1, high=1_000_000)
    round_epochs: int = setting(20, "Epochs per round; each round ends with a checkpoint.", low=1, high=100_000)
    seed: int = setting(1, "Seed of groups and boards.", low=0, high=2**32 - 1)
    sampling: str = setting(
        "nothing",
        "What a walk samples besides the board: nothing, the opponent's actions, or holdings too.",
        choices=("nothing", "actions", "holdings"),
    )
    threads: int = setting(1, "Number of threads; with one, a plan always gives the same file.", low=1, high=64)

    def __post_init__(self) -> None:
        with in_field("settings"):
            find_deck(self.deck)
            if _entry_count(self) > MOST_ENTRIES:
                gigabytes = _entry_count(self) * BYTES_OF_AN_ENTRY / 1e9
                raise InvalidInput(
                    "sizes",
                    f"the game takes {gigabytes:.1f} GB; the limit is 2 GB: choose fewer sizes or groups, or a lower "
                    "raise_cap",
                )

    @property
    def round_count(self) -> int:
        """The number of rounds; the last may have fewer epochs."""
        return -(-self.epochs // self.round_epochs)

    def game(self) -> AbstractGame:
        """Return the abstract game."""
        with in_field("sizes"):
            sizes = parse_bet_sizes(self.sizes)
        return AbstractGame(
            deck=self.deck,
            stack=self.stack,
            sizes=sizes,
            raise_cap=self.raise_cap,
            group_counts=(self.flop_groups, self.turn_groups, self.river_groups),
        )

    def self_play(self) -> SelfPlayRecipe:
        """Return the settings of self-play."""
        return SelfPlayRecipe(sampling=Sampling[self.sampling.upper()], boards=self.boards, gamma=_GAMMA)


@lru_cache(maxsize=64)  # a plan is read at every look at its run, and its tree takes a tenth of a second
def _entry_count(plan: BlueprintPlan) -> int:
    try:
        return plan.game().entry_count
    except TooLarge as error:
        raise InvalidInput("sizes", str(error)) from None
