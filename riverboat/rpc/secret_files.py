"""Secrets in files that only their owner can read."""

import os
import secrets
from pathlib import Path

from riverboat.errors import InvalidInput

SHORTEST_SECRET = 16  # characters
_SECRET_BYTES = 24
OWNER_ONLY = 0o600


def new_secret() -> str:
    """Return an unguessable secret of letters, digits, dashes and underscores."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def is_secret(text: str) -> bool:
    """Return whether a text is long enough for a secret and fits into metadata."""
    return len(text) >= SHORTEST_SECRET and text.isascii() and text.isprintable()


def read_secret(setting: str, path: str) -> str:
    """Return the secret in a file, without surrounding whitespace.

    Raise InvalidInput, which names the setting, if there is none.
    """
    try:
        text = Path(path).read_text(errors="replace").strip()
    except OSError as error:
        raise InvalidInput(setting, f"cannot read {path}: {error.strerror}") from None
    if not is_secret(text):
        raise InvalidInput(setting, f"{path} must have {SHORTEST_SECRET} or more plain characters in it")
    return text


def write_private(path: Path, text: str, owner: tuple[int, int] | None = None, mode: int = OWNER_ONLY) -> None:
    """Replace a file by one that only its owner can ever read: this user, or another (id, group)."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            if owner is not None:
                os.fchown(descriptor, *owner)
            os.fchmod(descriptor, mode)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
