"""From hand to hand at one table: the chairs that are dealt in, the next button, and the stacks."""

from collections.abc import Sequence

from riverboat.errors import InvalidInput


def next_button(stacks: Sequence[int], button: int) -> int:
    """Return the chair that gets the button next: the first one after it with chips (empty chairs have none)."""
    count = len(stacks)
    for step in range(1, count + 1):
        chair = (button + step) % count
        if stacks[chair] > 0:
            return chair
    raise InvalidInput("stacks", "nobody has chips")


def chairs_in_order(stacks: Sequence[int], button: int) -> tuple[int, ...]:
    """Return the chairs that are dealt in, as the seats of a hand: from the left of the button to the button itself."""
    if not 0 <= button < len(stacks) or stacks[button] <= 0:
        raise InvalidInput("button", "must be with a player who has chips")
    count = len(stacks)
    chairs = ((button + step) % count for step in range(1, count + 1))
    return tuple(chair for chair in chairs if stacks[chair] > 0)


def settle(stacks: Sequence[int], chairs: Sequence[int], payoffs: Sequence[int]) -> tuple[int, ...]:
    """Return the stacks after a hand in which `chairs` won and lost `payoffs`; a player left with none is bust."""
    after = list(stacks)
    for chair, payoff in zip(chairs, payoffs, strict=True):
        after[chair] += payoff
    return tuple(after)
