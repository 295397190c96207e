"""Policies of trees as files: JSON with the menus, the questions and the leaves of each street."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.policies.boosted_trees import BoostedTrees
from riverboat.policies.menus import Menu
from riverboat.policies.policy import LearnedPolicy, StreetModel, deck_named
from riverboat.policies.trees import LEAF, DecisionTree, TreeShape, tree_of_leaves

FORMAT = "riverboat policy 1"
LARGEST_FILE = 100_000_000  # bytes
_PARTS = 1_000  # chances are written in thousandths
_DIGITS = 7  # of cuts: a float32 has no more


def write_policy(policy: LearnedPolicy) -> bytes:
    """Return a policy of trees as the bytes of a file; the same policy gives the same bytes."""
    streets = [
        {"fractions": list(menu.fractions), **model_entries(model)}
        for menu, model in zip(policy.menus, policy.models, strict=True)
    ]
    content = {"format": FORMAT, **about_entries(policy), "streets": streets}
    return (json.dumps(content, separators=(",", ":")) + "\n").encode()


def read_policy(data: bytes) -> LearnedPolicy:
    """Return the policy of a file; raise InvalidInput if it is not one."""
    if len(data) > LARGEST_FILE:
        raise InvalidInput("", f"a policy has at most {LARGEST_FILE:,} bytes, this file {len(data):,}")
    try:
        content: Any = json.loads(data)
        if content["format"] != FORMAT:
            raise InvalidInput("format", f"must be {FORMAT!r}, not {str(content['format'])[:40]!r}")
        streets = content["streets"]
        menus = tuple(read_menu(street["fractions"]) for street in streets)
        models = tuple(read_model(street, menu) for street, menu in zip(streets, menus, strict=True))
        return policy_about(content, menus, models)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInput("", f"not a policy: {type(error).__name__} {str(error)[:60]}") from None


def about_entries(policy: LearnedPolicy) -> dict[str, Any]:
    """Return a policy's facts besides its models, as JSON values."""
    preflop = [[_short(number) for number in row] for row in policy.preflop.tolist()]
    return {"kind": policy.kind, "deck": policy.deck.name, "stack": policy.stack, "preflop": preflop}


def policy_about(entries: Any, menus: tuple[Menu, ...], models: tuple[StreetModel, ...]) -> LearnedPolicy:
    """Return the policy that JSON and models describe."""
    return LearnedPolicy(
        kind=str(entries["kind"]),
        deck=deck_named(entries["deck"]),
        stack=int(entries["stack"]),
        preflop=np.array(entries["preflop"], np.float32),
        menus=menus,
        models=models,
    )


def read_menu(fractions: Any) -> Menu:
    """Return the menu with these fractions."""
    return Menu(tuple(float(fraction) for fraction in fractions))


def _short(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def model_entries(model: object) -> dict[str, Any]:
    """Return a model of trees as JSON values."""
    if isinstance(model, BoostedTrees):
        base = [_short(number) for number in model.base.tolist()]
        return {"boosted": {**_shape_entries(model.shape), "roots": model.roots.tolist(), "base": base}}
    if isinstance(model, DecisionTree):
        leaves = model.shape.feature == LEAF
        return {
            "tree": {
                **_shape_entries(model.shape),
                "states": [round(float(count), 1) for count in model.states[leaves]],
                "chances": [_parts(row) for row in model.values[leaves]],
            }
        }
    raise InvalidInput("models", f"a {type(model).__name__} is not written as JSON")


def _parts(chances: NDArray[np.float32]) -> list[int]:
    """Return chances in thousandths that add up to a thousand; the likeliest gets the rounding error."""
    parts = np.rint(chances * _PARTS).astype(int)
    parts[int(parts.argmax())] += _PARTS - int(parts.sum())
    return [int(part) for part in parts]


def _shape_entries(shape: TreeShape) -> dict[str, Any]:
    return {
        "feature": shape.feature.tolist(),
        "cut": [_short(number) for number in shape.cut.tolist()],
        "right": shape.right.tolist(),
    }


def read_model(street: Any, menu: Menu) -> StreetModel:
    """Return the model of trees that JSON describes, for the choices of a menu."""
    if "boosted" in street:
        entries = street["boosted"]
        base = np.array(entries["base"], np.float32)
        if base.shape != (len(menu),):
            raise InvalidInput(
                "boosted",
                f"base must have {len(menu)} numbers (choices), not {list(base.shape)}",
            )
        return BoostedTrees(_shape(entries), np.array(entries["roots"], np.int32), base)
    entries = street["tree"]
    chances = np.array(entries["chances"], np.float32) / np.float32(_PARTS)
    if chances.shape[1:] != (len(menu),):
        raise InvalidInput(
            "tree",
            f"chances must have {len(menu)} columns (choices), not {list(chances.shape[1:])}",
        )
    return tree_of_leaves(_shape(entries), np.array(entries["states"], np.float32), chances)


def _shape(entries: Any) -> TreeShape:
    return TreeShape(
        np.array(entries["feature"], np.int16),
        np.array(entries["cut"], np.float32),
        np.array(entries["right"], np.int32),
    )
