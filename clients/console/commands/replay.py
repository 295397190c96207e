"""riverboat replay: show a hand from a file street by street, or check files against the rules."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.console.hands.check_tally import CheckTally
from riverboat.clients.console.hands.file_options import FileOptions
from riverboat.clients.console.hands.files import (
    FileFormat,
    HandNumber,
    broken_hand,
    hand_count_of,
    hand_in,
    hands_in,
    line_count_of,
)
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import note, out, print_json, progress_bar
from riverboat.clients.console.views.replay import as_dict, print_hand
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import RiverboatError
from riverboat.history.hand import History, outcome
from riverboat.history.hand import replay as replayed
from riverboat.history.phh import UnreadHand


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(with_option_groups(replay))


def replay(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Files with hands: .phh, .phhs, ACPC, sites' texts.")
    ],
    hand: HandNumber = 1,
    check: Annotated[
        bool, typer.Option("--check", help="Replay all hands, and compare finishing stacks with the rules.")
    ] = False,
    options: FileOptions = FileOptions(),  # noqa: B008  # frozen
    as_json: AsJson = False,
) -> None:
    """Show a hand from a file, or check files against the rules.

    Shows a hand street by street. --check replays every hand, and names those that break the rules or cannot be read;
    the exit code is then 1. Rake is counted, but is not an error. Files may be compressed (.phhs.xz).

    riverboat replay --hand 12 pluribus.phhs

    riverboat replay --check pluribus.phhs

    riverboat replay --check --blinds 50,100 --stack 20000 match.log
    """
    game = options.game()
    if check:
        _check_files(files, game, as_json)
        return
    if len(files) != 1:
        raise Refused(f"only one file can be shown at a time, not {len(files)}; --check takes several")
    history = hand_in(files[0], game, hand)
    try:
        states, result = list(replayed(history)), outcome(history)
    except RiverboatError as error:
        raise broken_hand(files[0], history, error) from None
    if as_json:
        print_json(as_dict(history, states, result))
    else:
        print_hand(history, states, result)
        if hand == 1 and (count := hand_count_of(files[0])) > 1:
            note(f"hand 1 of {count:,} in this file; --hand chooses another")


def _check_files(files: Sequence[Path], game: FileFormat, as_json: bool) -> None:
    tally = CheckTally()
    for path in files:
        before = len(tally.problems)
        try:
            for history in _with_progress(path, game):
                tally.add(path, history)
        finally:  # also when a line cannot be read, and only once the bar is gone
            for problem in tally.problems[before:] if not as_json else ():
                out.print(problem.text, markup=False, soft_wrap=True)
    if as_json:
        print_json(tally.as_dict())
    else:
        for line in tally.notes():
            note(line)
        out.print(tally.summary())
    if tally.problems:
        raise typer.Exit(1)


def _with_progress(path: Path, game: FileFormat) -> Iterator[History | UnreadHand]:
    """Yield the hands of a file, with a progress bar by line."""
    line_count = line_count_of(path)
    with progress_bar(path.name) as bar:
        for hand in hands_in(path, game):
            bar.show(hand.line / line_count)
            yield hand
