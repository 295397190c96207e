"""riverboat review: what each decision of a two-player hand lost."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from riverboat.clients.analysis.review import Reviewed
from riverboat.clients.analysis.review import review as reviewed
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.console.hands.decisions import names_in
from riverboat.clients.console.hands.file_options import FileOptions
from riverboat.clients.console.hands.files import HandNumber, PlayerName, decisions_in, hand_in, holding_in, seat_named
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import AsJson, ResolverServer
from riverboat.clients.console.servers import resolver
from riverboat.clients.console.views.output import Bar, note, out, print_json, progress_bar
from riverboat.clients.console.views.review import print_review, review_dict
from riverboat.clients.remote.refusals import Refused
from riverboat.history.hand import History

_MARKS = (
    "grades are by the share of the pot lost: up to 1 % fine, 5 % small mistake, 15 % mistake, above that blunder; "
    "rough values (~) allow three times as much and have no blunders; fine decisions are not in the sum"
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(with_option_groups(review))


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File with the hand: .phh, .phhs, or an ACPC log.")],
    hand: HandNumber = 1,
    player: PlayerName = None,
    options: FileOptions = FileOptions(),  # noqa: B008  # frozen
    as_json: AsJson = False,
    server: ResolverServer = None,
) -> None:
    """Grade each decision of a two-player hand.

    The grade depends on the EV that the decision lost. Without --player, every player whose cards are known is graded.
    The opponent's range is a guess, as in riverboat explain, which says more about one decision.

    riverboat review evening.phhs --hand 12 --player Anna
    """
    history = hand_in(file, options.game(), hand)
    decisions = decisions_in(file, history)
    where = f"{file}: hand {hand}"
    if len(history.stacks) != 2:
        raise Refused(f"{where}: it has {len(history.stacks)} players; only two-player hands can be reviewed")
    chosen = _chosen(history, decisions, player, where)
    names, reviews = names_in(history), list[list[Reviewed]]()
    with resolver(server, {}) as link, progress_bar("solving") as bar:
        for done, (seat, holding) in enumerate(chosen):
            reviews.append(reviewed(link, decisions, seat, holding, partial(_show, bar, done, len(chosen))))
    if as_json:
        print_json({names.players[each[0].explanation.seat]: review_dict(each, names) for each in reviews})
        return
    label = hand if history.label is None else history.label
    for each in reviews:
        print_review(each, names, f"hand {label}: ")
        out.print()
    note(_MARKS)


def _show(bar: Bar, done: int, count: int, share: float) -> None:
    """Show the progress over several players."""
    bar.show((done + share) / count)


def _chosen(
    history: History, decisions: list[TakenAction], player: str | None, where: str
) -> list[tuple[int, tuple[int, ...]]]:
    """Return the seats to review, with their holdings."""
    seats = range(len(history.stacks)) if player is None else [seat_named(history, player)]
    acted = [seat for seat in seats if any(state.actor == seat for state, _ in decisions)]
    if not acted:
        raise Refused(f"{where}: {player or 'nobody'} makes {'no' if player else 'a'} decision")
    known = [(seat, holding) for seat in acted if (holding := holding_in(history, seat)) is not None]
    if not known:
        whose = " and ".join(map(history.name, acted))
        raise Refused(f"{where}: the cards of {whose} are unknown")
    return known
