"""Files that commands write: checked before the work, written after it; and what drawing them needs."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.installation import how_to_install


def check_target(option: str, path: Path | None, endings: Sequence[str]) -> None:
    """Refuse a file that cannot be written, before the work begins."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        allowed = " or ".join(", ".join(endings).rsplit(", ", 1))
        raise Refused(f"{option}: {path} must end in {allowed}")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise Refused(f"{option}: there is no folder {path.parent}")
    if path.is_dir():
        raise Refused(f"{option}: {path} is a folder")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise Refused(f"{option}: {path} cannot be written")


def write(option: str, path: Path | None, write_to: Callable[[Path], None]) -> str:
    """Write a file if one is named; return a line about it."""
    if path is None:
        return ""
    try:
        write_to(path)
    except OSError as error:
        raise Refused(f"{option}: {path}: {error.strerror or error}") from None
    return f"written to {path}"


@contextmanager
def needs_matplotlib(subject: str) -> Iterator[None]:
    """Refuse, and say how to install matplotlib, if the block cannot import it; `subject` is what needs it."""
    try:
        yield
    except ImportError:
        raise Refused(f"{subject} needs matplotlib: {how_to_install('pictures')}") from None
