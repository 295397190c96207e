"""Keyrings: the secrets of servers that were started on this machine, by address, in files that only their owner reads.

Whoever starts servers writes their secrets down. Clients of the same user find them, and send each to its own server
only.
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
    """The secret of the server at an address; empty if no keyring has one."""
    return next((secret for path in keyrings() if (secret := read_keyring(path).get(_key(address)))), "")


def read_keyring(path: Path) -> dict[str, str]:
    """The secrets in a keyring by address; none if there is no such file, or it is no keyring."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    pairs = content.items() if isinstance(content, dict) else ()
    return {address: secret for address, secret in pairs if isinstance(secret, str) and is_secret(secret)}


def change_keyring(path: Path, changes: Mapping[str, str | None], owner: tuple[int, int] | None = None) -> None:
    """Write down, or forget where it is None, the secrets of some addresses. OSError if that is not possible."""
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
    """Wait until nobody else changes a keyring. Its folder is locked, so that no other file is left behind."""
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _key(address: str) -> str:
    """An address as keyrings have it."""
    host, colon, port = address.rpartition(":")
    return f"127.0.0.1{colon}{port}" if host == "localhost" else address
