"""The kinds of runs in rounds, by name. A kind is imported when it is needed: each has its own libraries."""

from collections.abc import Callable

from riverboat.errors import InvalidInput
from riverboat.services.trainer.rounds.kind import RoundsKind
from riverboat.training.plans import NETWORK
from riverboat.training.rounds import RoundsPlan, RunKind, read_settings, settings_of, write_settings


def _blueprint() -> RoundsKind:
    from riverboat.services.trainer.blueprint.kind import KIND

    return KIND


def _evolution() -> RoundsKind:
    from riverboat.services.trainer.evolution.kind import KIND

    return KIND


def _policy() -> RoundsKind:
    from riverboat.services.trainer.policies.kind import KIND

    return KIND


def _opponents() -> RoundsKind:
    from riverboat.services.trainer.opponents.kind import KIND

    return KIND


KINDS: dict[str, Callable[[], RoundsKind]] = {
    "blueprint": _blueprint,
    "policy": _policy,
    "evolution": _evolution,
    "opponents": _opponents,
}


def find_kind(name: str) -> RoundsKind:
    """Return the kind with this name."""
    if name not in KINDS:
        raise InvalidInput(
            "kind", f"no kind of run is called {name[:40]!r}; the kinds are {', '.join([NETWORK, *KINDS])}"
        )
    return KINDS[name]()


def list_kinds() -> list[RunKind]:
    """Return all kinds, with their settings."""
    kinds = [find_kind(name) for name in KINDS]
    return [RunKind(kind.name, kind.makes, settings_of(kind.plan)) for kind in kinds]


def count_rounds(plan: RoundsPlan) -> int:
    """Return the number of rounds of a plan; InvalidInput if its kind or a setting is wrong."""
    kind = find_kind(plan.kind)
    return kind.round_count(read_settings(kind.plan, plan.settings))


def with_defaults(plan: RoundsPlan) -> RoundsPlan:
    """Return a plan with all settings of its kind; InvalidInput if its kind or a setting is wrong."""
    kind = find_kind(plan.kind)
    return RoundsPlan(plan.kind, write_settings(read_settings(kind.plan, plan.settings)))
