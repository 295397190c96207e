"""Observers of a service: of its calls, and of its own figures. The settings choose them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from riverboat.rpc.installation import how_to_install
from riverboat.rpc.settings import CannotStart, ServiceSettings

End = Callable[[str], None]  # the call is over, with this code
Begin = Callable[[str, str], End]  # a call begins: its request id, and its place in a trace or nothing
_INSTALL = how_to_install("observing")


class Observer(Protocol):
    """An observer of calls."""

    def observe(self, method: str, is_stream: bool) -> Begin:
        """Return the function to call when a call of this method begins; called once, when the method is registered."""

    def close(self) -> None:
        """Stop; the server is stopping."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a service knows about itself, or one for each label; any thread may read it."""

    name: str
    kind: Literal["gauge", "counter"]
    meaning: str
    read: Callable[[], float | Mapping[str, float]]
    label: str = ""  # the name of the keys, if there are several numbers


def observers_for(settings: ServiceSettings, service: str, figures: tuple[Figure, ...]) -> tuple[Observer, ...]:
    """Return the observers that the settings ask for; without any, calls cost nothing more."""
    observers: list[Observer] = []
    if settings.metrics_address:
        try:
            from riverboat.rpc.metrics import Metrics
        except ModuleNotFoundError as error:
            raise CannotStart("metrics_address", f"needs {error.name}: {_INSTALL}") from None
        observers.append(Metrics(settings.metrics_address, figures))
    if settings.traces:
        try:
            from riverboat.rpc.tracing import Traces
        except ModuleNotFoundError as error:
            raise CannotStart("traces", f"needs {error.name}: {_INSTALL}") from None
        observers.append(Traces(settings.traces, service))
    return tuple(observers)
