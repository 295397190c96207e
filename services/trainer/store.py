"""The store of shards and networks: a folder, or an object store by its URL (s3://…, with its fsspec driver)."""

import posixpath
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

import fsspec

from riverboat.errors import InvalidInput, NotFound, Unavailable

SHARDS, MODELS, RUNS = "shards", "models", "runs"


def checkpoint_name(run_id: str) -> str:
    """Return the name of a run's checkpoint in the folder RUNS."""
    return f"{run_id}.safetensors"


class ObjectStore:
    """Files by name. A reader sees all of a file or none of it."""

    def __init__(self, url: str) -> None:
        try:
            self._files, self._root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise InvalidInput("store", f"{url} cannot be opened: {error}") from None
        self._is_local = "file" in _protocols(self._files)

    def put(self, folder: str, name: str, data: bytes) -> None:
        """Write a file, replacing any of that name."""
        path = self._path(folder, name)
        with _failures():
            self._files.makedirs(posixpath.dirname(path), exist_ok=True)
            if not self._is_local:
                self._files.pipe_file(path, data)  # object stores show a file only when it is complete
                return
            part = f"{path}.{uuid4().hex}.part"
            try:
                self._files.pipe_file(part, data)
                self._files.mv(part, path)
            finally:
                with suppress(FileNotFoundError):
                    self._files.rm_file(part)

    def get(self, folder: str, name: str) -> bytes:
        """Read a file; NotFound if there is none."""
        with _failures():
            try:
                return bytes(self._files.cat_file(self._path(folder, name)))
            except FileNotFoundError:
                raise NotFound(f"{folder}/{name} is not in the store") from None

    def has(self, folder: str, name: str) -> bool:
        """Return whether a file exists."""
        with _failures():
            return bool(self._files.exists(self._path(folder, name)))

    def names(self, folder: str, suffix: str) -> list[str]:
        """Return the names in a folder that end with `suffix`, sorted."""
        with _failures():
            self._files.invalidate_cache()
            try:
                paths: Sequence[str] = self._files.ls(self._path(folder, ""), detail=False)
            except FileNotFoundError:
                return []
        return sorted(posixpath.basename(path) for path in paths if path.endswith(suffix))

    def remove(self, folder: str, name: str) -> None:
        """Remove a file if it exists."""
        with _failures(), suppress(FileNotFoundError):
            self._files.rm_file(self._path(folder, name))

    def _path(self, folder: str, name: str) -> str:
        return posixpath.join(self._root, folder, name) if name else posixpath.join(self._root, folder)


def _protocols(files: Any) -> tuple[str, ...]:
    protocol = files.protocol
    return (protocol,) if isinstance(protocol, str) else tuple(protocol)


class _failures:  # noqa: N801  # used like a function
    """A context that turns the store's I/O errors into Unavailable; a missing file stays FileNotFoundError."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            raise Unavailable(f"the store does not answer: {error}") from None
