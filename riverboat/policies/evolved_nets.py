"""Small nets that choose between fold, call and raise, and the sizes of their raises.

A genome is one row of numbers: hidden weights [inputs, hidden], hidden biases, output weights [3, hidden], output
biases. The hidden layer is sigmoid, the output softmax. An action is drawn from the three outputs; the output of a
raise says whether the raise is small, medium or large, and its size is drawn from a normal distribution around a part
of the stack.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import next_unit
from riverboat.errors import InvalidInput
from riverboat.features.tournament_inputs import MODEL_INPUTS, PLAIN_INPUTS
from riverboat.rules.betting import ACTOR, BETS, CALL, FOLD, HEAD, HIGH, STACKS, TO_CALL, nearest_raise
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]

OUTPUTS = 3
MOST_HIDDEN = 64


@dataclass(frozen=True, slots=True)
class NetShape:
    """How many inputs and hidden units a net has."""

    input_count: int = PLAIN_INPUTS
    hidden_count: int = 12

    def __post_init__(self) -> None:
        if self.input_count not in (PLAIN_INPUTS, MODEL_INPUTS):
            raise InvalidInput("input_count", f"must be {PLAIN_INPUTS} or {MODEL_INPUTS}, not {self.input_count}")
        if not 1 <= self.hidden_count <= MOST_HIDDEN:
            raise InvalidInput("hidden_count", f"must be 1 to {MOST_HIDDEN}, not {self.hidden_count}")

    def __str__(self) -> str:
        return f"{self.input_count}-{self.hidden_count}-{OUTPUTS}"

    @property
    def genome_length(self) -> int:
        """How many numbers a genome has."""
        return (self.input_count + 1) * self.hidden_count + (self.hidden_count + 1) * OUTPUTS


@dataclass(frozen=True, slots=True)
class RaiseSizes:
    """The outputs from which a raise is medium and large, and the sizes of raises, as shares of the player's stack."""

    thresholds: tuple[float, float] = (1 / 3, 2 / 3)  # of the raise's output
    means: tuple[float, float, float] = (0.3, 0.45, 0.8)
    deviations: tuple[float, float, float] = (0.05, 0.1, 0.05)

    def __post_init__(self) -> None:
        if not 0 <= self.thresholds[0] <= self.thresholds[1] <= 1:
            raise InvalidInput("thresholds", f"must be between 0 and 1, the smaller first, not {self.thresholds}")
        if min(*self.means, *self.deviations) < 0:
            raise InvalidInput("means", "sizes and their deviations must not be negative")

    def array(self) -> F64:
        """Return thresholds, means and deviations in one row [8]."""
        return np.array([*self.thresholds, *self.means, *self.deviations])


PLAIN = NetShape()
WITH_MODELS = NetShape(MODEL_INPUTS, 22)
SIZES = RaiseSizes()


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """A net with its genome [genome_length]."""

    shape: NetShape
    genome: F64
    sizes: RaiseSizes = SIZES

    def __post_init__(self) -> None:
        if self.genome.shape != (self.shape.genome_length,):
            raise InvalidInput(
                "genome", f"must have {self.shape.genome_length} numbers, not {self.genome.shape} in its shape"
            )
        if not np.isfinite(self.genome).all():
            raise InvalidInput("genome", "must have finite numbers only")


@kernel
def normal(state: U64) -> float:
    """Return a random number of the standard normal distribution."""
    radius = np.sqrt(-2.0 * np.log(1.0 - next_unit(state)))
    return float(radius * np.cos(2.0 * np.pi * next_unit(state)))


@kernel
def write_chances(genome: F64, input_count: int, hidden_count: int, inputs: F64, hidden: F64, out: F64) -> None:
    """Write the chances of fold, call and raise to out [3]; hidden [MOST_HIDDEN] is scratch."""
    biases = input_count * hidden_count
    weights = biases + hidden_count
    last = weights + OUTPUTS * hidden_count
    for h in range(hidden_count):
        hidden[h] = genome[biases + h]
    for i in range(input_count):  # the inner loop is over units, so that it uses vector registers
        row, x = i * hidden_count, inputs[i]
        for h in range(hidden_count):
            hidden[h] += genome[row + h] * x
    for h in range(hidden_count):
        hidden[h] = 1.0 / (1.0 + np.exp(-hidden[h]))
    most = -np.inf
    for o in range(OUTPUTS):
        total = genome[last + o]
        for h in range(hidden_count):
            total += genome[weights + o * hidden_count + h] * hidden[h]
        out[o] = total
        most = max(most, total)
    whole = 0.0
    for o in range(OUTPUTS):
        out[o] = np.exp(out[o] - most)
        whole += out[o]
    for o in range(OUTPUTS):
        out[o] /= whole


@kernel
def drawn_action(rules: I64, state: I64, chances: F64, sizes: F64, random: U64) -> int:
    """Return an action of the actor by the chances [3]: a free fold becomes a check, an impossible raise a call."""
    drawn = next_unit(random)
    if drawn < chances[0]:
        return int(FOLD if state[TO_CALL] > 0 else CALL)
    if drawn < chances[0] + chances[1] or state[HIGH] == 0:
        return int(CALL)
    size = 0 if chances[2] < sizes[0] else (1 if chances[2] < sizes[1] else 2)
    count, seat = rules[SEAT_COUNT], state[ACTOR]
    stack = state[HEAD + STACKS * count + seat]
    chips = stack * (sizes[2 + size] + sizes[5 + size] * normal(random))
    return int(nearest_raise(rules, state, state[HEAD + BETS * count + seat] + np.int64(chips + 0.5)))
