"""Files with results that a second run continues: settings that must agree, and numbers."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from riverboat.compiled.kernels import source_files
from riverboat.errors import InvalidInput

_DIGITS = 16


@cache
def code_version(*roots: ModuleType) -> str:
    """Return Riverboat's version and a hash of the source files of some modules and of all that they import.

    The hash does not cover the code of a resolver in another process.
    """
    files = {file for root in roots for file in source_files(Path(str(root.__file__)))}
    digest = hashlib.sha256()
    for name, content in sorted((file.name, file.read_bytes()) for file in files):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return f"{version('riverboat')} {digest.hexdigest()[:_DIGITS]}"


class ResultFiles:
    """JSON documents of one kind, each with the settings that two runs must share to continue each other's results.

    The kind names what one file contains: "a pairing of a ladder".
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self._kind = folder, kind
        folder.mkdir(parents=True, exist_ok=True)

    def file(self, name: str) -> Path:
        """Return the file of a result whose name may have colons."""
        return self.folder / f"{name.replace(':', '=')}.json"

    def read(self, file: Path) -> Mapping[str, Any]:
        """Return a document."""
        try:
            document = json.loads(file.read_text())
        except ValueError:
            raise self.unreadable(file) from None
        if not isinstance(document, dict):
            raise self.unreadable(file)
        return document

    def write(self, file: Path, document: Mapping[str, Any]) -> None:
        """Replace a document; after a crash the file is either the old or the new one."""
        part = file.with_suffix(".part")
        part.write_text(json.dumps(document))
        part.replace(file)

    def check(self, file: Path, kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        """Refuse a file whose settings are not the wanted ones."""
        for name, value in wanted.items():
            if kept.get(name) != value:
                reason = f"was played with {name} {kept.get(name)}, and this run has {value}"
                raise InvalidInput("folder", f"{file} {reason}; choose another folder, or delete the file")

    def unreadable(self, file: Path) -> InvalidInput:
        """Return the error of a file that is something else."""
        return InvalidInput("folder", f"{file} is not {self._kind}; choose another folder, or delete the file")
