"""Imports of files into a store of hands: part by part on several threads, listing the hands that are left out."""

import lzma
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from riverboat.clients.console.hands.store import HandStore, ImportedFile, TextReader, file_sha256
from riverboat.clients.remote.refusals import Refused
from riverboat.history.sites.formats import site_of
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.parts import PartSource, StoredPart, decode_part, encode_part
from riverboat.history.store.reading import LeftOut, read_text, split_text
from riverboat.history.store.site_reading import read_site_text, split_site_text
from riverboat.parallel import ParallelTask, on_threads

PART_BYTES = 8_000_000  # of text; the same in every version, so that an interrupted import finds its parts again
_WORKERS = min(4, os.cpu_count() or 1)
_BOM = b"\xef\xbb\xbf"

_HEAD = 4_000  # bytes in which a site's text is recognised

ShowProgress = Callable[[float, str], None]
ReadText = Callable[[bytes, int], tuple[HandColumns, list[LeftOut]]]


@dataclass(slots=True)
class ImportSummary:
    """The outcome of importing one file."""

    file: str
    hand_count: int = 0
    left_out: list[LeftOut] = field(default_factory=list)
    rebuilt: list[str] = field(default_factory=list)  # damaged parts that were made again, each with its damage
    was_there: bool = False  # the whole file was in the store already
    same_as: str = ""  # an earlier file with the same text


@dataclass(frozen=True, slots=True)
class _PartOutcome:
    hand_count: int
    left_out: tuple[LeftOut, ...]
    problem: str  # damage of the part that the store had; empty without damage, or without such a part


def import_files(store: HandStore, files: Sequence[Path], show: ShowProgress) -> Iterator[ImportSummary]:
    """Import files one after another; yield a summary of each. Undamaged parts that the store already has are kept."""
    sizes = [_size(path) for path in files]
    done = 0
    for path, size in zip(files, sizes, strict=True):

        def show_part(share: float, text: str, before: int = done, size: int = size) -> None:
            show((before + share * size) / max(1, sum(sizes)), text)

        try:
            yield _import_file(store, path, show_part)
        except OSError as error:
            raise Refused(f"{path}: {error.strerror or error}") from None
        except (lzma.LZMAError, EOFError) as error:
            raise Refused(f"{path}: not a complete xz file: {error}") from None
        done += size


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise Refused(f"{path}: {error.strerror or error}") from None


def _import_file(store: HandStore, path: Path, show: ShowProgress) -> ImportSummary:
    summary, sha256 = ImportSummary(path.name), file_sha256(path)
    before = store.imported(sha256)
    if before is not None and all(store.problem(sha256, place) is None for place in range(before.part_count)):
        summary.hand_count, summary.was_there = before.hand_count, True
        summary.left_out += [hand for place in range(before.part_count) for hand in _left_out(store, sha256, place)]
        return summary
    reader, part_count = TextReader(path), 0
    with ThreadPoolExecutor(_WORKERS) as executor:
        for outcome in on_threads(executor, _WORKERS + 1)(_tasks(store, path.name, sha256, reader)):
            if outcome.problem:
                summary.rebuilt.append(f"{store.part_path(sha256, part_count)}: {outcome.problem}")
            part_count += 1
            summary.hand_count += outcome.hand_count
            summary.left_out += outcome.left_out
            show(reader.position / max(1, reader.size), f"{path.name}, {summary.hand_count:,} hands")
    same = store.finish(
        ImportedFile(
            file=path.name,
            sha256=sha256,
            text_sha256=reader.sha256,
            part_count=part_count,
            hand_count=summary.hand_count,
            left_out_count=len(summary.left_out),
        )
    )
    if same is not None:
        summary.hand_count, summary.same_as = 0, same.file
    return summary


def _left_out(store: HandStore, sha256: str, place: int) -> tuple[LeftOut, ...]:
    return decode_part(store.part_path(sha256, place).read_bytes()).left_out


def _tasks(store: HandStore, name: str, sha256: str, reader: TextReader) -> Iterator[ParallelTask[_PartOutcome]]:
    """Yield a task for each part of a file."""
    line, chunks = 1, iter(reader)
    first = next(chunks, b"")
    site = site_of(first[:_HEAD].decode("utf-8-sig", "replace"))
    pieces = (
        split_site_text(site, chain([first], chunks), PART_BYTES)
        if site
        else split_text(chain([first], chunks), PART_BYTES)
    )
    read: ReadText = partial(read_site_text, site) if site else read_text
    for place, text in enumerate(pieces):
        source = PartSource(name, sha256, place, line)

        def work(source: PartSource = source, text: bytes = text) -> _PartOutcome:
            return _build_part(store, source, text, read)

        yield work
        line += text.count(b"\n")


def _build_part(store: HandStore, source: PartSource, text: bytes, read: ReadText) -> _PartOutcome:
    """Read a part and store it, unless the store already has it undamaged."""
    problem = store.problem(source.sha256, source.place)
    if problem is None:
        part = decode_part(store.part_path(source.sha256, source.place).read_bytes())
        return _PartOutcome(part.columns.hand_count, part.left_out, "")
    columns, left_out = read(text.removeprefix(_BOM) if source.place == 0 else text, source.first_line)
    part = StoredPart(columns, source, tuple(left_out))
    store.write_part(source.sha256, source.place, encode_part(part))
    return _PartOutcome(columns.hand_count, part.left_out, problem)
