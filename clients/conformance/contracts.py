"""The contracts that can be checked, by the name of the service that fulfils them."""

from importlib import import_module

from riverboat.clients.conformance.check import Check

NAMES = ("oracle", "gamemanager", "resolver", "trainer")


def checks_of(name: str) -> list[Check]:
    """The checks of one of `NAMES`, those of a method together; loaded only now, because some load kernels."""
    found: tuple[Check, ...] = import_module(f"riverboat.clients.conformance.{name}").CHECKS
    order: dict[tuple[str, str], int] = {}
    for check in found:
        order.setdefault((check.service, check.method), len(order))
    return sorted(found, key=lambda check: order[check.service, check.method])
