"""The commands in groups: the screen of `riverboat` without arguments, and the sections of --help."""

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """Commands that belong together, and an example."""

    title: str
    commands: tuple[str, ...]
    example: str
    shows: str  # by the example


GROUPS = (
    CommandGroup("Begin", ("demo", "doctor"), "demo", "a tour in ninety seconds"),
    CommandGroup("Play", ("play", "watch", "tables", "hands", "replay", "verify"), "play", "play against an agent"),
    CommandGroup(
        "Study", ("solve", "explain", "review", "players"), "solve --board Td9d6hQc2s", "each holding's strategy and EV"
    ),
    CommandGroup(
        "Ask about cards",
        ("equity", "features", "classify", "showdown", "deal", "decks", "utility", "cheatsheet"),
        "equity AhKh --vs QQ+,AKs",
        "how often a holding wins",
    ),
    CommandGroup(
        "Bots and matches",
        ("match", "tournament", "ladder", "exploit", "chart", "tree", "bot", "acpc", "slumbot"),
        "match rollout random",
        "who is better, and by how much",
    ),
    CommandGroup(
        "Train networks",
        ("train", "runs", "models", "worker", "situations"),
        "train --samples 2000",
        "train a small value network",
    ),
    CommandGroup(
        "Run services", ("up", "status", "down", "conformance"), "up", "oracle, game manager, resolver, agents"
    ),
)
_ELSEWHERE = "More"  # for commands in no group
_TITLE, _EXAMPLE = 17, 38  # columns


class Grouped(TyperGroup):
    """The command, with its subcommands listed in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section of --help for each group."""
        left = {name: command for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))}
        width = max(map(len, left), default=0)
        limit = formatter.width - 6 - width
        for title, names in (*((group.title, group.commands) for group in GROUPS), (_ELSEWHERE, tuple(left))):
            listed = [(name, left.pop(name)) for name in names if name in left]
            rows = [(name.ljust(width), command.get_short_help_str(limit)) for name, command in listed]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def print_welcome(console: Console) -> None:
    """Print all commands, with an example for each group: some twenty lines of 80 columns."""
    console.print(Text("Riverboat: a Texas Hold'em laboratory.", style="bold"))
    console.print("Commands start the services they need and stop them on exit.\n")
    for group in GROUPS:
        head = Text(f"{group.title:{_TITLE}}", style="bold").append(" ".join(group.commands), style="not bold")
        console.print(head, soft_wrap=True)
        example = Text(f"  {f'riverboat {group.example}':{_EXAMPLE}}", style="cyan").append(group.shows, style="dim")
        console.print(example, soft_wrap=True)
    console.print("\nriverboat COMMAND --help shows options and examples.", style="dim")
