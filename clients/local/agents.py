"""The agent host that commands start: its agents, its command line, and when agents can be seated."""

import time
from collections.abc import Callable, Sequence

from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput, NotFound
from riverboat.tables.agent_names import names_instead, split_agent_name

_AGENTS_SECONDS = 60
_QUICKEST = "always-call"  # to start, where no agent is wanted
_LOOK_SECONDS = 0.05


def check_own_agents(wanted: Sequence[str]) -> None:
    """Refuse agents that a host of our own cannot play, before anything is started."""
    for name in wanted:
        try:
            find_agent(name)
        except (NotFound, InvalidInput) as error:
            raise Refused(str(error)) from None


def host_command(server: str, agents: Sequence[str], resolver_server: str) -> tuple[list[str], dict[str, str]]:
    """Return the arguments and environment of a host for the game manager at `server`, which ends with this process.

    It offers these agents only: what the others play with need not be compiled before the first table opens.
    """
    offered = dict.fromkeys(split_agent_name(name)[0] for name in agents) or {_QUICKEST: None}
    arguments = ["--server", server, "--until-input-ends", "--agents", ",".join(offered)]
    return arguments, {"RIVERBOAT_RESOLVER_SERVER": resolver_server} if resolver_server else {}


def wait_for_agents(
    games: GameManagerClient, agents: Sequence[str], check: Callable[[], None], seconds: float = _AGENTS_SECONDS
) -> None:
    """Block until a host offers these agents; refuse at once if a host attends and one of them is unknown."""
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        check()
        offered = games.agents()
        missing = sorted(name for name in set(agents) if not {name, split_agent_name(name)[0]} & set(offered))
        if offered and missing:
            raise Refused(f"no agent is called {missing[0][:30]!r}; {names_instead(missing[0], offered)}")
        if offered:
            return
        time.sleep(_LOOK_SECONDS)
    raise Refused(f"no agent host attended within {seconds:.0f} seconds")
