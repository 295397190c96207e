"""riverboat review: what the decisions of two-player hands cost, in a file or in the last sitting."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.clients.analysis.review import Reviewed, review, turns_of
from riverboat.clients.analysis.tracker import TakenAction
from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.hands.decisions import names_in
from riverboat.clients.console.hands.file_options import FileOptions
from riverboat.clients.console.hands.files import PlayerName, decisions_in, hand_in, hands_in, holding_in, seat_named
from riverboat.clients.console.hands.history_folder import PLAYER, sitting_paths
from riverboat.clients.console.hands.review_page import review_page
from riverboat.clients.console.hands.session_report import left_out_words, plan_words, print_by_cost, print_hand_review
from riverboat.clients.console.hands.session_review import (
    CostlyDecision,
    ReviewPlan,
    SeatToReview,
    by_cost,
    plan_review,
    review_seat,
)
from riverboat.clients.console.option_groups import with_option_groups
from riverboat.clients.console.options import AsJson, ResolverServer
from riverboat.clients.console.servers import resolver
from riverboat.clients.console.settings import history_folder
from riverboat.clients.console.views.explanation import Names
from riverboat.clients.console.views.output import note, out, print_json, progress_bar
from riverboat.clients.console.views.review import ReviewTable, print_review_sum, print_review_title, review_dict
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.history.hand import History
from riverboat.history.phh import UnreadHand

_MARKS = (
    "grades are by the share of the pot lost: up to 1 % fine, 5 % small mistake, 15 % mistake, above that blunder; "
    "rough values (~) allow three times as much and have no blunders; fine decisions are not in the sum"
)
_PAGE = (".html", ".htm")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(with_option_groups(review_hands))


def review_hands(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="File with hands: .phh, .phhs, an ACPC log, or a site's text; default: the last sitting you played.",
            show_default=False,
        ),
    ] = None,
    hand: Annotated[
        int | None,
        typer.Option(
            "--hand", "-n", min=1, metavar="N", help="Number of the hand; default: all of them.", show_default=False
        ),
    ] = None,
    player: PlayerName = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="File for a page with the costly decisions; the last sitting has one by default.",
            show_default=False,
        ),
    ] = None,
    options: FileOptions = FileOptions(),  # noqa: B008  # frozen
    as_json: AsJson = False,
    server: ResolverServer = None,
) -> None:
    """Say what the decisions of your last sitting cost, or those in a file.

    Hands of two players can be reviewed. Without FILE the last sitting that you played is reviewed: riverboat play
    keeps every hand. One hand is shown decision by decision; several hands are summed up, with the decisions ordered by
    what they cost, and Ctrl-C shows what is known by then. Without --player, every player whose cards are known is
    graded (in a sitting: you). The opponent's range is a guess, as in riverboat explain, which says more about one
    decision.

    riverboat review

    riverboat review evening.phhs --player Anna --html evening.html

    riverboat review evening.phhs --hand 12 --player Anna
    """
    check_target("--html", html, _PAGE)
    is_sitting = file is None
    path = file or _last_sitting()
    game = options.game()
    hands = [(hand, hand_in(path, game, hand))] if hand else list(enumerate(hands_in(path, game), start=1))
    if not hands:
        raise Refused(f"{path}: no hands")
    player = player or (_own_name(hands) if is_sitting else None)
    if len(hands) == 1:
        number, only = hands[0]
        if isinstance(only, UnreadHand):
            raise Refused(f"{path}: {only.error}")
        if html:
            raise Refused("--html: is for reviews of several hands; riverboat explain shows one decision")
        _review_one(path, number, only, player, as_json, server)
        return
    page = html or (path.with_suffix(_PAGE[0]) if is_sitting and not as_json else None)
    _review_many(path, plan_review(path, hands, player), page, as_json, server)


def _last_sitting() -> Path:
    folder = history_folder()
    if folder is None:
        raise Refused("RIVERBOAT_HISTORY is off, so no hands are kept; name a FILE")
    paths = sitting_paths(folder)
    if not paths:
        raise Refused(f"no hands in {folder} yet: play some (riverboat play), or name a FILE")
    return paths[0]


def _own_name(hands: Sequence[tuple[int, History | UnreadHand]]) -> str | None:
    names = (each.extra.get(PLAYER) for _, each in hands if isinstance(each, History))
    return next((str(name) for name in names if name), None)


# Many hands


def _review_many(path: Path, plan: ReviewPlan, page: Path | None, as_json: bool, server: str | None) -> None:
    if not plan.seats:
        raise Refused(f"{path}: no hand can be reviewed: {left_out_words(plan)}")
    if not as_json:
        out.print(str(path), style="bold", markup=False, highlight=False)
        for line in plan_words(plan):
            note(line)
    done = list[CostlyDecision]()
    try:
        with resolver(server, {}) as link:
            _review_seats(link, plan.seats, done, as_json)
    except KeyboardInterrupt:
        if not as_json:
            note(f"stopped: {len({one.at.number for one in done})} of {len({at.number for at in plan.seats})} hands")
    if as_json:
        print_json([_decision_dict(one) for one in by_cost(done)])
        return
    print_by_cost(done, path)
    out.print(_MARKS, style="dim", markup=False)
    costly = by_cost(done)
    if page and costly:
        text = review_page(f"Review of {path.name}", "; ".join(plan_words(plan)), costly)
        note(f"the page with all of them: {write('--html', page, lambda target: _write(target, text))}")


def _review_seats(
    link: ResolverClient, seats: Sequence[SeatToReview], done: list[CostlyDecision], as_json: bool
) -> None:
    count = len(seats)
    for place, at in enumerate(seats):
        own = list[CostlyDecision]()
        with progress_bar(f"hand {at.number} ({place + 1} of {count})") as bar:
            for one in review_seat(link, at, bar.show):
                own.append(one)
        done += own
        if not as_json:
            print_hand_review(at, own)


def _decision_dict(one: CostlyDecision) -> dict[str, Any]:
    return {
        "hand": one.at.number,
        "decision": one.number,
        **review_dict([one.reviewed], one.at.names)[0],
    }


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


# One hand


def _review_one(
    path: Path, number: int, history: History, player: str | None, as_json: bool, server: str | None
) -> None:
    decisions = decisions_in(path, history)
    where = f"{path}: hand {number}"
    if len(history.stacks) != 2:
        raise Refused(f"{where}: it has {len(history.stacks)} players; only two-player hands can be reviewed")
    chosen = _chosen(history, decisions, player, where)
    names, label = names_in(history), number if history.label is None else history.label
    reviews = dict[str, list[dict[str, Any]]]()
    with resolver(server, {}) as link:
        for seat, holding in chosen:
            shown = None if as_json else _Shown(seat, holding, decisions, names, f"hand {label}: ")
            reviewed = _reviewed(link, decisions, seat, holding, shown)
            reviews[names.players[seat]] = review_dict(reviewed, names)
    if as_json:
        print_json(reviews)
    else:
        out.print(_MARKS, style="dim", markup=False)


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
                with bar.aside():
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
