"""Caveats of numbers in words: the scope of exploitability, estimates, and guesses about opponents."""

from riverboat.clients.analysis.counts import counted
from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.analysis.likelihood import Reading
from riverboat.contracts.resolver import EQUITY, Scope

READING = (
    "heuristic reading (strong holdings bet, holdings worth the price call, the rest fold, "
    f"and any action {100 * Reading().mistakes:.0f} % of the time)"
)
_NAMES = {
    Scope.WHOLE: "exploitability",
    Scope.ABOVE_CUT: "exploitability above the cut",
    Scope.BEYOND_VALUES: "exploitability beyond the given values",
    Scope.BEYOND_VALUES_ABOVE_CUT: "exploitability beyond the given values, above the cut",
}
_FIXED = "values below the cut are held fixed, so the strategy can be exploited for far more in the whole game"
_NOTES = {
    Scope.WHOLE: "",
    Scope.ABOVE_CUT: _FIXED,
    Scope.BEYOND_VALUES: "what the opponent's best response wins beyond the values it was given",
    Scope.BEYOND_VALUES_ABOVE_CUT: _FIXED,
}


def exploitability_name(scope: Scope) -> str:
    """Return what to call the number: plain "exploitability" only for the whole game."""
    return _NAMES[scope]


def exploitability_note(scope: Scope) -> str:
    """Return the caveats about the number; empty for the whole game."""
    return _NOTES[scope]


def exploitability_words(scope: Scope, share: float) -> str:
    """Return the number as a share of the pot, with its caveats."""
    note = exploitability_note(scope)
    return f"{100 * share:.3f} % of the pot" + (f" ({note})" if note else "")


def below_words(leaf: str) -> str:
    """Return how the tree was estimated below a cut: "by the value network 24-turn-96ef5c20"; empty without a cut."""
    if not leaf:
        return ""
    return "as if nobody bet again (equity)" if leaf == EQUITY else f"by the value network {leaf}"


def estimate_words(explanation: Explanation) -> str:
    """Return why values are rough; empty where they are not."""
    if not explanation.is_estimate:
        return ""
    return f"play after the next deal is estimated {below_words(explanation.leaf)}, so values are rough"


def graded_against(explanation: Explanation, opponent: str = "your opponent") -> str:
    """Return the assumptions of the values: the opponent's range, how it was guessed, and how the hand continues."""
    ways = []
    if explanation.solved_count:
        ways.append(f"from {counted(explanation.solved_count, 'action')} on this street by its solution")
    if explanation.read_count:
        ways.append(f"from {counted(explanation.read_count, 'action')} since the flop by the {READING}")
    if explanation.resolved_count:
        ways.append(f"from {counted(explanation.resolved_count, 'action')} before the flop by re-solving")
    basis = f"It was guessed {' and '.join(ways)}" if ways else "Nobody has acted yet, so any holding is possible"
    return (
        f"Graded against a guess at {opponent}'s range, not against how {opponent} really plays. {basis}. "
        "From here on both players are assumed to play the solved strategy."
    )
