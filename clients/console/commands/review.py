"""riverboat review: what each decision of a two-player hand lost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.clients.analysis.review import Reviewed, review, turns_of
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.console.hands.decisions import names_in
from riverboat.clients.console.hands.file_options import FileOptions
from riverboat.clients.console.hands.files import HandNumber, PlayerName, decisions_in, hand_in, holding_in, seat_named
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import AsJson, ResolverServer
from riverboat.clients.console.servers import resolver
from riverboat.clients.console.views.explanation import Names
from riverboat.clients.console.views.output import note, out, print_json, progress_bar
from riverboat.clients.console.views.review import ReviewTable, print_review_sum, print_review_title, review_dict
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.history.hand import History

_MARKS = (
    "grades are by the share of the pot lost: up to 1 % fine, 5 % small mistake, 15 % mistake, above that blunder; "
    "rough values (~) allow three times as much and have no blunders; fine decisions are not in the sum"
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(with_option_groups(review_hand))


def review_hand(
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
    names, label = names_in(history), hand if history.label is None else history.label
    reviews = dict[str, list[dict[str, Any]]]()
    with resolver(server, {}) as link:
        for seat, holding in chosen:
            shown = None if as_json else _Shown(seat, holding, decisions, names, f"hand {label}: ")
            reviewed = _reviewed(link, decisions, seat, holding, shown)
            reviews[names.players[seat]] = review_dict(reviewed, names)
    if as_json:
        print_json(reviews)
    else:
        note(_MARKS)


class _Shown:
    """One player's review on the screen: each decision as soon as it is graded."""

    def __init__(
        self, seat: int, holding: tuple[int, ...], decisions: Sequence[TakenAction], names: Names, title: str
    ) -> None:
        own = [decisions[number] for number in turns_of(decisions, seat)]
        self._names = names
        print_review_title(seat, holding, own, names, title)
        self._table = ReviewTable(own, names)

    def add(self, one: Reviewed) -> None:
        self._table.add(one)

    def end(self, reviewed: Sequence[Reviewed]) -> None:
        print_review_sum(reviewed, self._names)
        out.print()


def _reviewed(
    link: ResolverClient,
    decisions: Sequence[TakenAction],
    seat: int,
    holding: tuple[int, ...],
    shown: _Shown | None,
) -> list[Reviewed]:
    """Review a player's decisions, with a bar that says which one is being solved."""
    reviewed, count = list[Reviewed](), len(turns_of(decisions, seat))
    with progress_bar(_doing(1, count)) as bar:
        for one in review(link, decisions, seat, holding, bar.show):
            reviewed.append(one)
            bar.rename(_doing(min(len(reviewed) + 1, count), count))
            if shown:
                shown.add(one)
    if shown:
        shown.end(reviewed)
    return reviewed


def _doing(number: int, count: int) -> str:
    return f"solving decision {number} of {count}"


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
