"""What bots and agent hosts take from the environment."""

import os

DEFAULT_SERVER = "127.0.0.1:50052"
DEFAULT_RESOLVER = "127.0.0.1:50053"


def gamemanager_server() -> str:
    """RIVERBOAT_GAMEMANAGER_SERVER: host:port of the game manager; its own default without it."""
    return os.environ.get("RIVERBOAT_GAMEMANAGER_SERVER") or DEFAULT_SERVER


def host_key() -> str:
    """RIVERBOAT_GAMEMANAGER_HOST_KEY: what the game manager wants to hear from agent hosts; empty if nothing."""
    return os.environ.get("RIVERBOAT_GAMEMANAGER_HOST_KEY", "")


def resolver_server() -> str:
    """RIVERBOAT_RESOLVER_SERVER: host:port of the resolver that some agents ask; its own default without it."""
    return os.environ.get("RIVERBOAT_RESOLVER_SERVER") or DEFAULT_RESOLVER


def waits_for_resolver() -> bool:
    """Whether RIVERBOAT_RESOLVER_SERVER is set: then there is to be one."""
    return bool(os.environ.get("RIVERBOAT_RESOLVER_SERVER"))
