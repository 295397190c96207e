"""The history folder: every hand that the user played at a table, one PHH file for each sitting."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from riverboat.clients.console.hands.private_files import open_privately
from riverboat.history.hand import History
from riverboat.history.phh import UnreadHand, read_each, write_hand

PLAYER = "_player"  # field of a hand: the name of the user
_ENDING = ".phhs"
_NAME_TIME = "%Y%m%d-%H%M%S"


class SittingFile:
    """The hands of one sitting. The file is created with its first hand; a full disk ends keeping, not the sitting."""

    def __init__(self, folder: Path, table_id: str, clock: Callable[[], float] = time.time) -> None:
        self._clock, self._table_id = clock, table_id
        self.folder = folder
        safe = "".join(letter for letter in table_id if letter.isalnum())[:12]
        self.path = folder / f"{time.strftime(_NAME_TIME, time.localtime(clock()))}-{safe}{_ENDING}"
        self.is_first = not folder.is_dir()  # of all sittings: the user has not heard of the folder
        self.count, self.problem = 0, ""

    def keep(self, history: History, player: str) -> None:
        """Add a finished hand that `player`, the user, was dealt into."""
        if self.problem:
            return
        now = time.localtime(self._clock())
        about = {
            "table": self._table_id,
            "day": now.tm_mday,
            "month": now.tm_mon,
            "year": now.tm_year,
            PLAYER: player,
        }
        kept = replace(history, extra={**history.extra, **about})
        label = history.label if isinstance(history.label, int) else self.count + 1
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open_privately(self.path, "a") as file:
                file.write(f"[{label}]\n{write_hand(kept)}\n")
        except OSError as error:
            self.problem = f"hands are not kept: {self.path} cannot be written ({error.strerror or error})"
        else:
            self.count += 1

    def words(self) -> list[str]:
        """Return what to say when the player has left: where hands are kept, the first time."""
        if self.problem:
            return [self.problem]
        if not (self.is_first and self.count):
            return []
        return [
            "every hand you play is kept: riverboat hands lists them, riverboat review says",
            "what your decisions cost; RIVERBOAT_HISTORY=off keeps none. They are in",
            f"{self.folder}",
        ]


@dataclass(frozen=True, slots=True)
class Sitting:
    """One sitting that was kept."""

    path: Path
    begun: str  # "2026-11-19 23:15"
    hands: tuple[History, ...]
    unread_count: int

    @property
    def player(self) -> str:
        """The name of the user; empty if the hands do not say it."""
        return next((str(hand.extra[PLAYER]) for hand in self.hands if PLAYER in hand.extra), "")


def sitting_paths(folder: Path) -> list[Path]:
    """Return the files of the folder, the last sitting first."""
    return sorted(folder.glob(f"*{_ENDING}"), key=lambda path: path.name, reverse=True)


def sittings(folder: Path, most: int) -> Iterator[Sitting]:
    """Yield the latest sittings, the last first; files that cannot be read are left out."""
    for path in sitting_paths(folder)[:most]:
        try:
            text = path.read_text(encoding="utf-8")
            hands = list(read_each(text))
        except (OSError, ValueError):
            continue
        read = tuple(hand for hand in hands if not isinstance(hand, UnreadHand))
        yield Sitting(path, _begun(path), read, len(hands) - len(read))


def _begun(path: Path) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.strptime(path.name[:15], _NAME_TIME))
    except ValueError:  # the user named it
        return "-"
