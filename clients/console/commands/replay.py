"""riverboat replay: hands from files, shown street by street or checked against the rules."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.clients.console.hands.files import (
    Form,
    Game,
    HandNumber,
    LogBlinds,
    LogLimit,
    LogStack,
    game_of_options,
    hand_in,
    hands_in,
)
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import note, out, print_json, progress_bar
from riverboat.clients.console.views.replay import amount_text, as_dict, print_hand
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import RiverboatError
from riverboat.history.hand import History, outcome
from riverboat.history.hand import replay as replayed


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(replay)


def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="A .phh or .phhs file, or an ACPC log.")],
    hand: HandNumber = 1,
    check: Annotated[
        bool, typer.Option("--check", help="Replay all hands silently and compare finishing stacks.")
    ] = False,
    form: Form = None,
    blinds: LogBlinds = "50,100",
    stack: LogStack = 20_000,
    limit: LogLimit = "no",
    as_json: AsJson = False,
) -> None:
    """Show a hand from a hand history street by street, or check whole files against the rules.

    riverboat replay --hand 12 pluribus.phhs

    riverboat replay --check pluribus.phhs

    riverboat replay --check --blinds 50,100 --stack 20000 match.log
    """
    game = game_of_options(form, blinds, stack, limit)
    if check:
        _check_files(files, game, as_json)
        return
    if len(files) != 1:
        raise Refused(f"one hand is shown at a time, not of {len(files)} files; --check takes many")
    history = hand_in(files[0], game, hand)
    try:
        states, found = list(replayed(history)), outcome(history)
    except RiverboatError as error:
        raise Refused(f"{files[0]}: line {history.line}: {error}") from None
    if as_json:
        print_json(as_dict(history, states, found))
    else:
        print_hand(history, states, found)


def _check_files(files: Sequence[Path], game: Game, as_json: bool) -> None:
    count, untold, differences = 0, 0, list[dict[str, Any]]()
    for path in files:
        found: list[dict[str, Any]] = []
        try:
            for history in _with_progress(path, game):
                count += 1
                said = _difference(history)
                untold += said is None
                if said:
                    label = count if history.label is None else history.label
                    where = {"file": str(path), "line": history.line, "hand": label, "difference": said}
                    found.append(where)
        finally:  # what was found before a line that cannot be read is worth knowing
            differences += found
            for one in found if not as_json else ():
                text = f"{one['file']}: line {one['line']}: hand {one['hand']}: {one['difference']}"
                out.print(text, markup=False, soft_wrap=True)
    if as_json:
        print_json({"hands": count, "not_compared": untold, "differences": differences})
    else:
        if untold:
            note(f"{untold} of them replay, and have no finishing stacks to compare or cards that are not known")
        out.print(f"{count} hands, {len(differences)} differences")
    if differences:
        raise typer.Exit(1)


def _with_progress(path: Path, game: Game) -> Iterator[History]:
    """The hands of a file, with a bar that tells how far down in it they stand."""
    line_count = 1
    if path.is_file():
        with path.open("rb") as file:
            line_count += sum(1 for _ in file)
    with progress_bar(path.name) as bar:
        for history in hands_in(path, game):
            bar.show(history.line / line_count)
            yield history


def _difference(history: History) -> str | None:
    """What differs, empty if nothing does; None if there is nothing to compare."""
    try:
        end = outcome(history)
    except RiverboatError as error:
        return str(error)
    found = end.stacks
    if history.finishing_stacks is None:
        return None
    if found is None:
        return None if end.state.is_over else end.reason  # cards that are not known, or a hand without an end
    return "; ".join(
        f"{history.name(seat)} ends with {amount_text(history, theirs)} in the file, "
        f"with {amount_text(history, ours)} by the rules"
        for seat, (ours, theirs) in enumerate(zip(found, history.finishing_stacks, strict=True))
        if ours != theirs
    )
