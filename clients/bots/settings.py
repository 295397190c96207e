"""Settings of bots and agent hosts, from the environment."""

import os

from riverboat.rpc.connections.keyring import find_secret
from riverboat.rpc.connections.settings import secret_in

DEFAULT_SERVER = "127.0.0.1:50052"
DEFAULT_RESOLVER = "127.0.0.1:50053"


def gamemanager_server() -> str:
    """Return the game manager's host:port: RIVERBOAT_GAMEMANAGER_SERVER, or the default port on this machine."""
    return os.environ.get("RIVERBOAT_GAMEMANAGER_SERVER") or DEFAULT_SERVER


def host_key(server: str) -> str:
    """Return the key that a game manager asks agent hosts for; "" for none.

    It is RIVERBOAT_GAMEMANAGER_HOST_KEY, the content of RIVERBOAT_GAMEMANAGER_HOST_KEY_FILE, or the server's entry in a
    keyring.
    """
    return secret_in("RIVERBOAT_GAMEMANAGER_HOST_KEY") or find_secret(server)


def resolver_server() -> str:
    """Return the resolver's host:port: RIVERBOAT_RESOLVER_SERVER, or the default port on this machine."""
    return os.environ.get("RIVERBOAT_RESOLVER_SERVER") or DEFAULT_RESOLVER


def blueprint_folder() -> str:
    """Return the folder with blueprints besides those that ship: RIVERBOAT_BLUEPRINTS; "" for none."""
    return os.environ.get("RIVERBOAT_BLUEPRINTS", "")


def evolved_net_folder() -> str:
    """Return the folder with evolved nets besides those that ship: RIVERBOAT_EVOLVED_NETS; "" for none."""
    return os.environ.get("RIVERBOAT_EVOLVED_NETS", "")


def policy_folder() -> str:
    """Return the folder with policies besides those that ship: RIVERBOAT_POLICIES; "" for none."""
    return os.environ.get("RIVERBOAT_POLICIES", "")


def opponent_model_folder() -> str:
    """Return the folder with models of opponents besides those that ship: RIVERBOAT_OPPONENT_MODELS; "" for none."""
    return os.environ.get("RIVERBOAT_OPPONENT_MODELS", "")


def waits_for_resolver() -> bool:
    """Return whether RIVERBOAT_RESOLVER_SERVER is set, so that a resolver is worth waiting for."""
    return bool(os.environ.get("RIVERBOAT_RESOLVER_SERVER"))


def name_resolver(address: str) -> None:
    """Make bots of this process, and of processes that it starts, ask the resolver at `address`."""
    os.environ["RIVERBOAT_RESOLVER_SERVER"] = address
