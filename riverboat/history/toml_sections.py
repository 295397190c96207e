"""The hands of a TOML file one by one, each with its place in the file."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from riverboat.errors import InvalidInput

_HEADER = re.compile(r"^\[([\w-]+)\][ \t]*(?:#.*)?$", re.MULTILINE)
_COMMENTS = re.compile(r"(?:[ \t]*(?:#.*)?\n)*[ \t]*(?:#.*)?")
_AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_FIELD = re.compile(r"(\w+)(?:\[(\d+)\])?")
_STRING_OR_COMMENT = re.compile(r"""#[^\n]*|'[^'\n]*'|"(?:\\.|[^"\\\n])*\"""")


@dataclass(frozen=True, slots=True)
class Section:
    """The text of one hand."""

    name: str  # empty for a file with one hand
    text: str
    line: int  # of the file, where it begins
    is_repeated: bool = False  # a hand above has the same name

    def table(self) -> dict[str, Any]:
        """Return the keys and values of the hand; numbers with a decimal point are Decimals."""
        if self.is_repeated:
            raise InvalidInput(f"line {self.line}", f"a hand above is already called [{self.name}]")
        try:
            table = tomllib.loads(self.text, parse_float=Decimal)
        except RecursionError:
            raise InvalidInput(f"line {self.line}", "lists are nested too deeply") from None
        except ValueError as error:
            at = _AT_LINE.search(str(error))
            line = int(at[1]) if at else self.text.rstrip().count("\n") + 1
            raise InvalidInput(f"line {self.line + line - 1}", _AT_LINE.sub("", str(error))) from None
        inner = table[self.name] if self.name else table
        return dict(inner)

    def line_of(self, field: str) -> int:
        """Return the line of a field in the file, or of the n-th text of its list for `field[n]`."""
        match = _FIELD.match(field)
        assignment = match and re.search(rf"^[ \t]*{match[1]}[ \t]*=", self.text, re.MULTILINE)
        if not match or not assignment:
            return self.line
        at = assignment.end()
        value = self.text[at:].lstrip()
        if match[2] and value[1:].lstrip()[:1] in (
            "'",
            '"',
            "#",
        ):  # lists of other values stand on one line
            texts = (token for token in _STRING_OR_COMMENT.finditer(self.text, at) if token[0][0] != "#")
            places = [token.start() for _, token in zip(range(int(match[2]) + 1), texts, strict=False)]
            at = places[-1] if places else at
        return self.line + self.text.count("\n", 0, at)


def sections(text: str) -> Iterator[Section]:
    """Yield the sections of a file under headers like [7], or the whole file if text precedes the first header."""
    text = text.replace("\r\n", "\n")
    headers = list(_HEADER.finditer(text))
    if not headers or not _COMMENTS.fullmatch(text, 0, headers[0].start()):
        if _COMMENTS.fullmatch(text):
            raise InvalidInput("", "there is no hand in this file")
        yield Section("", text, 1)
        return
    line, at, seen = 1, 0, set()
    for i, header in enumerate(headers):
        line, at = line + text.count("\n", at, header.start()), header.start()
        end = headers[i + 1].start() if i + 1 < len(headers) else len(text)
        yield Section(header[1], text[at:end], line, header[1] in seen)
        seen.add(header[1])
