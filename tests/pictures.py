"""Draw the terminal pictures of the docs from what commands print: python -m tests.pictures [console] [solve-terminal].

Each command runs in a pseudo-terminal and gets keys by rules; its last screen becomes a PNG file. docs/images/solve.png
is a page of `riverboat solve --html turn.html` (the spot below) in a browser:

    chromium --headless --hide-scrollbars --virtual-time-budget=4000 --window-size=1400,1080 \\
        --screenshot=docs/images/solve.png "file://$PWD/turn.html#bets-100?class=KQs"

Other pictures come from:

    cheatsheet.png        riverboat cheatsheet --opponents 1-8 --picture
    situations.png        riverboat situations
    learning-24-turn.png  the trainer, which draws each network's learning curve (services/trainer/learning/curves.py)
    samples-24-turn.png   python -m benchmarks.samples STORE --deck 24 --street turn --picture
"""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont

from tests.processes import ROOT

IMAGES = ROOT / "docs" / "images"
_POINTS = 22
_MARGIN = 32
_MOST_SECONDS = 300
_SETTLE_SECONDS = 0.3  # without output, after which a screen is complete
_BACK, _FRONT = "#161b22", "#e6e6e6"
_COLOURS = ("#484f58", "#e06c75", "#7ec97e", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#e6e6e6")
_FAINT = "#7d828a"
_UNFINISHED = re.compile(rb"(\x1b[^A-Za-z]*|[\xc0-\xff][\x80-\xbf]{0,2})$")  # an incomplete sequence or character
_ESCAPES = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b[=>78]")


@dataclass(frozen=True, slots=True)
class Scene:
    """A command, the size of its terminal, the keys it gets when its screen matches a pattern, and when it is done."""

    words: list[str]
    row_count: int
    column_count: int
    rules: tuple[tuple[str, str], ...]
    end: str


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell is drawn."""

    front: str = _FRONT
    back: str = _BACK
    is_bold: bool = False
    is_faint: bool = False


@dataclass(slots=True)
class Screen:
    """A terminal that understands what our commands use: colours, cursor moves, erasing."""

    row_count: int
    column_count: int
    cells: list[list[tuple[str, Style]]] = field(default_factory=list)
    row: int = 0
    column: int = 0
    style: Style = Style()

    def __post_init__(self) -> None:
        self.cells = [self._empty() for _ in range(self.row_count)]

    def _empty(self) -> list[tuple[str, Style]]:
        return [(" ", Style())] * self.column_count

    def write(self, text: str) -> None:
        """Process a command's output."""
        place = 0
        for match in _ESCAPES.finditer(text):
            self._print(text[place : match.start()])
            if match.group(2):
                self._control(match.group(2), match.group(1))
            place = match.end()
        self._print(text[place:])

    def _print(self, text: str) -> None:
        for letter in text:
            if letter == "\r":
                self.column = 0
            elif letter == "\n":
                self._next_row()
            elif letter == "\b":
                self.column = max(0, self.column - 1)
            elif letter >= " ":
                if self.column >= self.column_count:
                    self.column = 0
                    self._next_row()
                self.cells[self.row][self.column] = (letter, self.style)
                self.column += 1

    def _next_row(self) -> None:
        self.row += 1
        if self.row == self.row_count:
            self.cells = [*self.cells[1:], self._empty()]
            self.row -= 1

    def _control(self, kind: str, text: str) -> None:
        numbers = [int(number or 0) for number in text.strip("?").split(";")] if text.strip("?") else [0]
        if kind == "m":
            self.style = _styled(self.style, numbers)
        elif kind in "Hf":
            self.row = max(1, numbers[0]) - 1
            self.column = max(1, numbers[1] if len(numbers) > 1 else 1) - 1
        elif kind == "A":
            self.row = max(0, self.row - max(1, numbers[0]))
        elif kind == "J":
            if numbers[0] == 2:
                self.cells = [self._empty() for _ in range(self.row_count)]
            else:
                self.cells[self.row][self.column :] = self._empty()[self.column :]
                self.cells[self.row + 1 :] = [self._empty() for _ in self.cells[self.row + 1 :]]
        elif kind == "K":
            first = 0 if numbers[0] == 2 else self.column
            self.cells[self.row][first:] = self._empty()[first:]

    def text(self) -> str:
        """Return the screen as text."""
        return "\n".join("".join(letter for letter, _ in row).rstrip() for row in self.cells)


def _styled(style: Style, numbers: list[int]) -> Style:
    """Return a style after an escape sequence of colours."""
    while numbers:
        number, *numbers = numbers
        if number == 0:
            style = Style()
        elif number == 1:
            style = replace(style, is_bold=True)
        elif number == 2:
            style = replace(style, is_faint=True)
        elif number == 22:
            style = replace(style, is_bold=False, is_faint=False)
        elif number in (38, 48):
            colour, numbers = _wide_colour(numbers)
            style = replace(style, front=colour) if number == 38 else replace(style, back=colour)
        elif number in (39, 49):
            style = replace(style, front=_FRONT) if number == 39 else replace(style, back=_BACK)
        elif 30 <= number <= 37 or 90 <= number <= 97:
            style = replace(style, front=_COLOURS[number % 10])
        elif 40 <= number <= 47 or 100 <= number <= 107:
            style = replace(style, back=_COLOURS[number % 10])
    return style


def _wide_colour(numbers: list[int]) -> tuple[str, list[int]]:
    """Return a colour of 24 bits or of a table of 256, and the numbers after it."""
    if numbers[0] == 2:
        return "#{:02x}{:02x}{:02x}".format(*numbers[1:4]), numbers[4:]
    number = numbers[1]
    if number < 16:
        return _COLOURS[number % 8], numbers[2:]
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}", numbers[2:]
    steps = (0, 95, 135, 175, 215, 255)
    red, green, blue = (steps[(number - 16) // size % 6] for size in (36, 6, 1))
    return f"#{red:02x}{green:02x}{blue:02x}", numbers[2:]


def screen_of(scene: Scene) -> Screen:
    """Run a command, press keys by its rules, and return its screen when that shows the end."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", scene.row_count, scene.column_count, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    process = subprocess.Popen(
        scene.words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    screen, answered, rest = Screen(scene.row_count, scene.column_count), "", b""
    give_up = time.monotonic() + _MOST_SECONDS
    try:
        while time.monotonic() < give_up:
            if select.select([ours], [], [], _SETTLE_SECONDS)[0]:
                rest += os.read(ours, 65536)
                whole = _UNFINISHED.sub(b"", rest)
                screen.write(whole.decode())
                rest = rest[len(whole) :]
                continue  # until it has settled
            shown = re.sub(r"\d+ s left", "", screen.text())
            if re.search(scene.end, shown, re.MULTILINE):
                return screen
            keys = next((keys for rule, keys in scene.rules if re.search(rule, shown, re.MULTILINE)), "")
            if keys and shown != answered:
                os.write(ours, keys.encode())
                answered = shown
    finally:
        process.terminate()
        process.wait()
        os.close(ours)
    raise TimeoutError(f"{scene.words} never showed {scene.end}:\n{screen.text()}")


def draw(screen: Screen, path: Path) -> None:
    """Write a screen as a picture, without the empty rows at its end."""
    fonts = [font_manager.FontProperties(family="DejaVu Sans Mono", weight=weight) for weight in ("normal", "bold")]
    faces = [ImageFont.truetype(font_manager.findfont(font), _POINTS) for font in fonts]
    width, height = faces[0].getlength("M"), round(1.35 * _POINTS)
    row_count = max(i for i, row in enumerate(screen.cells) if any(letter != " " for letter, _ in row)) + 1
    size = round(2 * _MARGIN + width * screen.column_count), 2 * _MARGIN + height * row_count
    picture = Image.new("RGB", size, _BACK)
    pen = ImageDraw.Draw(picture)
    for i, row in enumerate(screen.cells[:row_count]):
        for j, (letter, style) in enumerate(row):
            x, y = _MARGIN + width * j, _MARGIN + height * i
            if style.back != _BACK:
                pen.rectangle((x, y, x + width, y + height), style.back)
            front = _FAINT if style.is_faint and style.front == _FRONT else style.front
            pen.text((x, y + 2), letter, front, faces[style.is_bold])
    picture.save(path, optimize=True)


def main(names: list[str]) -> None:
    """Draw the pictures of these names, or all."""
    riverboat = str(Path(sys.executable).parent / "riverboat")
    turn = [
        *(riverboat, "solve", "--board", "Td9d6hQc", "--pot", "200", "--stack", "900"),
        *("--oop", "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"),
        *("--ip", "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"),
        *("--sizes", "50%,100%,a; 100%,a", "--target", "0.5%"),
    ]
    play = [riverboat, "play", "--agents", "resolver", "--name", "Anna"]
    scenes = {
        "console": Scene(
            play, 34, 82, ((r"(?s)^turn .*your turn", "?\n"), ("your turn", "c\n")), "(?s)^turn .*ahead of"
        ),
        "solve-terminal": Scene(turn, 22, 80, (), "q quit"),
    }
    for name in names or scenes:
        draw(screen_of(scenes[name]), IMAGES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
