"""Comparing a hand's finishing stacks with the rules."""

from riverboat.clients.console.views.replay import amount_text
from riverboat.errors import RiverboatError
from riverboat.history.hand import History, outcome


def difference_of(history: History) -> str | None:
    """Return the difference between a hand and the rules, empty if they agree; None if there is nothing to compare."""
    try:
        end = outcome(history)
    except RiverboatError as error:
        return str(error)
    if history.finishing_stacks is None:
        return None
    if end.stacks is None:
        return None if end.state.is_over else end.reason  # unknown cards, or a hand without an end
    return "; ".join(
        f"{history.name(seat)} ends with {amount_text(history, theirs)} in the file, "
        f"with {amount_text(history, ours)} by the rules"
        for seat, (ours, theirs) in enumerate(zip(end.stacks, history.finishing_stacks, strict=True))
        if ours != theirs
    )
