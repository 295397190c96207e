"""The screens in tests/golden/console: python -m tests.unit.clients.console.table.screens rewrites them."""

from dataclasses import replace
from pathlib import Path

from riverboat.clients.console.table.scene import Scene, scene_of_update, scene_of_view
from riverboat.clients.console.table.screen import draw
from riverboat.clients.console.table.story import Narrator, Sentence
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import KUHN, fixed_limit, no_limit, pot_limit
from riverboat.tables.entries import HandBegan
from riverboat.tables.view import PublicUpdate
from tests.unit.clients.console.table.tables import apply, deal, play, table_of, update, view

FOLDER = Path(__file__).resolve().parents[4] / "golden" / "console"


def spectator(message: PublicUpdate) -> Scene:
    """Return a scene from an update with the whole table."""
    starts = [place for place, event in enumerate(message.events) if isinstance(event.entry, HandBegan)]
    return scene_of_update(message, message.events[starts[-1] :] if starts else [])


def screens() -> dict[str, Scene]:
    """Return scenes by name."""
    waiting = table_of("Anna")
    preflop = deal(table_of("Anna", "rollout", "random"))
    flop = play(deal(table_of("Anna", "rollout", "random")), 0, 0, 0, 300)
    folded = play(deal(table_of("Anna", "rollout", "random")), 300, -1, -1)
    showdown = play(deal(table_of("Anna", "rollout")), 300, 0, 0, 600, 0, 0, 0, 0, 0)
    short = table_of("Anna", "rollout", "random", "carl", "dora", "emil")
    for player, stack in zip(short.players, (10_000, 500, 2_000, 10_000, 7_000, 10_000), strict=True):
        assert player
        player.stack = stack
    play(deal(short), 300, 7_000, -1, -1, 0, 0)
    left = deal(table_of("Anna", "rollout", "random"))
    apply(left, left.leave(1))
    play(left, 300, -1, -1)
    ten = deal(table_of(*(f"a player with name {n}" for n in range(10)), buy_in=1_000_000_000))
    strange = deal(table_of("[bold red]x[/]", "日本語の名前です", "e\u0301e\u0301\u0323", "a\u202eb\x1b[2J\ax"))
    capped = tuple(replace(street, raise_cap=2) for street in no_limit(50, 100).streets)
    sizes = parse_bet_sizes("1b 0.5p 1p / 0.5p 1p; 1p")
    less = replace(no_limit(50, 100), streets=capped, pot_cap=5_000, all_in=False, bet_sizes=sizes)
    longest = [f"hybrid:preflop+flop+turn+river{end}" for end in ("", " 2")]
    restricted = play(deal(table_of("Anna", *longest, variant=less)), 0, 0, 0)
    antes = deal(table_of("Anna", "Bob", "Cid", variant=no_limit(5, 10, 20, ante=1)))
    agents = play(deal(table_of("rollout", "random", "always-call", agents_only=True)), 300, 0)
    return {
        "waiting": scene_of_view(view(waiting, 0)),
        "preflop": scene_of_view(view(preflop, 0)),
        "flop": scene_of_view(view(flop, 2)),
        "not_your_turn": scene_of_view(view(flop, 0)),
        "folded": scene_of_view(view(folded, 0)),
        "showdown": scene_of_view(view(showdown, 0)),
        "side_pots": scene_of_view(view(short, 3)),
        "left": scene_of_view(view(left, 0)),
        "ten_players": scene_of_view(view(ten, 3, 125_000)),
        "strange_names": scene_of_view(view(strange, 3)),
        "antes": scene_of_view(view(antes, 0)),
        "pot_limit": scene_of_view(view(deal(table_of("Anna", "Bob", variant=pot_limit(50, 100))), 0)),
        "fixed_limit": scene_of_view(view(deal(table_of("Anna", "Bob", variant=fixed_limit(100))), 0)),
        "short_deck": scene_of_view(view(deal(table_of("Anna", "Bob", variant=no_limit(50, 100, deck="24"))), 0)),
        "kuhn": scene_of_view(view(deal(table_of("Anna", "Bob", variant=KUHN, buy_in=10)), 0)),
        "restricted": scene_of_view(view(restricted, 1)),
        "spectator": spectator(update(agents)),
        "dealer": spectator(update(agents, dealer=True)),
        "in_the_middle": scene_of_update(update(agents, first=5), []),
    }


def told_of(scene: Scene) -> list[Sentence]:
    """Return a narrator's lines about the hand of a scene."""
    return Narrator(scene.state.variant).tell(scene.events) if scene.state else []


def text_of(scene: Scene) -> str:
    """Return a screen as plain text."""
    return "".join(f"{line.plain}\n" for line in draw(scene, told_of(scene)))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, scene in screens().items():
        (FOLDER / f"{name}.txt").write_text(text_of(scene))
