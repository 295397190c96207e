"""The settings of clients for connections, from the environment."""

import os
from pathlib import Path

from riverboat.rpc.secret_files import read_secret

AUTHORITY, CERTIFICATE, KEY = "RIVERBOAT_TLS_AUTHORITY", "RIVERBOAT_TLS_CERTIFICATE", "RIVERBOAT_TLS_KEY"
KEYRING_FILE = "keyring.json"


def admin_token() -> str:
    """Return RIVERBOAT_ADMIN_TOKEN, or the text of the file RIVERBOAT_ADMIN_TOKEN_FILE: admin calls need it."""
    return secret_in("RIVERBOAT_ADMIN_TOKEN")


def secret_in(variable: str) -> str:
    """Return a secret from the environment, or from the file that VARIABLE_FILE names; empty if neither is set."""
    path = os.environ.get(f"{variable}_FILE", "")
    return os.environ.get(variable, "") or (read_secret(f"{variable}_FILE", path) if path else "")


def keyrings() -> tuple[Path, ...]:
    """Return the keyrings in the order in which they are searched.

    They are .riverboat of the current folder, then the user's own keyring.
    """
    return Path(".riverboat") / KEYRING_FILE, user_keyring()


def user_keyring() -> Path:
    """Return RIVERBOAT_KEYRING, the user's own keyring; default: ~/.riverboat/keyring.json."""
    given = os.environ.get("RIVERBOAT_KEYRING", "")
    home = os.path.expanduser("~")  # noqa: PTH111  # a user without a home is no error
    return Path(given) if given else Path(home) / ".riverboat" / KEYRING_FILE


def tls_authority() -> str:
    """Return RIVERBOAT_TLS_AUTHORITY, the PEM file of the servers' authority; without it calls are not encrypted."""
    return os.environ.get(AUTHORITY, "")


def tls_certificate() -> str:
    """Return RIVERBOAT_TLS_CERTIFICATE, the PEM file of our own certificate, for servers that authenticate clients."""
    return os.environ.get(CERTIFICATE, "")


def tls_key() -> str:
    """Return RIVERBOAT_TLS_KEY, the PEM file of the key to that certificate."""
    return os.environ.get(KEY, "")
