"""A fuzzer's findings: printed once for each kind of failure, and saved as a file that can be replayed."""

import base64
import json
import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf import text_format
from google.protobuf.message import DecodeError

from tests.fuzz.methods import Method, all_methods

_LONGEST = 2_000  # characters of a message that are shown
_CHANGING = re.compile(r"[0-9a-f]{4,}-[0-9a-f]+|\d+")


@dataclass(frozen=True, slots=True)
class Request:
    """A call that can be made again."""

    method: Method
    messages: tuple[bytes, ...]
    seconds: float  # its deadline
    seed: int
    number: int  # among the calls with this seed

    def save(self, path: Path, problem: str) -> None:
        """Write it to a file."""
        content = {
            "method": self.method.path,
            "messages": [base64.b64encode(message).decode() for message in self.messages],
            "seconds": self.seconds,
            "seed": self.seed,
            "number": self.number,
            "problem": problem,
        }
        path.write_text(json.dumps(content, indent=2))


def load(path: Path) -> Request:
    """Read it again."""
    kept = json.loads(path.read_text())
    method = next(method for method in all_methods() if method.path == kept["method"])
    messages = tuple(base64.b64decode(text) for text in kept["messages"])
    return Request(method, messages, kept["seconds"], kept["seed"], kept["number"])


def shown(method: Method, messages: Sequence[bytes]) -> str:
    """Return messages as text, or a description of bytes that do not decode."""
    parts = []
    for data in messages:
        try:
            text = text_format.MessageToString(method.request.FromString(data), as_one_line=True)
        except DecodeError:
            text = f"{len(data)} bytes that do not decode: {data[:200]!r}"
        parts.append(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)")
    return "\n    ".join(parts)


class Findings:
    """All findings of a run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self.counts: Counter[tuple[str, str]] = Counter()

    def add(self, request: Request, problem: str) -> None:
        """Count a failed call; print and save the first of its kind."""
        kind = (request.method.name, _CHANGING.sub("#", problem))
        with self._lock:
            self.counts[kind] += 1
            number = len(self.counts)
            if self.counts[kind] > 1:
                return
        path = self._folder / f"{number:03}-{request.method.name}.json"
        request.save(path, problem)
        print(f"\n{request.method.name}: {problem}\n    {shown(request.method, request.messages)}")
        print(f"    again: python -m tests.fuzz --replay {path}", flush=True)
