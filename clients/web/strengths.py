"""How strong agents are: what each won from `rollout`, as docs/experiments/web.md measured it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strength:
    """Winnings against `rollout`: mbb a hand, and half of the 95 % interval."""

    mbb: float
    margin: float


STRENGTHS: Mapping[str, Strength] = {
    "blueprint": Strength(373, 356),  # docs/experiments/blueprint.md
}
