"""How files with hands are read, as options that several commands share."""

from dataclasses import dataclass, fields

from riverboat.clients.console.hands.files import FileFormat, Form, LogBlinds, LogLimit, LogStack, game_of_options


@dataclass(frozen=True, slots=True)
class FileOptions:
    """The options as typed; `with_option_groups` gives them to a command."""

    form: Form = None
    blinds: LogBlinds = "50,100"
    stack: LogStack = 20_000
    limit: LogLimit = "no"

    def game(self) -> FileFormat:
        """Return how files are read."""
        return game_of_options(self.form, self.blinds, self.stack, self.limit)


FILE_OPTIONS = tuple(field.name for field in fields(FileOptions))
