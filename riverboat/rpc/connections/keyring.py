"""Keyrings: secrets of servers started on this machine, by address, in files that only their owner can read.

The program that starts a server writes the server's secret down. Clients of the same user find it there, and send each
secret only to its own server.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from riverboat.rpc.connections.settings import keyrings
from riverboat.rpc.secret_files import is_secret, write_private


def find_secret(address: str) -> str:
    """Return the secret of the server at an address; empty if no keyring has one."""
    return next((secret for path in keyrings() if (secret := read_keyring(path).get(_key(address)))), "")


def read_keyring(path: Path) -> dict[str, str]:
    """Return the secrets in a keyring by address; none if the file is missing or is not a keyring."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    pairs = content.items() if isinstance(content, dict) else ()
    return {address: secret for address, secret in pairs if isinstance(secret, str) and is_secret(secret)}


def change_keyring(path: Path, changes: Mapping[str, str | None], owner: tuple[int, int] | None = None) -> None:
    """Write the secrets of some addresses, or forget those that are None. Raise OSError if that fails."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(path):
        changed: dict[str, str | None] = {
            **read_keyring(path),
            **{_key(address): changes[address] for address in changes},
        }
        kept = {address: secret for address, secret in changed.items() if secret}
        write_private(path, json.dumps(kept, indent=2) + "\n", owner)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a keyring. The folder carries it, so that no lock file is left behind."""
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _key(address: str) -> str:
    """Return an address the way keyrings spell it."""
    host, colon, port = address.rpartition(":")
    return f"127.0.0.1{colon}{port}" if host == "localhost" else address
