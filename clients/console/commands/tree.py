"""riverboat tree: the decision tree of an agent, as a picture or as a page to walk through."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from riverboat.clients.bots.policies.shelf import policy_named, policy_of, shelf
from riverboat.clients.bots.shelf_files import ShelfFile
from riverboat.clients.console.files import check_target, write
from riverboat.clients.console.study.tree_page import Folding, TreeToShow, html_page, svg_picture
from riverboat.clients.console.views.output import note, out
from riverboat.clients.remote.refusals import Refused
from riverboat.policies.trees import DecisionTree
from riverboat.streets import STREETS
from riverboat.tables.agent_names import split_agent_name

_TREES = ("oct", "cart")
_ENDINGS = (".html", ".svg")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(tree)


def tree(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Agent that plays by trees: oct, cart or oct:NAME.")],
    street: Annotated[
        Literal["preflop", "flop", "turn", "river"], typer.Argument(metavar="STREET", help="Street of the tree.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write: .html for a page, .svg for a picture.")],
    share: Annotated[
        float,
        typer.Option(
            "--share", min=0, max=100, metavar="PERCENT", help="Fold parts that a smaller share of states reaches."
        ),
    ] = 1.0,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=30, metavar="N", help="Maximum number of questions on a path.")
    ] = 5,
) -> None:
    """Draw the decision tree by which an agent plays a street.

    Parts that few states reach, and parts that decide nearly the same whatever the answers, are folded away. On a page
    a click opens them.

    riverboat tree oct flop flop.html

    riverboat tree cart preflop preflop.svg --depth 4
    """
    check_target("FILE", file, _ENDINGS)
    shelved = _shelved(agent)
    policy = policy_of(shelved)
    number = STREETS.index(street)
    model = policy.models[number]
    if not isinstance(model, DecisionTree):
        raise Refused(f"{shelved.name} has no tree to draw")
    shown = TreeToShow(model, policy.menus[number], number, f"{shelved.name}: {street}")
    folding = Folding(least_share=share / 100, depth=depth)
    text = html_page(shown, folding) if file.suffix == _ENDINGS[0] else svg_picture(shown, folding)
    out.print(
        f"{shelved.name}, {street}: {model.leaf_count:,} leaves, at most {model.depth} questions", highlight=False
    )
    note(write("FILE", file, partial(_write_text, text)))


def _write_text(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")


def _shelved(agent: str) -> ShelfFile:
    word, parameter = split_agent_name(agent)
    if word not in _TREES:
        raise Refused(f"AGENT: {agent[:40]!r} does not play by trees; name {' or '.join(_TREES)}")
    if parameter:
        return policy_named(word, parameter)
    known = shelf(word)
    if not known:
        raise Refused(
            f"there is no {word} policy: train one (riverboat train policy model={word}) "
            "and set RIVERBOAT_POLICIES to its folder"
        )
    return known[-1]
