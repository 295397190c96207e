"""riverboat verify: were these hands dealt as the server had announced?"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.clients.console.hands.deals import (
    Dealt,
    dealt_in_history,
    dealt_in_json,
    dealt_in_record,
    false_listing,
    problems,
    unlisted,
    unproved,
    with_seeds,
)
from riverboat.clients.console.hands.records import hands_of
from riverboat.clients.console.hands.witnesses import WitnessFile, witness_folder
from riverboat.clients.console.options import AsJson, RunningGameServer
from riverboat.clients.console.servers import running_game_manager
from riverboat.clients.console.table.plain_text import plain
from riverboat.clients.console.views.output import note, out, print_json
from riverboat.clients.remote.refusals import Refused
from riverboat.dealing.memory import Memory
from riverboat.errors import RiverboatError
from riverboat.history.phh import read_phh

_ENDINGS = (".phh", ".phhs", ".json")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(verify)


def verify(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="A .phh, .phhs or .json file.", show_default=False)
    ] = None,
    table: Annotated[
        str | None, typer.Option("--table", metavar="ID", help="Check the hands of a table.", show_default=False)
    ] = None,
    witness: Annotated[
        Path | None,
        typer.Option("--witness", metavar="FOLDER", help="Your witness files; the default is where play keeps them."),
    ] = None,
    server: RunningGameServer = None,
    as_json: AsJson = False,
) -> None:
    """Check that hands were dealt as the server had announced.

    The server commits to its decks before a hand, and every card that becomes known comes with a proof. riverboat play
    keeps a witness: the commitments, your own contribution and your own cards, from before each hand. Hands are checked
    against it; without a witness this shows only that the records agree with themselves, which a server that changed
    everything after the hand can also achieve. Exit code 1 if anything is wrong.

    riverboat verify evening.phhs

    riverboat verify --server 127.0.0.1:50052 --table 3f2a91c0d4e5
    """
    if not files and table is None:
        raise Refused("nothing to check: give files, or --table")
    check = _Check(witness or witness_folder(), as_json)
    for path in files or ():
        check.hands(str(path), _hands(path))
    if table is not None:
        with running_game_manager(server, {"table_id": "--table"}) as link:
            records = list(hands_of(link, table))
        check.table(table, [dealt_in_record(record) for record in records])
    check.conclude()
    if check.problems:
        raise typer.Exit(1)


class _Check:
    """Hands against witnesses, and what came of it."""

    def __init__(self, folder: Path, as_json: bool) -> None:
        self._folder, self._as_json = folder, as_json
        self._memories: dict[str, dict[int, Memory]] = {}  # by table
        self._hand_count = self._witnessed_count = 0
        self._unproved: Counter[str] = Counter()
        self.problems: list[dict[str, Any]] = []

    def hands(self, where: str, hands: Iterable[Dealt]) -> None:
        """Check some hands; problems are printed unless they will be as JSON."""
        for hand in with_seeds(hands):
            memory = self._memory(hand)
            self._hand_count += 1
            self._witnessed_count += memory is not None
            wrong = list(problems(hand, memory))
            self._unproved.update([] if wrong else unproved(hand, memory))
            for problem in wrong:
                self._add(where, hand.line, hand.label, problem)

    def table(self, table_id: str, hands: Sequence[Dealt]) -> None:
        """Check the hands that a server lists for a table. Which table it is, the user says, not the server."""
        where, memories = f"table {plain(table_id)}", self._memories_of(table_id)
        wrong = list(false_listing(table_id, hands, memories))
        for label, problem in wrong:
            self._add(where, 0, label, problem)
        wrong_labels = {label for label, _ in wrong}
        missing = [number for number in unlisted(hands, memories) if str(number) not in wrong_labels]
        if missing:
            self._unproved["you were dealt in, and the server does not list the hand, or not any more"] += len(missing)
        self.hands(where, [replace(hand, table_id=table_id) for hand in hands])

    def _add(self, where: str, line: int, label: str, problem: str) -> None:
        self.problems.append({"file": where, "line": line or None, "hand": label, "problem": problem})
        if not self._as_json:
            place = f"line {line}: " if line else ""
            out.print(plain(f"{where}: {place}hand {label}: {problem}"), markup=False, soft_wrap=True)

    def _memory(self, hand: Dealt) -> Memory | None:
        return self._memories_of(hand.table_id).get(hand.hand_number) if hand.table_id else None

    def _memories_of(self, table_id: str) -> dict[int, Memory]:
        if table_id not in self._memories:
            self._memories[table_id] = WitnessFile(self._folder, table_id).read()
        return self._memories[table_id]

    def conclude(self) -> None:
        """Say what was checked, and what that does not prove."""
        if self._as_json:
            unproved_counts = dict(self._unproved)
            counts = {"hands": self._hand_count, "witnessed": self._witnessed_count, "unproved": unproved_counts}
            print_json({**counts, "problems": self.problems})
            return
        out.print(
            f"{self._hand_count} hands, {len(self.problems)} problems; "
            f"{self._witnessed_count} compared with what you saw before the hand"
        )
        for text, count in self._unproved.items():
            out.print(f"{count} not proved: {text}", markup=False, soft_wrap=True)
        if not self._hand_count:
            note("nothing was checked")
        elif not self._witnessed_count:
            agree = "the records agree with themselves" if not self.problems else "only the records were checked"
            note(f"there is no witness of these hands: {agree}, and no more is proved")


def _hands(path: Path) -> Iterator[Dealt]:
    """The hands of a file; whatever is wrong with it is refused by file and line."""
    if path.suffix.lower() not in _ENDINGS:
        raise Refused(f"{path}: must end in {', '.join(_ENDINGS)}")
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".json":
            yield from dealt_in_json(text)
        else:
            yield from (dealt_in_history(history, place) for place, history in enumerate(read_phh(text), start=1))
    except OSError as error:
        raise Refused(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise Refused(f"{path}: not UTF-8 text") from None
    except RiverboatError as error:
        raise Refused(f"{path}: {error}") from None
