"""Whether what riverboat asks for is installed: Python, and the packages of each extra."""

import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata, requires, version

from riverboat.clients.console.doctor.finding import Finding, broken, optional, works
from riverboat.installation import how_to_install

_NAME = "riverboat"
EVERYTHING = ("every command",)
# Which commands need what an extra brings.
EXTRAS: dict[str, tuple[str, ...]] = {
    "": EVERYTHING,
    "oracle": ("equity", "classify", "showdown", "deal", "decks", "utility", "cheatsheet", "up", "demo"),
    "gamemanager": ("play", "watch", "match", "up", "demo"),
    "resolver": ("solve", "explain", "review", "models", "up", "demo"),
    "pictures": ("cheatsheet --picture", "situations"),
    "worker": ("worker", "train"),
    "trainer": ("train", "runs"),
}
_OPTIONAL = ("pictures", "worker", "trainer")  # nobody needs them to play or to solve
_REQUIREMENT = re.compile(
    r"\s*(?P<name>[\w.-]+)(?:\[(?P<extras>[\w,. -]+)\])?\s*\(?(?P<asked>[^;)]*)\)?(?:;(?P<when>.*))?"
)
_WHEN = re.compile(r"""extra\s*==\s*["'](?P<extra>[\w-]+)["']""")
_CLAUSE = re.compile(r"\s*(?P<how>>=|<=|==|!=|<|>)\s*(?P<version>[\d.]+)")


def check_python() -> Finding:
    """Python itself."""
    asked = _asked_of_python()
    found = ".".join(map(str, sys.version_info[:3]))
    if fits(found, asked):
        return works("python", f"{found} at {sys.executable}")
    return broken("python", f"{found}, and {asked} is asked for", "make clean, then make install PYTHON=…", EVERYTHING)


def check_packages() -> Iterator[Finding]:
    """A line for each extra that is complete, and one for each package that is not as it should be."""
    try:
        lines = requires(_NAME) or []
    except PackageNotFoundError:
        yield broken("packages", "riverboat is not installed here", "make install", EVERYTHING)
        return
    for extra, commands in EXTRAS.items():
        yield from _check_extra(lines, extra, commands)


def _check_extra(lines: Sequence[str], extra: str, commands: tuple[str, ...]) -> Iterator[Finding]:
    about = f"packages for {extra}" if extra else "packages"
    asked = dict(requirements(lines, extra))
    problems = [problem for name, clauses in asked.items() if (problem := _problem(name, clauses))]
    missing = [name for name in asked if not _installed(name)]
    mend = how_to_install(*filter(None, [extra]))
    if not problems:
        yield works(about, f"{len(asked)} installed, for {_listed(commands)}")
    elif extra in _OPTIONAL:
        says = f"not installed: {', '.join(missing)}" if missing else problems[0]
        yield optional(about, says, f"only riverboat {' and '.join(commands)} need them: {mend}", commands)
    else:
        yield from (broken(about, problem, mend, commands) for problem in problems)


def _listed(commands: tuple[str, ...]) -> str:
    return "all commands" if commands == EVERYTHING else ", ".join(commands)


def _installed(name: str) -> str:
    """The version of a package; nothing if it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _problem(name: str, asked: str) -> str:
    found = _installed(name)
    if not found:
        return f"{name} is not installed"
    return "" if fits(found, asked) else f"{name} is {found}, and {asked} is asked for"


def _asked_of_python() -> str:
    try:
        return str(metadata(_NAME)["Requires-Python"] or "")
    except (PackageNotFoundError, KeyError):
        return ""


def requirements(lines: Sequence[str], extra: str) -> Iterator[tuple[str, str]]:
    """Names and versions that an extra asks for, also through other extras; "" for what is always needed."""
    for line in lines:
        match = _REQUIREMENT.fullmatch(line)
        when = _WHEN.search(match["when"] or "") if match else None
        if not match or (when["extra"] if when else "") != extra:
            continue
        if match["name"] == _NAME:
            for other in (match["extras"] or "").split(","):
                yield from requirements(lines, other.strip())
        else:
            yield match["name"], match["asked"].strip()


def fits(found: str, asked: str) -> bool:
    """Whether a version is what clauses like >=2.0,<2.6 allow; words after the numbers do not count."""
    here = _numbers(found)
    for clause in filter(None, asked.split(",")):
        match = _CLAUSE.match(clause)
        if not match:
            continue
        there = _numbers(match["version"])
        width = max(len(here), len(there))
        left, right = (numbers + (0,) * (width - len(numbers)) for numbers in (here, there))
        holds = {
            ">=": left >= right,
            "<=": left <= right,
            "==": left == right,
            "!=": left != right,
            "<": left < right,
            ">": left > right,
        }
        if not holds[match["how"]]:
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()
