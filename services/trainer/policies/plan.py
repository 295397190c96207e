"""The plan of a policy run: the blueprint, the number of states, and the kind of model."""

from dataclasses import dataclass

from riverboat.policies.policy import KINDS
from riverboat.training.rounds import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPlan:
    """The plan of a policy run."""

    blueprint: str = setting("", "Name of the blueprint, among the trainer's models, that the policy is learnt from.")
    model: str = setting(KINDS[0], f"Kind of model: {', '.join(KINDS)}.", choices=KINDS)
    deals: int = setting(50_000, "Deals that states are drawn from.", low=10, high=10**8)
    lines: int = setting(4, "How often a deal is played.", low=1, high=1_000)
    explore: float = setting(0.1, "Share of decisions that are played at random when states are drawn.", low=0, high=1)
    jobs: int = setting(
        20, "Jobs that the deals are cut into for the workers; one in ten is held out.", low=2, high=10_000
    )
    seed: int = setting(1, "Seed of the states and of what a learner draws.", low=0, high=2**32 - 1)
    depth: int = setting(0, "Greatest depth of a tree; 0: 15, and 12 for boosted trees.", low=0, high=30)
    trees: int = setting(60, "Boosted trees for each choice of a street.", low=1, high=10_000)
    restarts: int = setting(8, "Starts of the search for optimal trees.", low=1, high=1_000)
    layers: int = setting(7, "Hidden layers of a network.", low=1, high=50)
    width: int = setting(512, "Units of a hidden layer.", low=1, high=8_192)
    passes: int = setting(20, "Passes of a network over the states.", low=1, high=10_000)

    @property
    def tree_depth(self) -> int:
        """The greatest depth of a tree."""
        return self.depth or (12 if self.model == "boosted" else 15)
