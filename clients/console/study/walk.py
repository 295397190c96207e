"""A walk through a solved tree in a terminal, one step at a time."""

import grpc
from rich.table import Table
from rich.text import Text

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import played_words
from riverboat.clients.analysis.notation import notation_of
from riverboat.clients.console.study.board_report import print_rows, run_out_rows
from riverboat.clients.console.study.mix_grid import class_details, legend, members_named, mix_table
from riverboat.clients.console.study.report import PLAYERS, ev_grid, grids
from riverboat.clients.console.study.spot_files import StudySpot
from riverboat.clients.console.study.steps import NOTATION_HELP, after, read_path
from riverboat.clients.console.views.output import note, out, print_grid
from riverboat.clients.console.views.text import cards_text
from riverboat.clients.remote.refusals import Refused, reason_of
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import NodeAnswer, Step
from riverboat.rules.state import PublicState

_GRID_LEGEND = "suited above the diagonal; B: always bets; b72: bets 72 % of the time"
_WALK_HELP = (
    f"{NOTATION_HELP}; type several at once, like x b50; root goes to the root, b back, q quits. A class like AQs or "
    "77 or a holding like AhQh shows its details, ev the EV of each class, all a grid for each action; where a card is "
    "dealt, cards compares all of them"
)
_BACK, _QUIT, _HELP = {"b", "back"}, {"q", "quit", "exit"}, {"?", "h", "help"}


def show_node(public: PublicState, node: NodeAnswer, with_evs: bool = False) -> None:
    """Print a node: the player to act, one grid of what each class does, and how often and for what the range acts."""
    board = Text("board ").append_text(cards_text(format_cards(public.board)))
    out.print(board.append(f"  pot {node.pot:,}", style="bold"))
    if node.player < 0:
        what = f"choose the card to deal: {', '.join(node.deals)}" if node.deals else "the line ends here"
        out.print(what, markup=False, soft_wrap=True)
        return
    out.print(Text(f"{PLAYERS[node.player]} to act", style="bold"))
    grid = mix_table(public, node)
    beside = Table(box=None, padding=(0, 1, 0, 0), show_header=False)
    beside.add_column(min_width=out.measure(grid).maximum)  # the legend wraps, the grid does not
    beside.add_row(grid, legend(public, node))
    out.print(beside)
    note(_GRID_LEGEND)
    if with_evs:
        out.print()
        print_grid(ev_grid(public, node, out.width))


def show_class(public: PublicState, node: NodeAnswer, word: str) -> bool:
    """Print the holdings of a class, or one holding; return whether the word names any."""
    members = members_named(public.variant.deck, word)
    if node.player < 0 or not len(members):
        return False
    if any(node.reach[node.player, place] > 0 for place in members):
        out.print(class_details(public, node, members))
    else:
        out.print(f"{PLAYERS[node.player]} cannot have {word} here", markup=False)
    return True


def walk(link: ResolverClient, handle: str, spot: StudySpot, path: tuple[Step, ...]) -> None:
    """Show a node, and go where the user types, until they quit."""
    node = link.node(handle, path)
    while True:
        public = _at(spot.public, path)
        show_node(public, node)
        note(_line(spot.public, path))
        next_path = _ask(link, handle, public, spot, node, path)
        if next_path is None:
            return
        try:
            node, path = link.node(handle, next_path), next_path
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.INVALID_ARGUMENT:
                raise
            out.print(f"no such node: {reason_of(error)}", markup=False, soft_wrap=True)


def _ask(
    link: ResolverClient, handle: str, public: PublicState, spot: StudySpot, node: NodeAnswer, path: tuple[Step, ...]
) -> tuple[Step, ...] | None:
    """Return the next path; None to end."""
    choices = " ".join(notation_of(public, action) for action in node.actions)
    choices += "  AQs a class" if choices else "a card  cards all of them" * bool(node.deals)
    while True:
        try:
            word = out.input(Text(f"{choices}  b back  q quit  ? help > ", style="bold")).strip()
        except EOFError:
            return None
        if word.lower() in _QUIT:
            return None
        if word.lower() in _BACK and path:
            return path[:-1]
        if word.lower() in (_HELP | _BACK) or not word:
            note(_WALK_HELP)
            continue
        if node.player >= 0 and _show_more(public, node, word):
            continue
        if node.deals and word.lower() == "cards":
            print_rows(list(run_out_rows(link, handle, public, path, node)), "card")
            continue
        if word.lower().startswith("root"):
            public, path = spot.public, ()
        if not node.actions and not node.deals and not word.lower().startswith("root"):
            out.print("the line ends here: b goes back", markup=False)
            continue
        try:
            return (*path, *read_path(word, public, spot.sizes)[0])
        except Refused as refused:
            out.print(str(refused), markup=False, soft_wrap=True)


def _show_more(public: PublicState, node: NodeAnswer, word: str) -> bool:
    """Print details of a node that a word asks for; return whether it does."""
    if word.lower() == "ev":
        print_grid(ev_grid(public, node, out.width))
    elif word.lower() == "all":
        for grid in grids(public, node, out.width, most_played=True):
            print_grid(grid)
            out.print()
    else:
        return show_class(public, node, word)
    return True


def _at(public: PublicState, path: tuple[Step, ...]) -> PublicState:
    for step in path:
        public = after(public, step)
    return public


def _line(public: PublicState, path: tuple[Step, ...]) -> str:
    """Return the line up to a node, in words."""
    words = []
    for step in path:
        who = PLAYERS[public.actor] if public.actor is not None else ""
        words.append(f"{who} {played_words(public, step)}" if isinstance(step, int) else f"[{step}]")
        public = after(public, step)
    return ", ".join(words) or "the root"
