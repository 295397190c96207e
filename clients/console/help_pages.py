"""The --help of a command: examples that can be copied, no Python types, ranges in words."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import cleandoc
from typing import Any

from typer.core import TyperCommand

_NUMBER = r"-?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"(; )?(?:({_NUMBER})<=x<=({_NUMBER})|x>=({_NUMBER}))(?=[\];])")
_UNBROKEN = {
    re.compile(r"(?<=\d) (?=%)"): "\N{NO-BREAK SPACE}",
    re.compile(r"(?<=\w)-(?=\w)"): "\N{NON-BREAKING HYPHEN}",
}
_PLAIN = str.maketrans("\N{NO-BREAK SPACE}\N{NON-BREAKING HYPHEN}", " -")
_PRACTICALLY_UNLIMITED = 10**9  # larger maxima only protect the services, and would be noise in a help text


class HelpText:
    """The description of a command or group, with examples that can be copied."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the command does, then its examples."""
        paragraphs = cleandoc(self.help or "").split("\n\n")
        examples = [text for text in paragraphs if text.startswith("riverboat ") and not text.endswith(".")]
        formatter.write_paragraph()
        with formatter.indentation(), _unbroken(formatter):
            formatter.write_text(_joined("\n\n".join(text for text in paragraphs if text not in examples)))
        if examples:
            with formatter.section("Examples" if len(examples) > 1 else "Example"):
                for example in examples:
                    formatter.write(_as_shell_lines(example, formatter.width, " " * formatter.current_indent))


class HelpPage(HelpText, TyperCommand):
    """A command with a --help for people who do not know Python."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line: FILE, where the parser writes {FILE}."""
        return [piece.translate({ord("{"): None, ord("}"): None}) for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections for arguments and options."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            name, text = record
            if parameter.param_type_name == "argument":
                sections["Arguments"].append((name.partition(" <")[0], ranges_in_words(text)))
            else:
                sections["Options"].append((name.replace("<", "").replace(">", ""), ranges_in_words(text)))
        for title, rows in sections.items():
            if rows:
                with formatter.section(title), _unbroken(formatter):
                    formatter.write_dl([(name, _joined(text)) for name, text in rows])


def _joined(text: str) -> str:
    """Return a text in which lines are not broken inside "95 %" and "always-fold"."""
    for pattern, sign in _UNBROKEN.items():
        text = pattern.sub(sign, text)
    return text


@contextmanager
def _unbroken(formatter: Any) -> Iterator[None]:
    """Replace non-breaking spaces and hyphens by plain ones in the text that the block writes."""
    start = len(formatter.buffer)
    yield
    formatter.buffer[start:] = [part.translate(_PLAIN) for part in formatter.buffer[start:]]


def _as_shell_lines(example: str, width: int, indent: str) -> str:
    """Return an example on lines that a shell reads as one."""
    lines = [indent]
    for word in example.split():
        if len(lines[-1]) + len(word) > width - len(" \\") and lines[-1].strip():
            lines[-1] += "\\"
            lines.append(indent * 3)
        lines[-1] += f"{word} "
    return "\n".join(line.rstrip() for line in lines) + "\n"


def ranges_in_words(text: str) -> str:
    """Return an option's help with ranges in words: "2 to 10" for "2<=x<=10", "at least 1" for "x>=1"."""
    return _RANGE.sub(_words, text).replace("  []", "").replace("[; ", "[")


def _words(match: re.Match[str]) -> str:
    separator, first, last, only = match.groups(default="")
    is_open = bool(only) or float(last) >= _PRACTICALLY_UNLIMITED
    if is_open and (only or first) in ("0", "1"):
        return ""  # that counts begin at 0 or 1 goes without saying
    if is_open:
        return f"{separator}at least {_grouped(only or first)}"
    return f"{separator}{_grouped(first)} to {_grouped(last)}"


def _grouped(number: str) -> str:
    """Return a number with commas between thousands."""
    whole, point, fraction = number.partition(".")
    return f"{int(whole):,}{point}{fraction}"
