"""The commands in groups: the first screen, the sections of --help, and loading on demand."""

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from riverboat.clients.console.catalogue import GROUPS, LISTED
from riverboat.clients.console.help_pages import HelpPage

_TITLE, _EXAMPLE = 17, 38  # columns


class Grouped(TyperGroup):
    """The command, with its subcommands listed in groups and loaded when they are called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: MutableMapping[str, Any] = LoadedCommands()

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, without loading them."""
        return list(LISTED)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section of --help for each group."""
        width = max(map(len, LISTED))
        limit = formatter.width - 6 - width
        for group in GROUPS:
            with formatter.section(group.title):
                titles = [_title(name).get_short_help_str(limit) for name in group.commands]
                formatter.write_dl(
                    [(name.ljust(width), text) for name, text in zip(group.commands, titles, strict=True)]
                )

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete the name of a command or an option, without loading commands."""
        loaded, self.commands = self.commands, {name: _title(name) for name in LISTED}
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self.commands = loaded


class LoadedCommands(MutableMapping[str, Any]):
    """All commands by name; each is loaded when it is first looked up."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded and name in LISTED:
            self._loaded |= _load(LISTED[name].module_name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(LISTED)

    def __len__(self) -> int:
        return len(LISTED)


def _load(module: str) -> dict[str, Any]:
    """Return the commands of a module by name."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    import_module(f"riverboat.clients.console.commands.{module}").add_to(app)
    for registered in app.registered_commands:
        registered.cls = HelpPage
    return dict(typer.main.get_group(app).commands)


def _title(name: str) -> TyperCommand:
    """Return a command that only has a name, for lists."""
    return TyperCommand(name=name, help=LISTED[name].summary)


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
