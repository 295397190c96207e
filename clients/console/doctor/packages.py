"""Python, and the packages of each extra: installed, and in the right version."""

import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata, requires, version

from riverboat.clients.console.doctor.diagnosis import Diagnosis, broken, optional, working
from riverboat.rpc.installation import how_to_install

_NAME = "riverboat"
EVERYTHING = ("every command",)
# The commands that need an extra.
EXTRAS: dict[str, tuple[str, ...]] = {
    "": EVERYTHING,
    "oracle": ("equity", "features", "classify", "showdown", "deal", "decks", "utility", "cheatsheet", "up", "demo"),
    "gamemanager": ("play", "watch", "match", "up", "demo"),
    "resolver": ("solve", "explain", "review", "models", "up", "demo"),
    "pictures": ("cheatsheet --picture", "situations"),
    "worker": ("worker", "train"),
    "trainer": ("train", "runs"),
}
_OPTIONAL = ("pictures", "worker", "trainer")  # not needed to play or to solve
_REQUIREMENT = re.compile(
    r"\s*(?P<name>[\w.-]+)(?:\[(?P<extras>[\w,. -]+)\])?\s*\(?(?P<asked>[^;)]*)\)?(?:;(?P<when>.*))?"
)
_WHEN = re.compile(r"""extra\s*==\s*["'](?P<extra>[\w-]+)["']""")
_CLAUSE = re.compile(r"\s*(?P<how>>=|<=|==|!=|<|>)\s*(?P<version>[\d.]+)")


def check_python() -> Diagnosis:
    """Check the version of Python."""
    asked = _asked_of_python()
    version_here = ".".join(map(str, sys.version_info[:3]))
    if fits(version_here, asked):
        return working("python", f"{version_here} at {sys.executable}")
    return broken(
        "python",
        f"version {version_here}; riverboat needs {asked}",
        "make clean, then make install PYTHON=...",
        EVERYTHING,
    )


def check_packages() -> Iterator[Diagnosis]:
    """Yield a line for each complete extra, and one for each package that is missing or too old."""
    try:
        lines = requires(_NAME) or []
    except PackageNotFoundError:
        yield broken("packages", "riverboat is not installed in this environment", "make install", EVERYTHING)
        return
    for extra, commands in EXTRAS.items():
        yield from _check_extra(lines, extra, commands)


def _check_extra(lines: Sequence[str], extra: str, commands: tuple[str, ...]) -> Iterator[Diagnosis]:
    about = f"packages for {extra}" if extra else "packages"
    asked = dict(requirements(lines, extra))
    problems = [problem for name, clauses in asked.items() if (problem := _problem(name, clauses))]
    missing = [name for name in asked if not _installed(name)]
    remedy = how_to_install(*filter(None, [extra]))
    if not problems:
        yield working(about, f"{len(asked)} installed, for {_listed(commands)}")
    elif extra in _OPTIONAL:
        says = f"not installed: {', '.join(missing)}" if missing else problems[0]
        yield optional(about, says, f"needed only by riverboat {' and '.join(commands)}: {remedy}", commands)
    else:
        yield from (broken(about, problem, remedy, commands) for problem in problems)


def _listed(commands: tuple[str, ...]) -> str:
    return "all commands" if commands == EVERYTHING else ", ".join(commands)


def _installed(name: str) -> str:
    """Return the version of a package; nothing if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _problem(name: str, asked: str) -> str:
    installed = _installed(name)
    if not installed:
        return f"{name} is not installed"
    return "" if fits(installed, asked) else f"{name} is {installed}; riverboat needs {asked}"


def _asked_of_python() -> str:
    try:
        return str(metadata(_NAME)["Requires-Python"] or "")
    except (PackageNotFoundError, KeyError):
        return ""


def requirements(lines: Sequence[str], extra: str) -> Iterator[tuple[str, str]]:
    """Yield names and versions that an extra needs, also through other extras; "" is what every command needs."""
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


def fits(installed: str, asked: str) -> bool:
    """Return whether clauses like >=2.0,<2.6 allow a version; suffixes after the numbers are ignored."""
    here = _numbers(installed)
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
    match = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, match[0].split("."))) if match else ()
