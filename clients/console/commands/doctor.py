"""riverboat doctor: whether everything is there, and how to mend what is not."""

from collections.abc import Iterator

import typer
from rich.text import Text

from riverboat.clients.console.doctor.around import check_networks, check_ports, check_redis
from riverboat.clients.console.doctor.finding import Finding, Mark
from riverboat.clients.console.doctor.machine import (
    check_cores,
    check_docker,
    check_folders,
    check_kernels,
    check_memory,
    check_terminal,
)
from riverboat.clients.console.doctor.packages import check_packages, check_python
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import out, print_json

_STYLES = {Mark.WORKS: "green", Mark.BETTER: "yellow", Mark.OPTIONAL: "yellow", Mark.BROKEN: "bold red"}
_MARK, _ABOUT = 17, 26  # columns


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(as_json: AsJson = False) -> None:
    """Look at the installation, and say how to mend what does not work.

    A line for each thing: it works, could be better, is optional and not there, or does not work. Exit code 0 if
    playing and solving can work, 1 otherwise.

    riverboat doctor
    """
    found: list[Finding] = []
    for finding in findings():
        found.append(finding)
        if not as_json:  # line by line, which says enough about how far it is
            out.print(line_of(finding), soft_wrap=True)
    is_fit = all(one.mark is not Mark.BROKEN for one in found)
    if as_json:
        print_json({"works": is_fit, "findings": [_as_dict(one) for one in found]})
    else:
        out.print(_verdict(found), markup=False, soft_wrap=True)
    if not is_fit:
        raise typer.Exit(1)


def findings() -> Iterator[Finding]:
    """Everything, in order."""
    yield check_python()
    yield from check_packages()
    yield from check_kernels()
    yield from check_networks()
    yield check_cores()
    yield check_memory()
    yield from check_folders()
    yield check_terminal(out)
    yield from check_ports()
    yield check_redis()
    yield check_docker()


def line_of(finding: Finding) -> Text:
    """One line for people."""
    text = Text(f"{finding.mark.value:{_MARK}}", style=_STYLES[finding.mark])
    text.append(f"{finding.about:{_ABOUT}}{finding.says}", style="default not bold")
    if finding.mend:
        text.append(f"; {finding.mend}", style="default not bold")
    return text


def _verdict(found: list[Finding]) -> str:
    broken, optional = (_commands(found, mark) for mark in (Mark.BROKEN, Mark.OPTIONAL))
    if broken:
        return f"\nThese cannot work: {broken}."
    return f"\nAll commands can work but {optional}, which are optional." if optional else "\nAll commands can work."


def _commands(found: list[Finding], mark: Mark) -> str:
    return ", ".join(dict.fromkeys(name for one in found if one.mark is mark for name in one.commands))


def _as_dict(finding: Finding) -> dict[str, object]:
    return {
        "about": finding.about,
        "mark": finding.mark.value,
        "says": finding.says,
        "mend": finding.mend or None,
        "commands": list(finding.commands),
    }
