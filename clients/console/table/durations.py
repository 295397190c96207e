"""The time that answers took on this machine, which tells a player what to expect from the next one."""

import json
import os
from pathlib import Path

DURATIONS = "durations.json"  # in the state folder
_WEIGHT = 0.5  # of the newest answer
_MOST_KINDS = 100
_LONGEST = 3600.0  # seconds; longer entries of the file are ignored


class Durations:
    """Seconds by kind of answer, kept in a file; without one only in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._seconds = _read(path) if path else {}

    def expected(self, kind: str) -> float | None:
        """Return the seconds to expect; None for a kind that was never answered here."""
        return self._seconds.get(kind)

    def note(self, kind: str, seconds: float) -> None:
        """Note how long an answer took; a file that cannot be written is left as it is."""
        before = self._seconds.get(kind, seconds)
        self._seconds[kind] = round(before + _WEIGHT * (seconds - before), 2)
        if self._path is None or len(self._seconds) > _MOST_KINDS:
            return
        draft = self._path.with_suffix(f".{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_text(json.dumps(self._seconds), encoding="utf-8")
            draft.replace(self._path)
        except OSError:
            self._path = None


def _read(path: Path) -> dict[str, float]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        pairs = values.items() if isinstance(values, dict) else ()
        return {str(kind): float(value) for kind, value in pairs if 0 <= float(value) <= _LONGEST}
    except (OSError, ValueError, TypeError):
        return {}


def seconds_words(seconds: float) -> str:
    """Return a time to expect: "a second or two", "about 20 s", "about 2 min"."""
    if seconds < 2:
        return "a second or two"
    if seconds < 95:
        return f"about {round(seconds) if seconds < 10 else 5 * round(seconds / 5)} s"
    return f"about {round(seconds / 60)} min"
