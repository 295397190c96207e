"""Files that nobody but the user may read."""

import os
from pathlib import Path
from typing import IO


def open_privately(path: Path, mode: str) -> IO[str]:
    """Open a text file; one that is created is the user's alone."""
    return open(path, mode, encoding="utf-8", opener=_private)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
