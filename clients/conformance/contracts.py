"""The contracts that can be checked, by service."""

from importlib import import_module

from riverboat.clients.conformance.check import Check

NAMES = ("oracle", "gamemanager", "resolver", "trainer")


def checks_of(name: str) -> list[Check]:
    """Return the checks of one of `NAMES`, grouped by method. Import them on demand, because some load kernels."""
    checks: tuple[Check, ...] = import_module(f"riverboat.clients.conformance.{name}").CHECKS
    order: dict[tuple[str, str], int] = {}
    for check in checks:
        order.setdefault((check.service, check.method), len(order))
    return sorted(checks, key=lambda check: order[check.service, check.method])
