"""Names of agents are data: they must agree with the agents."""

import subprocess
import sys
from pathlib import Path

from riverboat.arena.bot import Bot
from riverboat.clients.bots.agents.habit import HABITS
from riverboat.clients.bots.agents.names import CLASSES, HABIT_NAMES, OFFERED_NAMES
from riverboat.clients.bots.agents.registry import AGENTS, agent_modules, find_agent
from riverboat.clients.bots.evolved_nets.shelf import FOLDER, nets_in
from riverboat.compiled.kernels import source_files


def test_every_name_has_its_class() -> None:
    for name, (_, class_name) in CLASSES.items():
        agent = AGENTS[name]
        assert isinstance(agent, type)
        assert issubclass(agent, Bot)
        assert agent.__name__ == class_name


def test_parameters_that_are_offered_exist() -> None:
    assert tuple(HABITS) == HABIT_NAMES
    assert {name for name in OFFERED_NAMES if name.startswith("evolved:")} == {
        f"evolved:{net}" for net in nets_in(FOLDER)
    }
    assert all(callable(find_agent(name)) for name in OFFERED_NAMES)


def test_all_modules_of_agents_are_known() -> None:
    """What agents are is part of the version of a result: every class is in one of these modules."""
    files = {file for module in agent_modules() for file in source_files(Path(str(module.__file__)))}
    homes = (sys.modules[agent.__module__] for agent in AGENTS.values())
    assert {Path(str(home.__file__)).resolve() for home in homes} <= files


def test_a_name_loads_no_agent() -> None:
    program = (
        "import sys; from riverboat.clients.bots.agents.names import needs_resolver; print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
