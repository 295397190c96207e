"""Explanations in words: two sentences that a player understands, and names for actions."""

from collections.abc import Callable, Sequence

from riverboat.clients.analysis.comparison import Group
from riverboat.clients.analysis.explanation import Choice, Explanation, Response
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState

Amount = Callable[[float], str]  # chips as people read them

_MOST_GROUPS = 2
_ENOUGH = 0.75  # of a side: a group that needs no other beside it
_WORTH_NAMING = 0.2  # of a side
_HALF = 0.5
_LEAST = 0.005  # of a range, to be worth a word
_ROUNDING = 1e-9
# The largest share for which each is said.
_PARTS = (
    (0.01, "none of it"),
    (0.07, "hardly any of it"),
    (0.15, "a tenth of it"),
    (0.22, "a fifth of it"),
    (0.29, "a quarter of it"),
    (0.42, "a third of it"),
    (0.58, "half of it"),
    (0.71, "two thirds of it"),
    (0.85, "three quarters of it"),
    (0.99, "most of it"),
)


def chips_words(chips: float) -> str:
    """Chips, with decimals where there are few."""
    if chips == round(chips) or abs(chips) >= 10:
        return f"{round(chips):,}"
    said = f"{chips:.1f}" if abs(chips) >= 1 else f"{chips:.2f}"
    return said if float(said) else "0"


def share_words(share: float) -> str:
    """A share as people say it: never 0 % or 100 % for what is not."""
    if 0 < share < _LEAST:
        return "less than 1 %"
    if 1 - _LEAST <= share < 1:
        return "more than 99 %"
    return f"{100 * share:.0f} %"


def action_words(public: PublicState, action: int, amount: Amount = chips_words) -> str:
    """ "check", "raise to 300", "call 9,700 (all-in)"."""
    if action == FOLD:
        return "fold"
    if action == CALL and not public.to_call:
        return "check"
    words = f"call {amount(public.to_call)}" if action == CALL else f"{_verb(public)} {amount(action)}"
    after = public.play(action)
    return words if after.stacks[public.actor or 0] else f"{words} (all-in)"


def _verb(public: PublicState) -> str:
    return "raise to" if public.bet else "bet"


def _doing(public: PublicState, action: int, amount: Amount) -> str:
    """ "checking", "raising to 300"."""
    if action == FOLD:
        return "folding"
    if action == CALL:
        return f"calling {amount(public.to_call)}" if public.to_call else "checking"
    return f"{'raising to' if public.bet else 'betting'} {amount(action)}"


def why(explanation: Explanation, opponent: str = "your opponent", amount: Amount = chips_words) -> str:
    """Two sentences: ahead of what and behind what; and what follows from that, with what a bet folds out."""
    return f"{_stands(explanation, opponent)}. {_follows(explanation, amount)}."


# How it stands


def _stands(explanation: Explanation, opponent: str) -> str:
    standing, is_last = explanation.standing, _is_last(explanation.public)
    beats, loses, ties = ("beat", "lose to", "tie with") if is_last else ("ahead of", "behind", "level with")
    sides = [(beats, standing.beats, standing.beaten), (loses, standing.loses, standing.better)]
    sides = [side for side in sides if side[1] > 0]
    if standing.ties >= _LEAST or not sides:
        sides.append((ties, standing.ties, ()))
    can_have = f"{opponent} can have here"
    if len(sides) == 1:
        nearly = "" if sides[0][1] > 1 - _ROUNDING else "nearly "
        said = f"{sides[0][0]} {nearly}everything that {can_have}"
    else:
        first, *rest = (f"{verb} {share_words(share)}" for verb, share, _ in sides)
        mostly = [_mostly(groups, share) for _, share, groups in sides]
        said = _joined(list(map(str.__add__, [f"{first} of what {can_have}", *rest], mostly)))
    if is_last:
        return f"You {said}"
    return f"You are {said}, and win {share_words(explanation.equity)} of the pot on average if nobody bets any more"


def _mostly(groups: Sequence[Group], share: float) -> str:
    """The largest groups of a side."""
    named = [group for group in groups[:_MOST_GROUPS] if group.share >= _WORTH_NAMING * share]
    if named and named[0].share >= _ENOUGH * share:
        named = named[:1]
    if not named:
        return ""
    is_most = sum(group.share for group in named) > _HALF * share
    is_all = len(groups) == 1
    how = "all of it" if is_all else "mostly" if is_most else "most often"
    return f" ({how} {' and '.join(group.words for group in named)})"


def _is_last(public: PublicState) -> bool:
    return public.street == len(public.variant.streets) - 1


def _joined(parts: Sequence[str]) -> str:
    """ "one, two and three"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


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
    """The share of the pot that a call must win, not to lose chips: what it pays, of what can be won and that."""
    after = public.play(CALL)
    uncalled = max(after.paid) - min(after.paid)  # goes back to who bet more than the other has
    return public.to_call / (after.pot - uncalled)


def _odds(explanation: Explanation, amount: Amount) -> str:
    public = explanation.public
    needs, call = pot_odds(public), explanation.choice(CALL)
    said = f"a call of {amount(public.to_call)} needs {share_words(needs)} of the pot"
    if call.ev > explanation.slack and explanation.equity < needs:
        return f"{said} and your hand has {share_words(explanation.equity)}, but more is won by later bets"
    if call.ev < -explanation.slack and explanation.equity > needs:
        return f"{said} and your hand has {share_words(explanation.equity)}, but later bets cost more than that"
    return f"{said} and your hand has {share_words(explanation.equity)}"


def _raise_to_name(explanation: Explanation) -> Choice | None:
    """The best raise; facing a bet only if it is as good as anything."""
    raises = [choice for choice in explanation.choices if choice.action > CALL]
    if not raises:
        return None
    best = max(raises, key=lambda choice: choice.ev)
    return best if not explanation.public.to_call or best.loss <= explanation.slack else None


def _folds(public: PublicState, action: int, response: Response, amount: Amount) -> str:
    said = f"a {'raise to' if public.bet else 'bet of'} {amount(action)} folds out "
    said += share_words(response.folds) if response.folds else "nothing"
    if response.folds >= _LEAST:
        said += f" ({_part(response.better_folds)} better than your hand)"
    if response.folds > 1 - _LEAST:
        return said
    leaves = "you beat" if _is_last(public) else "leaves you ahead of"
    return f"{said} and {leaves} {share_words(response.beaten_stays)} of what stays in"


def _part(share: float) -> str:
    return next((words for most, words in _PARTS if share < most), "all of it")


def _conclusion(explanation: Explanation, amount: Amount) -> str:
    """What is worth most, and how much more than what."""
    public, best = explanation.public, explanation.best
    alike = [choice for choice in explanation.choices if choice.loss <= explanation.slack]
    other, more = _contrast(explanation), ""
    if other:
        more = f"{_chips(other.loss, amount)} more than {_doing(public, other.action, amount)}"
    if len(alike) == 1:
        return f"{_doing(public, best.action, amount)} ({_often(best.frequency, ' of the time')}) is worth {more}"
    alike.sort(key=lambda choice: -choice.frequency)
    said = [f"{_doing(public, choice.action, amount)} ({_often(choice.frequency)})" for choice in alike]
    return f"{_joined(said)} are worth about the same" + (f", {more}" if more else "")


def _contrast(explanation: Explanation) -> Choice | None:
    """What to compare the best action with: what one would think of first among those that are worth less."""
    others = [choice for choice in explanation.choices if choice.loss > explanation.slack]
    if not others:
        return None
    instead = FOLD if explanation.best.action == CALL and explanation.public.to_call else CALL
    return next((choice for choice in others if choice.action == instead), max(others, key=lambda one: one.ev))


def _often(frequency: float, of_time: str = "") -> str:
    if frequency > 1 - _LEAST:
        return "always" if frequency > 1 - _ROUNDING else "nearly always"
    return f"{share_words(frequency)}{of_time}" if frequency >= _LEAST else "hardly ever"


def _chips(chips: float, amount: Amount) -> str:
    said = amount(chips)
    return f"{said} chip{'' if said == '1' else 's'}"
