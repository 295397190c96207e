"""The plan of a run that models players: which hands, how many styles, how large the trees are."""

from dataclasses import dataclass

from riverboat.training.rounds import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentsPlan:
    """The plan of a run of opponent models."""

    store: str = setting("", "Folder of a store of hands (riverboat hands import), for the trainer and all workers.")
    players: int = setting(2, "Players dealt in: only hands of so many are learnt from.", low=2, high=10)
    hands: int = setting(400_000, "Most hands to learn from.", low=100, high=10**8)
    styles: int = setting(10, "Number of styles (clusters of players).", low=1, high=30)
    iterations: int = setting(6, "Iterations of clustering.", low=1, high=50)
    leaves: int = setting(128, "Most leaves of a style's tree.", low=2, high=4_096)
    leaf_moves: int = setting(60, "Fewest moves in a leaf.", low=1, high=100_000)
    trees: int = setting(150, "Rounds of boosting in each situation.", low=1, high=5_000)
    boosted_leaves: int = setting(31, "Most leaves of a boosted tree.", low=2, high=1_024)
    card_leaves: int = setting(
        24, "Most leaves of a tree under which buckets of cards are told apart.", low=1, high=512
    )
    card_hands: int = setting(
        8_000, "Most hands with a flop from which hidden cards are learnt; other hands only count before it.", low=1,
        high=10**7,
    )  # fmt: skip
    card_steps: int = setting(12, "Steps of expectation maximisation.", low=1, high=200)
    start: str = setting(
        "poker", "Where hidden cards start: uniform (what is left of all cards), or poker (strong cards fold less).",
        choices=("poker", "uniform"),
    )  # fmt: skip
    source: str = setting("", "Where the hands come from and their licence, for the card.")
    seed: int = setting(1, "Seed of the first, random clusters and of boosting.", low=0, high=2**32 - 1)
