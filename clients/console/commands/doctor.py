"""riverboat doctor: check an installation, with a remedy for whatever does not work."""

from collections.abc import Iterator

import typer
from rich.text import Text

from riverboat.clients.console.doctor.diagnosis import Condition, Diagnosis
from riverboat.clients.console.doctor.machine import (
    check_cores,
    check_docker,
    check_folders,
    check_kernels,
    check_memory,
    check_terminal,
)
from riverboat.clients.console.doctor.networks import check_networks
from riverboat.clients.console.doctor.packages import check_packages, check_python
from riverboat.clients.console.doctor.services import check_ports, check_redis
from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import out, print_json

_STYLES = {
    Condition.WORKS: "green",
    Condition.BETTER: "yellow",
    Condition.OPTIONAL: "yellow",
    Condition.BROKEN: "bold red",
}
_CONDITION, _ABOUT = 17, 26  # columns


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(as_json: AsJson = False) -> None:
    """Check the installation, and suggest remedies.

    Each line says that something works, could be better, is optional and missing, or does not work. Exit code 0 if
    playing and solving can work, 1 otherwise.

    riverboat doctor
    """
    diagnoses: list[Diagnosis] = []
    for diagnosis in checks():
        diagnoses.append(diagnosis)
        if not as_json:  # line by line, which shows the progress too
            out.print(line_of(diagnosis), soft_wrap=True)
    is_fit = all(diagnosis.condition is not Condition.BROKEN for diagnosis in diagnoses)
    if as_json:
        print_json({"works": is_fit, "findings": [_as_dict(diagnosis) for diagnosis in diagnoses]})
    else:
        out.print(_verdict(diagnoses), markup=False, soft_wrap=True)
    if not is_fit:
        raise typer.Exit(1)


def checks() -> Iterator[Diagnosis]:
    """Yield every diagnosis, in order."""
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


def line_of(diagnosis: Diagnosis) -> Text:
    """Return one line for people."""
    text = Text(f"{diagnosis.condition.value:{_CONDITION}}", style=_STYLES[diagnosis.condition])
    text.append(f"{diagnosis.about:{_ABOUT}}{diagnosis.says}", style="default not bold")
    if diagnosis.remedy:
        text.append(f"; {diagnosis.remedy}", style="default not bold")
    return text


def _verdict(diagnoses: list[Diagnosis]) -> str:
    broken, optional = (_commands(diagnoses, condition) for condition in (Condition.BROKEN, Condition.OPTIONAL))
    if broken:
        return f"\nThese commands cannot work: {broken}."
    if optional:
        return f"\nAll commands are ready, except these optional ones: {optional}."
    return "\nAll commands are ready."


def _commands(diagnoses: list[Diagnosis], condition: Condition) -> str:
    return ", ".join(dict.fromkeys(name for one in diagnoses if one.condition is condition for name in one.commands))


def _as_dict(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "about": diagnosis.about,
        "mark": diagnosis.condition.value,
        "says": diagnosis.says,
        "mend": diagnosis.remedy or None,
        "commands": list(diagnosis.commands),
    }
