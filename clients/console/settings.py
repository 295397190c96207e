"""What the command line takes from the environment."""

import os
from pathlib import Path

# Where services of this machine listen, unless they are told otherwise.
PORTS = {"oracle": 50051, "gamemanager": 50052, "resolver": 50053, "trainer": 50054}


def oracle_server() -> str | None:
    """RIVERBOAT_ORACLE_SERVER: host:port of a running oracle; without it commands start their own."""
    return os.environ.get("RIVERBOAT_ORACLE_SERVER") or None


def gamemanager_server() -> str | None:
    """RIVERBOAT_GAMEMANAGER_SERVER: host:port of a running game manager; without it commands start their own."""
    return os.environ.get("RIVERBOAT_GAMEMANAGER_SERVER") or None


def resolver_server() -> str | None:
    """RIVERBOAT_RESOLVER_SERVER: host:port of a running resolver; without it commands start their own."""
    return os.environ.get("RIVERBOAT_RESOLVER_SERVER") or None


def trainer_server() -> str | None:
    """RIVERBOAT_TRAINER_SERVER: host:port of a running trainer; without it commands start their own."""
    return os.environ.get("RIVERBOAT_TRAINER_SERVER") or None


def redis_url() -> str | None:
    """RIVERBOAT_REDIS_URL: a Redis for training; without it commands start their own."""
    return os.environ.get("RIVERBOAT_REDIS_URL") or None


def child_environment(changes: dict[str, str]) -> dict[str, str]:
    """The environment for a service started from here."""
    return {**os.environ, **changes}


def quiet_grpc() -> None:
    """Keep gRPC from writing notes on lost connections to the terminal; before it is loaded."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def state_folder() -> Path:
    """XDG_STATE_HOME, or ~/.local/state: where programs keep what they saw; ours is in a folder of its own."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "riverboat"
