"""The choice of hosts for chairs: instances of an agent at different sides of a duplicate match share no memory."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol, TypeVar

from riverboat.errors import IllegalAction


class Process(Protocol):
    """The facts about a host that decide which chairs it may get."""

    forgets: bool  # its agents keep nothing from one hand to the next
    process: str
    places: set[tuple[str, int]]  # chairs that it plays


H = TypeVar("H", bound=Process)


def able_at_side(hosts: Iterable[H], elsewhere: Collection[str], other_tables: Collection[str]) -> list[H]:
    """Return the hosts that may play at a side: not those that remember hands and play, or played, at another side.

    `elsewhere` are the processes that have played at other sides of the match, whose tables are `other_tables`.
    """
    return [
        host
        for host in hosts
        if host.forgets or not (host.process in elsewhere or any(table in other_tables for table, _ in host.places))
    ]


def best_host(hosts: Sequence[H], here: Collection[str]) -> H:
    """Return the host to give a chair to: one that leaves the most hosts for other sides, then the least busy one.

    `here` are the processes that play at this side already.
    """
    return min(hosts, key=lambda host: (not host.forgets and host.process not in here, len(host.places)))


def check_instances(agents: Sequence[str], hosts: Sequence[H], plays: Callable[[H, str], bool]) -> None:
    """Raise unless every side of a duplicate match between `agents` can have instances of its own."""
    used: list[set[str]] = [set() for _ in agents]  # the processes that remember, by side
    for side, here in enumerate(used):
        elsewhere = set().union(*used[:side])
        for agent in agents:
            able = able_at_side((host for host in hosts if plays(host, agent)), elsewhere, ())
            if not able:
                raise IllegalAction(_refusal(agent, len(agents), side))
            host = best_host(able, here)
            if not host.forgets:
                here.add(host.process)


def _refusal(agent: str, side_count: int, process_count: int) -> str:
    count = f"{process_count} process offers" if process_count == 1 else f"{process_count} processes offer"
    return (
        f"{agent[:30]} may remember hands: a duplicate match needs {side_count} processes that offer it, one for each "
        f"side, and {count} it; riverboat bot --host starts --instances N of them, and each logs agents_offered once "
        "it attends; let its host attend with MEMORY_NONE if its agents keep nothing between hands, or play without "
        "duplicate"
    )
