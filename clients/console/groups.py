"""What the commands are for, in groups: the first screen that somebody sees, and the sections of --help."""

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup


@dataclass(frozen=True, slots=True)
class Group:
    """Commands that belong together, what they are for, and an example."""

    title: str
    commands: tuple[str, ...]
    example: str
    shows: str  # what the example does


GROUPS = (
    Group("Begin", ("demo", "doctor"), "demo", "a tour of ninety seconds"),
    Group("Play", ("play", "watch", "tables", "hands", "replay", "verify"), "play", "sit down against an agent"),
    Group("Study", ("solve", "explain", "review"), "solve --board Td9d6hQc2s", "what each holding does, and its worth"),
    Group(
        "Ask about cards",
        ("equity", "classify", "showdown", "deal", "decks", "utility", "cheatsheet"),
        "equity AhKh --vs QQ+,AKs",
        "how often a holding wins",
    ),
    Group(
        "Bots and matches",
        ("match", "bot"),
        "match rollout random",
        "who is better, and how sure that is",
    ),
    Group(
        "Train networks",
        ("train", "runs", "models", "worker", "situations"),
        "train --samples 2000",
        "a small value network from nothing",
    ),
    Group("Run services", ("up", "status", "down", "conformance"), "up", "in the background, all but a trainer"),
)
_ELSEWHERE = "More"  # where a command is listed that no group names
_TITLE, _EXAMPLE = 18, 38  # columns


class Grouped(TyperGroup):
    """The command with its sub-commands listed in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """A section of --help for each group."""
        left = {name: command for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))}
        width = max(map(len, left), default=0)
        limit = formatter.width - 6 - width
        for title, names in (*((group.title, group.commands) for group in GROUPS), (_ELSEWHERE, tuple(left))):
            found = [(name, left.pop(name)) for name in names if name in left]
            rows = [(name.ljust(width), command.get_short_help_str(limit)) for name, command in found]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def print_welcome(console: Console) -> None:
    """What there is, and what to try first: some twenty lines of 80 columns."""
    console.print(Text("Riverboat: a Texas Hold'em laboratory.", style="bold"))
    console.print("Commands start what they need, and stop it in the end.\n")
    for group in GROUPS:
        head = Text(f"{group.title:{_TITLE}}", style="bold").append(" ".join(group.commands), style="not bold")
        console.print(head, soft_wrap=True)
        example = Text(f"  {f'riverboat {group.example}':{_EXAMPLE}}", style="cyan").append(group.shows, style="dim")
        console.print(example, soft_wrap=True)
    console.print("\nriverboat COMMAND --help has options and examples.", style="dim")
