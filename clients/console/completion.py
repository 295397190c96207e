"""Values that the shell completes, after riverboat --install-completion."""

from collections.abc import Callable, Iterable

from riverboat.cards import DECKS
from riverboat.clients.bots.agents.names import OFFERED_NAMES
from riverboat.clients.local.settings import PORTS
from riverboat.streets import STREETS

Complete = Callable[[str], list[str]]


def _one_of(values: Iterable[str]) -> Complete:
    known = tuple(values)
    return lambda incomplete: [value for value in known if value.startswith(incomplete)]


def server_of(service: str) -> Complete:
    """Complete the default address of a service."""
    return _one_of([f"127.0.0.1:{PORTS[service]}"])


def agents(incomplete: str) -> list[str]:
    """Complete the last agent of a list: rollout,ra becomes rollout,random."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in OFFERED_NAMES if name.startswith(last)]


agent = _one_of(OFFERED_NAMES)
decks = _one_of(DECKS)
holdem_decks = _one_of(deck.name for deck in DECKS.values() if deck.is_holdem)
streets = _one_of(STREETS)
