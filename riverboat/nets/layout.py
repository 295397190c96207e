"""The layout of value networks: names and shapes of inputs and outputs. Every change gets a new number.

A network gives values at the start of a street, when its cards have been dealt. The network called preflop gives values
at the end of the first street, averaged over all flops.

K boards, L situations on each, H holdings.

    ranges  float32 [K, L, 2, H]  both players' ranges, each adding up to one
    pot     float32 [K, L, 1]     the pot as a share of all chips that can be won: above 0, up to 1
    board   float32 [K, H, 64]    features.py
    values  float32 [K, L, 2, H]  counterfactual values of both players in pots; zero-sum
"""

from dataclasses import dataclass

from riverboat.errors import InvalidInput

LAYOUT = 1
RANGES, POT, BOARD, VALUES = "ranges", "pot", "board", "values"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The facts about a network that are stored in its file."""

    layout: int
    deck: str
    street: str  # at whose start the network gives values, or "preflop"
    data: str  # a hash of the samples it was trained on
    code: str  # a hash of the code that made it
    samples: int
    train_loss: float  # Huber, in pots
    held_out_loss: float  # on validation boards, which chose the epoch
    # On test boards, which chose nothing in the run; None in files that were made without any.
    test_loss: float | None = None
    test_mean_absolute_error: float | None = None
    test_samples: int = 0
    test_boards: int = 0  # that differ by more than suits

    def as_texts(self) -> dict[str, str]:
        """Return the values as texts, for a file's metadata."""
        names = [name for name in self.__slots__ if self.test_loss is not None or not name.startswith("test_")]
        return {name: str(getattr(self, name)) for name in names}


def read_about(texts: dict[str, str]) -> About:
    """Return the facts in a file's metadata; raise InvalidInput if one is missing or wrong."""
    try:
        test_error = texts.get("test_mean_absolute_error")
        return About(
            layout=int(texts["layout"]),
            deck=texts["deck"],
            street=texts["street"],
            data=texts["data"],
            code=texts["code"],
            samples=int(texts["samples"]),
            train_loss=float(texts["train_loss"]),
            held_out_loss=float(texts["held_out_loss"]),
            test_loss=float(texts["test_loss"]) if "test_loss" in texts else None,
            test_mean_absolute_error=None if test_error is None else float(test_error),
            test_samples=int(texts.get("test_samples", 0)),
            test_boards=int(texts.get("test_boards", 0)),
        )
    except (KeyError, ValueError) as error:
        raise InvalidInput("metadata", f"this is not a Riverboat network: {error} is missing or wrong") from None
