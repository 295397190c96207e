"""What may be watched at a service: every call, and figures of its own. Who watches is decided by settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from riverboat.installation import how_to_install
from riverboat.rpc.settings import CannotStart, ServiceSettings

End = Callable[[str], None]  # the call is over, with this code
Begin = Callable[[str, str], End]  # a call begins: its request id, and its place in a trace or nothing
_INSTALL = how_to_install("observing")


class Observer(Protocol):
    """Somebody who watches calls."""

    def observe(self, method: str, is_stream: bool) -> Begin:
        """Asked once for each method, when it is registered."""

    def close(self) -> None:
        """The server stops."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a service knows about itself, or one for each of some labels; it is read on any thread."""

    name: str
    kind: Literal["gauge", "counter"]
    meaning: str
    read: Callable[[], float | Mapping[str, float]]
    label: str = ""  # what the keys are, if there are several numbers


def observers_for(settings: ServiceSettings, service: str, figures: tuple[Figure, ...]) -> tuple[Observer, ...]:
    """Those whom the settings ask for; none costs nothing."""
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
