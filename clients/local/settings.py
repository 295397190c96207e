"""Settings of services in the environment: their addresses, and the environment of a started process."""

import os

# Ports that the services of this machine listen at by default.
PORTS = {"oracle": 50051, "gamemanager": 50052, "resolver": 50053, "trainer": 50054}


def server_variable(service: str) -> str:
    """Return the variable that names a running service, such as RIVERBOAT_ORACLE_SERVER."""
    return f"RIVERBOAT_{service.upper()}_SERVER"


def server_in_environment(service: str) -> str | None:
    """Return host:port of a running service, from RIVERBOAT_<SERVICE>_SERVER; None if commands start their own."""
    return os.environ.get(server_variable(service)) or None


def redis_url() -> str | None:
    """Return RIVERBOAT_REDIS_URL, a Redis for training; None if commands start their own."""
    return os.environ.get("RIVERBOAT_REDIS_URL") or None


def child_environment(changes: dict[str, str]) -> dict[str, str]:
    """Return the environment for a process started from here."""
    return {**os.environ, **changes}
