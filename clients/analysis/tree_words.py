"""The questions of a learned tree in sentences that a player understands."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from riverboat.clients.analysis.actions import Amount, action_noun, chips_words
from riverboat.features.deciles import DECILES
from riverboat.policies.menus import Menu
from riverboat.policies.policy import BIG_BLIND, F32, LearnedPolicy
from riverboat.policies.trees import LEAF, DecisionTree
from riverboat.rules.state import View
from riverboat.streets import STREETS

_LEAST_SHARE = 0.01  # of a mix, to be named
_ALWAYS = 0.995


@dataclass(frozen=True, slots=True)
class PathStep:
    """The bounds of one feature, from the questions on the way to a leaf."""

    feature: int
    above: float | None  # the number is larger than this
    at_most: float | None


def steps_of(tree: DecisionTree, path: Sequence[int]) -> list[PathStep]:
    """Return the bounds along a path, one step for each feature, in the order of their first questions."""
    steps: dict[int, PathStep] = {}
    for node, after in pairwise(path):
        feature, cut = int(tree.shape.feature[node]), float(tree.shape.cut[node])
        before = steps.get(feature, PathStep(feature, None, None))
        yes = after == node + 1
        steps[feature] = PathStep(feature, before.above if yes else cut, cut if yes else before.at_most)
    return list(steps.values())


def feature_words(street: int, feature: int) -> str:
    """Return a feature of a street's model, as the beginning of a sentence."""
    later = len(STREETS) - 1 - street
    if feature == 0:
        return "you win now"
    if feature <= DECILES * later:
        place, decile = divmod(feature - 1, DECILES)
        name = STREETS[street + 1 + place]
        if decile == DECILES - 1:
            return f"on the very best {name} you win"
        best = 100 - 10 * (decile + 1)
        if best < 50:
            return f"on the best {best} % of {name}s you win at least"
        return f"on the worst {10 * (decile + 1)} % of {name}s you win at most"
    return f"the opponent's bet on the {STREETS[feature - 1 - DECILES * later]}"


def is_bet(street: int, feature: int) -> bool:
    """Return whether a feature of a street's model is a bet; the others are shares of the pot."""
    return feature > DECILES * (len(STREETS) - 1 - street)


def question_words(street: int, feature: int, cut: float) -> str:
    """Return a question of a tree, to be answered by yes or no."""
    words = feature_words(street, feature)
    if is_bet(street, feature):
        return f"{words} ≤ {chips_words(cut)}?"
    return f"{words} ≤ {_percent(cut)}?"


def step_words(street: int, step: PathStep, value: float, amount: Amount = chips_words, scale: float = 1.0) -> str:
    """Return a step with the situation's own number: "on the best 20 % of rivers you win at least 92 % (over 87.5 %)".

    Bets are multiplied by `scale`, from chips of the policy's game to the hand's.
    """
    bet = is_bet(street, step.feature)

    def words(number: float) -> str:
        return amount(number * scale) if bet else _percent(number)

    limits = []
    if step.above is not None:
        limits.append(f"over {words(step.above)}")
    if step.at_most is not None:
        limits.append(f"up to {words(step.at_most)}")
    joint = " is" if bet else ""
    return f"{feature_words(street, step.feature)}{joint} {words(value)} ({', '.join(limits)})"


def mix_words(names: Sequence[str], chances: F32) -> str:
    """Return a mix of choices, the likeliest first: "call 62 %, fold 38 %"."""
    order = sorted(range(len(names)), key=lambda place: -float(chances[place]))
    shown = [place for place in order if chances[place] >= _LEAST_SHARE]
    if chances[order[0]] >= _ALWAYS:
        return names[order[0]]
    return ", ".join(f"{names[place]} {float(chances[place]):.0%}".replace("%", " %") for place in shown)


def path_sentences(policy: LearnedPolicy, view: View, amount: Amount = chips_words) -> list[str]:
    """Return a tree's reasons for its decision: the situation, one line for each feature, and the decision."""
    public = view.public
    tree = policy.models[public.street]
    if not isinstance(tree, DecisionTree):
        return []
    features = policy.situation(view)
    path = tree.path(features)
    scale = public.variant.big_blind / BIG_BLIND
    facing = f"You face {amount(public.to_call)} into {amount(public.pot)}." if public.to_call else "You may check."
    lines = [facing]
    for step in steps_of(tree, path):
        words = step_words(public.street, step, float(features[step.feature]), amount, scale)
        lines.append(f"{words[0].upper()}{words[1:]}.")
    actions, chances = policy.decide(view, features[None])
    names = [action_noun(public, action, amount) for action in actions]
    lines.append(f"So: {mix_words(names, chances[:, 0].astype('float32'))}.")
    count = int(tree.states[path[-1]])
    lines.append(f"Leaf {path[-1]} after {len(path) - 1} questions; {count:,} states of self-play came to it.")
    return lines


def choice_words(menu: Menu) -> tuple[str, ...]:
    """Return the choices of a menu for people."""
    return tuple(f"raise {name[:-1]} pot" if name.endswith("p") else name for name in menu.names)


def is_leaf(tree: DecisionTree, node: int) -> bool:
    """Return whether nothing is asked at a node."""
    return bool(tree.shape.feature[node] == LEAF)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".rstrip("0").rstrip(".") + " %"
