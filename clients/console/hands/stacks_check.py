"""A check of a hand's finishing stacks against the rules."""

from dataclasses import dataclass

from riverboat.clients.console.views.replay import amount_text
from riverboat.errors import RiverboatError
from riverboat.history.hand import UNKNOWN_STACK, History, outcome, rake_of
from riverboat.history.rake import contested_pot


@dataclass(frozen=True, slots=True)
class StacksCheck:
    """A hand beside the rules."""

    difference: str | None  # empty if they agree; None if there is nothing to compare
    rake: int = 0  # chips that the winners did not get
    pot: int = 0  # chips that the players competed for, in a hand with rake


def check_stacks_of(history: History) -> StacksCheck:
    """Return how the finishing stacks of a hand differ from the rules."""
    try:
        end = outcome(history)
    except RiverboatError as error:
        return StacksCheck(str(error))
    if history.finishing_stacks is None:
        return StacksCheck(None)
    if end.stacks is None:  # unknown cards, or a hand without an end
        return StacksCheck(None if end.state.is_over else end.reason)
    rake = rake_of(history, end)
    if rake is not None:
        return StacksCheck("", rake, contested_pot(end.state.rules, end.state.flat))
    return StacksCheck(
        "; ".join(
            f"{history.name(seat)} ends with {amount_text(history, theirs)} in the file, "
            f"with {amount_text(history, ours)} by the rules"
            for seat, (ours, theirs) in enumerate(zip(end.stacks, history.finishing_stacks, strict=True))
            if ours != theirs and theirs != UNKNOWN_STACK and seat not in history.unknown_stacks
        )
    )
