"""riverboat verify: were these hands dealt from the seeds that were committed to?"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from clients.console.dealt import Dealt, dealt_in_history, dealt_in_json, dealt_in_record, problems, with_seeds
from clients.console.failures import Refused
from clients.console.game_link import running_game_manager
from clients.console.games import GameServer
from clients.console.options import AsJson
from clients.console.output import note, out, print_json
from clients.console.table.plain import plain
from clients.console.table.records import hands_of
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
    server: GameServer = None,
    as_json: AsJson = False,
) -> None:
    """Check that hands were dealt as the dealer had committed to.

    The hash of each seed was published before its hand, the seed after it. The deck is shuffled again by the
    seed, and every card that the history knows must be where it was. Exit code 1 if anything is wrong.

    riverboat verify evening.phhs

    riverboat verify --server 127.0.0.1:50052 --table 3f2a91c0d4e5
    """
    if not files and table is None:
        raise Refused("nothing to check: give files, or --table")
    count, found = 0, list[dict[str, Any]]()
    for path in files or ():
        count += _check(str(path), _hands(path), found, as_json)
    if table is not None:
        with running_game_manager(server, {"table_id": "--table"}) as link:
            records = list(hands_of(link, table))
        count += _check(f"table {plain(table)}", map(dealt_in_record, records), found, as_json)
    if as_json:
        print_json({"hands": count, "problems": found})
    else:
        out.print(f"{count} hands, {len(found)} problems")
        if not count:
            note("nothing was checked")
    if found:
        raise typer.Exit(1)


def _check(where: str, hands: Iterable[Dealt], found: list[dict[str, Any]], as_json: bool) -> int:
    """How many hands there are; problems are added to `found`, and printed unless they will be as JSON."""
    count = 0
    for hand in with_seeds(hands):
        count += 1
        for problem in problems(hand):
            found.append({"file": where, "line": hand.line or None, "hand": hand.label, "problem": problem})
            if not as_json:
                line = f"line {hand.line}: " if hand.line else ""
                out.print(plain(f"{where}: {line}hand {hand.label}: {problem}"), markup=False, soft_wrap=True)
    return count


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
