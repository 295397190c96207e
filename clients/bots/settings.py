"""What bots and agent hosts take from the environment."""

import os

from riverboat.rpc.connections.keyring import find_secret
from riverboat.rpc.connections.settings import secret_in

DEFAULT_SERVER = "127.0.0.1:50052"
DEFAULT_RESOLVER = "127.0.0.1:50053"


def gamemanager_server() -> str:
    """RIVERBOAT_GAMEMANAGER_SERVER: host:port of the game manager; its own default without it."""
    return os.environ.get("RIVERBOAT_GAMEMANAGER_SERVER") or DEFAULT_SERVER


def host_key(server: str) -> str:
    """What a game manager wants to hear from agent hosts; empty if nothing. It is RIVERBOAT_GAMEMANAGER_HOST_KEY, the
    content of RIVERBOAT_GAMEMANAGER_HOST_KEY_FILE, or what a keyring has for that server."""
    return secret_in("RIVERBOAT_GAMEMANAGER_HOST_KEY") or find_secret(server)


def resolver_server() -> str:
    """RIVERBOAT_RESOLVER_SERVER: host:port of the resolver that some agents ask; its own default without it."""
    return os.environ.get("RIVERBOAT_RESOLVER_SERVER") or DEFAULT_RESOLVER


def waits_for_resolver() -> bool:
    """Whether RIVERBOAT_RESOLVER_SERVER is set: then there is to be one."""
    return bool(os.environ.get("RIVERBOAT_RESOLVER_SERVER"))
