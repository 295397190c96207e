"""The outputs of a solution: printed, walked through, saved, or written as a page."""

import sys
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from riverboat.cards import format_cards
from riverboat.clients.analysis.caveats import exploitability_name, exploitability_words
from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.files import write
from riverboat.clients.console.study.page import Page, html_page
from riverboat.clients.console.study.page_nodes import collect
from riverboat.clients.console.study.page_server import PageServer
from riverboat.clients.console.study.report import PLAYERS, as_dict
from riverboat.clients.console.study.spot_files import StudySpot
from riverboat.clients.console.study.steps import read_path
from riverboat.clients.console.study.walk import show_class, show_node, walk
from riverboat.clients.console.views.output import note, out, print_json, progress_bar
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import Solved

_NODES_AT_ONCE = 60  # of a page that can ask for more


@dataclass(frozen=True, slots=True)
class SolutionOutput:
    """The outputs that the options ask for."""

    path: str
    save: Path | None
    html: Path | None
    html_nodes: int
    as_json: bool
    classes: tuple[str, ...] = ()  # to show in detail, like AQs


def show_solution(link: ResolverClient, spot: StudySpot, solved: Solved, output: SolutionOutput) -> None:
    """Write the files, then print the node or walk through the tree."""
    path, public = read_path(output.path, spot.public, spot.sizes)
    written = [write("--save", output.save, lambda target: _save(link, solved, target))]
    written.append(
        write("--html", output.html, lambda target: _write_page(link, spot, solved, output.html_nodes, target))
    )
    if output.as_json:
        print_json(as_dict(spot.public, public, solved, output.path, link.node(solved.handle, path)))
        return
    for fact in (*_facts(spot, solved), *((text, "") for text in written if text)):
        note(": ".join(filter(None, fact)))
    if sys.stdin.isatty() and out.is_terminal:
        walk(link, solved.handle, spot, path)
    else:
        node = link.node(solved.handle, path)
        show_node(public, node, with_evs=True)
        for word in output.classes:
            out.print()
            if not show_class(public, node, word):
                raise Refused(f"--class: {word[:20]!r} names no class or holding; write AQs, 77 or AhQh")


def _save(link: ResolverClient, solved: Solved, target: Path) -> None:
    """Write a new file beside the target, then replace it: an earlier solution survives a failure."""
    new = target.with_name(f".{target.name}.new")
    try:
        with new.open("wb") as file:
            file.writelines(link.save(solved.handle))
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def _write_page(link: ResolverClient, spot: StudySpot, solved: Solved, most: int, target: Path) -> None:
    target.write_text(html_page(_page(link, spot, solved, most)), encoding="utf-8")


def _page(link: ResolverClient, spot: StudySpot, solved: Solved, most: int) -> Page:
    with progress_bar("collecting nodes") as bar:
        nodes = collect(link, solved.handle, spot.public, most, bar.show)
    title = f"{format_cards(spot.public.board)}, pot {spot.public.pot:,}, stacks {min(spot.public.stacks):,}"
    return Page(title, spot.public.variant.deck, PLAYERS, tuple(_facts(spot, solved)), nodes)


def serve_page(link: ResolverClient, spot: StudySpot, solved: Solved) -> None:
    """Serve the page of a solution until Ctrl-C: the nodes nearest to the root at once, the others when asked for."""
    server = PageServer(link, solved.handle, spot, _page(link, spot, solved, _NODES_AT_ONCE))
    out.print(f"the page is at {server.address}; Ctrl-C ends it", markup=False, soft_wrap=True)
    out.file.flush()
    webbrowser.open(server.address)
    with suppress(KeyboardInterrupt):
        server.run()


def _facts(spot: StudySpot, solved: Solved) -> Iterator[tuple[str, str]]:
    cost = solved.cost
    yield exploitability_name(cost.scope), exploitability_words(cost.scope, cost.exploitability / spot.public.pot)
    for player, ev in zip(PLAYERS, solved.evs, strict=True):
        yield f"EV {player}", f"{ev:,.1f} of {spot.public.pot:,}"
    yield "iterations", f"{cost.iterations:,} in {cost.solving_seconds:.2f} s"
    boards = counted(cost.board_count, "board")
    yield "tree", f"{cost.line_count:,} lines of betting on {boards}, {cost.byte_count / 1e6:,.1f} MB"
    if cost.leaf:
        yield "below the cut", cost.leaf
    if cost.is_partial:
        yield "time ran out", "this is the best so far"
