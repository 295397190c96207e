"""Runs in rounds: the settings of a plan as texts by name, and the measures of a round.

Every kind of run except value networks is one in rounds (self-play, evolution, clustering). Its plan is a frozen
dataclass whose fields are made by `setting`; over a contract it is the name of the kind and its settings as texts, so
that a new kind changes no contract.
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, TypeVar

from riverboat.errors import InvalidInput

P = TypeVar("P")
_HELP, _LOW, _HIGH, _CHOICES = "help", "low", "high", "choices"
_YES_NO = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class RoundsPlan:
    """The plan of a run in rounds: its kind, and its settings as texts by name; a missing one has its default."""

    kind: str
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a kind of run, for people."""

    name: str
    default: str
    help: str


@dataclass(frozen=True, slots=True)
class RunKind:
    """A kind of run: its name, its product, and its settings."""

    name: str
    makes: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The measures of one round of a run, by name."""

    number: int  # from 1
    measures: Mapping[str, float]


def setting(
    default: Any, help: str, *, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """Return a field of a plan: its default (whose type is the field's), its help, and its limits or choices."""
    return field(default=default, metadata={_HELP: help, _LOW: low, _HIGH: high, _CHOICES: choices})


def settings_of(plan: type[Any]) -> tuple[Setting, ...]:
    """Return the settings of a type of plan, with their defaults."""
    return tuple(Setting(each.name, text_of(each.default), each.metadata[_HELP]) for each in fields(plan))


def read_settings(plan: type[P], texts: Mapping[str, str]) -> P:
    """Return the plan with these settings; raise InvalidInput with the name of one that is unknown or wrong."""
    known = {each.name: each for each in fields(plan)}  # type: ignore[arg-type]
    for name in texts:
        if name not in known:
            raise InvalidInput(f"settings.{name[:40]}", f"unknown setting; the settings are {', '.join(known)}")
    return plan(**{name: _value(known[name], text) for name, text in texts.items()})


def write_settings(plan: Any) -> dict[str, str]:
    """Return all settings of a plan as texts by name."""
    return {each.name: text_of(getattr(plan, each.name)) for each in fields(plan)}


def text_of(value: Any) -> str:
    """Return the value of a setting as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _value(each: "Field[Any]", text: str) -> Any:
    try:
        value = _parsed(type(each.default), text)
    except (ValueError, KeyError):
        wanted = "yes or no" if isinstance(each.default, bool) else f"like {text_of(each.default)}"
        raise InvalidInput(f"settings.{each.name}", f"must be {wanted}, not {text[:40]!r}") from None
    low, high, choices = each.metadata[_LOW], each.metadata[_HIGH], each.metadata[_CHOICES]
    if choices and value not in choices:
        raise InvalidInput(f"settings.{each.name}", f"must be one of {', '.join(choices)}, not {text[:40]!r}")
    # Written so that NaN, which compares false with everything, is refused too.
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        limits = f"at least {low:,}" if high is None else f"between {low:,} and {high:,}"
        raise InvalidInput(f"settings.{each.name}", f"must be {limits}, not {text[:40]}")
    return value


def _parsed(kind: type, text: str) -> Any:
    return _YES_NO[text.lower()] if kind is bool else kind(text)
