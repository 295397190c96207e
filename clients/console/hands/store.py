"""A store of hands on disk: a folder with one subfolder for each imported file, and the file's hands there in parts.

A part is written beside its place and then moved there, so that an import that is killed leaves whole parts only.
Running the same command again adds the missing parts.
"""

import fcntl
import hashlib
import json
import lzma
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from riverboat.clients.console.hands.files import COMPRESSED
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import InvalidInput
from riverboat.history.store.parts import FORMAT, VERSION, StoredPart, decode_part, part_source

_MARK, _SOURCE, _LOCK, _END, _DRAFT = "store.json", "source.json", "store.lock", ".safetensors", ".new"
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFile:
    """A file whose hands are all in the store."""

    file: str
    sha256: str
    text_sha256: str  # of the text, after decompression
    part_count: int
    hand_count: int
    left_out_count: int


class HandStore:
    """The folder of a store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other imports out, and remove the leftovers of an import that was killed."""
        with (self.folder / _LOCK).open("wb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Refused(f"--store: another import into {self.folder} is running") from None
            for draft in self.folder.glob(f"**/*{_DRAFT}"):
                draft.unlink(missing_ok=True)
            yield

    def create(self) -> None:
        """Create the folder if it is missing; refuse one with other files in it."""
        if self._is_store():
            return
        try:
            if self.folder.exists() and any(self.folder.iterdir()):
                raise Refused(f"--store: {self.folder} is not a store of hands, and has other files in it")
            self.folder.mkdir(parents=True, exist_ok=True)
            _write(self.folder / _MARK, json.dumps({"format": FORMAT, "version": VERSION}).encode() + b"\n")
        except OSError as error:
            raise Refused(f"--store: {self.folder}: {error.strerror or error}") from None

    def check(self) -> None:
        """Refuse a folder that is not a store, or a store of another version."""
        if not self._is_store():
            raise Refused(
                f"{self.folder} is not a store of hands; riverboat hands import FILE --store {self.folder} makes one"
            )

    def check_parts(self) -> None:
        """Refuse a folder that is no store, or one without a part of a finished file."""
        self.check()
        for file, place in self.missing_parts():
            raise Refused(f"{self.part_path(file.sha256, place)} is missing; import {file.file} again to rebuild it")

    def _is_store(self) -> bool:
        try:
            mark = json.loads((self.folder / _MARK).read_bytes())
        except (OSError, ValueError):
            return False
        if mark != {"format": FORMAT, "version": VERSION}:
            raise Refused(f"{self.folder}: holds {mark}, not {FORMAT} of version {VERSION}")
        return True

    def part_path(self, sha256: str, place: int) -> Path:
        """Return the path of a part of a file."""
        return self.folder / sha256[:16] / f"{place:05d}{_END}"

    def problem(self, sha256: str, place: int) -> str | None:
        """Return why a part cannot be used, "" if it is missing; None if it is whole."""
        path = self.part_path(sha256, place)
        if not path.is_file():
            return ""
        try:
            source = part_source(path.read_bytes())
        except (OSError, InvalidInput) as error:
            return str(error)
        return None if (source.sha256, source.place) == (sha256, place) else "it belongs to another file"

    def write_part(self, sha256: str, place: int, data: bytes) -> None:
        """Write a part, whole or not at all."""
        path = self.part_path(sha256, place)
        path.parent.mkdir(exist_ok=True)
        _write(path, data)

    def finish(self, done: ImportedFile) -> ImportedFile | None:
        """Record a file whose parts are all stored; drop it, and return an earlier file, if one has the same text."""
        twins = [other for other in self.files() if other.text_sha256 == done.text_sha256]
        other = next((twin for twin in twins if twin.sha256 != done.sha256), None)
        folder = self.part_path(done.sha256, 0).parent
        if other is not None:
            for path in folder.iterdir():
                path.unlink()
            folder.rmdir()
            return other
        folder.mkdir(exist_ok=True)
        fields = {name: getattr(done, name) for name in ImportedFile.__slots__}
        _write(folder / _SOURCE, json.dumps(fields, indent=2).encode() + b"\n")
        return None

    def files(self) -> list[ImportedFile]:
        """Return the files whose hands are all in the store."""
        files = []
        for path in sorted(self.folder.glob(f"*/{_SOURCE}")):
            with suppress(OSError, ValueError, TypeError):  # an unreadable note: the file counts as not finished
                files.append(ImportedFile(**json.loads(path.read_bytes())))
        return files

    def imported(self, sha256: str) -> ImportedFile | None:
        """Return the file with this checksum, if all of its hands are in the store."""
        return next((file for file in self.files() if file.sha256 == sha256), None)

    def part_paths(self) -> list[Path]:
        """Return the paths of all parts, file by file."""
        return sorted(self.folder.glob(f"*/*{_END}"))

    def parts(self) -> Iterator[StoredPart]:
        """Yield all parts; refuse a damaged one by its name."""
        for path in self.part_paths():
            try:
                part = decode_part(path.read_bytes())
            except (OSError, InvalidInput) as error:
                raise Refused(f"{path}: damaged: {error}; import its file again, and it will be rebuilt") from None
            yield part

    def missing_parts(self) -> Iterator[tuple[ImportedFile, int]]:
        """Yield the parts of finished files that are not there."""
        for file in self.files():
            for place in range(file.part_count):
                if not self.part_path(file.sha256, place).is_file():
                    yield file, place


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(path.name + _DRAFT)
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def file_sha256(path: Path) -> str:
    """Return the checksum of a file as it is on disk."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class TextReader:
    """The text of a file, plain or compressed, block by block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.size = path.stat().st_size  # on disk
        self.position = 0  # in the file on disk
        self._digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The checksum of the text so far."""
        return self._digest.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as raw, self._text_of(raw) as file:
            while block := file.read(_BLOCK):
                self.position = raw.tell()
                self._digest.update(block)
                yield block

    def _text_of(self, raw: BinaryIO) -> BinaryIO | lzma.LZMAFile:
        return lzma.LZMAFile(raw) if self._path.suffix.lower() == COMPRESSED else raw
