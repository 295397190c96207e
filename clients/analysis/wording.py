"""An explanation in two sentences that a player understands."""

from collections.abc import Sequence

from riverboat.clients.analysis.actions import Amount, action_noun, action_words, chips_words, playing_words
from riverboat.clients.analysis.comparison import RangePart
from riverboat.clients.analysis.explanation import Choice, Explanation, Response
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState

_MOST_PARTS = 2
_ENOUGH = 0.75  # of a side: a part that is named alone
_WORTH_NAMING = 0.2  # of a side
_HALF = 0.5
_LEAST = 0.005  # of a range, to be worth a word
_ROUNDING = 1e-9
# The largest share for which each is said.
_PARTS = (
    (0.01, "none of it"),
    (0.07, "very little of it"),
    (0.15, "a tenth of it"),
    (0.22, "a fifth of it"),
    (0.29, "a quarter of it"),
    (0.42, "a third of it"),
    (0.58, "half of it"),
    (0.71, "two thirds of it"),
    (0.85, "three quarters of it"),
    (0.99, "most of it"),
)


def share_words(share: float) -> str:
    """Return a share as people say it: 0 % and 100 % only if it is exactly that."""
    if 0 < share < _LEAST:
        return "less than 1 %"
    if 1 - _LEAST <= share < 1:
        return "more than 99 %"
    return f"{100 * share:.0f} %"


def why(explanation: Explanation, opponent: str = "your opponent", amount: Amount = chips_words) -> str:
    """Return two sentences: what the holding is ahead of and behind; then what follows, and what a bet folds out."""
    return f"{_compared(explanation, opponent)}. {_follows(explanation, amount)}."


# How it compares


def _compared(explanation: Explanation, opponent: str) -> str:
    comparison, is_last = explanation.comparison, not explanation.public.streets_left
    beats, loses, ties = ("beat", "lose to", "tie with") if is_last else ("ahead of", "behind", "level with")
    sides = [(beats, comparison.beats, comparison.beaten), (loses, comparison.loses, comparison.better)]
    sides = [side for side in sides if side[1] > 0]
    if comparison.ties >= _LEAST or not sides:
        sides.append((ties, comparison.ties, ()))
    if len(sides) == 1:
        part = "all" if sides[0][1] > 1 - _ROUNDING else "nearly all"
        words = f"{sides[0][0]} {part} of {opponent}'s range"
    else:
        first, *rest = (f"{verb} {share_words(share)}" for verb, share, _ in sides)
        mostly = [_mostly(parts, share) for _, share, parts in sides]
        words = joined(list(map(str.__add__, [f"{first} of {opponent}'s range", *rest], mostly)))
    if is_last:
        return f"You {words}"
    return f"You are {words}, and win {share_words(explanation.equity)} of the pot on average if nobody bets again"


def _mostly(parts: Sequence[RangePart], share: float) -> str:
    """Return the largest parts of a side, in brackets."""
    named = [part for part in parts[:_MOST_PARTS] if part.share >= _WORTH_NAMING * share]
    if named and named[0].share >= _ENOUGH * share:
        named = named[:1]
    if not named:
        return ""
    is_most = sum(part.share for part in named) > _HALF * share
    is_all = len(parts) == 1
    how = "all" if is_all else "mostly" if is_most else "most often"
    return f" ({how} {' and '.join(part.words for part in named)})"


def joined(parts: Sequence[str], last: str = " and ") -> str:
    """Return "one, two and three"."""
    return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


# What follows


def _follows(explanation: Explanation, amount: Amount) -> str:
    public, choices = explanation.public, explanation.choices
    if len(choices) == 1:
        return f"There is nothing to decide: you can only {action_words(public, choices[0].action, amount)}"
    clauses = [_odds(explanation, amount)] if public.to_call else []
    raised = _raise_to_name(explanation)
    if raised and raised.response:
        clauses.append(_folds(public, raised.action, raised.response, amount))
    reasons = "; ".join(clauses)
    return f"{reasons[:1].upper()}{reasons[1:]}, so {_conclusion(explanation, amount)}"


def pot_odds(public: PublicState) -> float:
    """Return the share of the pot that a call must win to break even."""
    after = public.play(CALL)
    uncalled = max(after.paid) - min(after.paid)  # goes back to the player who bet more than the other has
    return public.to_call / (after.pot - uncalled)


def _odds(explanation: Explanation, amount: Amount) -> str:
    public = explanation.public
    needs, call = pot_odds(public), explanation.choice(CALL)
    needed = f"a {action_noun(public, CALL, amount)} needs {share_words(needs)} of the pot"
    has = f"your hand has {share_words(explanation.equity)}"
    is_enough, slack = explanation.equity > needs, explanation.slack
    if not public.streets_left and abs(call.ev) <= slack:
        return f"{needed} and {has}, which is about the price"
    if is_enough and call.ev < -slack:
        return f"{needed} and {has}, but later bets cost more than that"
    if is_enough and call.ev <= slack:
        return f"{needed} and {has}, but later bets cost about as much"
    if not is_enough and call.ev > slack:
        return f"{needed} and {has}, but later bets win more"
    if not is_enough and call.ev >= -slack:
        return f"{needed} and {has}, but later bets make up for it"
    return f"{needed} and {has}"


def _raise_to_name(explanation: Explanation) -> Choice | None:
    """Return the best raise; facing a bet only if no action is clearly better."""
    raises = [choice for choice in explanation.choices if choice.action > CALL]
    if not raises:
        return None
    best = max(raises, key=lambda choice: choice.ev)
    return best if not explanation.public.to_call or best.loss <= explanation.slack else None


def _folds(public: PublicState, action: int, response: Response, amount: Amount) -> str:
    words = f"a {action_noun(public, action, amount)} folds out "
    words += share_words(response.folds) if response.folds else "nothing"
    if response.folds >= _LEAST:
        words += f" ({_part(response.better_folds)} better than your hand)"
    if response.folds > 1 - _LEAST:
        return words
    leaves = "leaves you ahead of" if public.streets_left else "you beat"
    return f"{words} and {leaves} {share_words(response.beaten_stays)} of what stays in"


def _part(share: float) -> str:
    return next((words for most, words in _PARTS if share < most), "all of it")


def _conclusion(explanation: Explanation, amount: Amount) -> str:
    """Return the action that is worth most, and by how much."""
    public, best = explanation.public, explanation.best
    alike = [choice for choice in explanation.choices if choice.loss <= explanation.slack]
    other, more = _contrast(explanation), ""
    if other:
        more = f"{_chips(other.loss, amount)} more than {playing_words(public, other.action, amount)}"
    if len(alike) == 1:
        return f"{playing_words(public, best.action, amount)} ({_often(best.frequency)}) is worth {more}"
    alike.sort(key=lambda choice: -choice.frequency)
    ways = [f"{playing_words(public, choice.action, amount)} ({_often(choice.frequency)})" for choice in alike]
    return f"{joined(ways)} are worth about the same" + (f", {more}" if more else "")


def _contrast(explanation: Explanation) -> Choice | None:
    """Return the action to compare the best one with: the most obvious of those that are worth less."""
    others = [choice for choice in explanation.choices if choice.loss > explanation.slack]
    if not others:
        return None
    instead = FOLD if explanation.best.action == CALL and explanation.public.to_call else CALL
    return next((choice for choice in others if choice.action == instead), max(others, key=lambda one: one.ev))


def _often(frequency: float) -> str:
    if frequency > 1 - _LEAST:
        return "always" if frequency > 1 - _ROUNDING else "almost always"
    return f"{share_words(frequency)} of the time" if frequency >= _LEAST else "almost never"


def _chips(chips: float, amount: Amount) -> str:
    words = amount(chips)
    return f"{words} chip{'' if words == '1' else 's'}"
