"""Documentation that must match the code: the table of log events and the tables of settings."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from pydantic_settings import BaseSettings

from riverboat.clients.local.settings import server_variable
from riverboat.rpc.settings import ServiceSettings
from riverboat.services.gamemanager.settings import GameManagerSettings
from riverboat.services.oracle.settings import OracleSettings
from riverboat.services.resolver.settings import ResolverSettings
from riverboat.services.trainer.settings import TrainerSettings, WorkerSettings

ROOT = Path(__file__).resolve().parent.parent
LOGGING = ("riverboat/rpc", "services", "clients/bots", "clients/remote")  # folders whose code writes logs
LEVELS = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
CHOSEN = ("note", "self._log")  # names that a method of the log is given before it is called
NOT_FIELDS = {"exc_info"}

SERVICES = (OracleSettings, GameManagerSettings, ResolverSettings, TrainerSettings)
BY_MACHINE = {"WORKERS", "LEARNING_THREADS", "PROCESSES", "THREADS"}  # settings whose defaults depend on the machine
VARIABLE = re.compile(r"\bRIVERBOAT_[A-Z]+(?:_[A-Z]+)*\b")


@dataclass(slots=True)
class Event:
    """A log event: its levels and fields."""

    levels: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    has_more: bool = False  # fields that the call does not name


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call that writes a log line, with the file and line where it is."""
    for folder in LOGGING:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _level(node) is not None:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def _level(call: ast.Call) -> str | None:
    """Return the level at which a call logs; "" if it is chosen elsewhere, None if the call does not log."""
    name = ast.unparse(call.func)
    if name in CHOSEN:
        return ""
    owner, _, method = name.rpartition(".")
    return LEVELS.get(method) if owner == "log" else None


def logged_events() -> dict[str, Event]:
    """Return all events in the code, by name."""
    events: dict[str, Event] = defaultdict(Event)
    for _, call in log_calls():
        event = events[ast.literal_eval(call.args[0])]
        event.levels |= {_level(call) or ""} - {""}
        event.fields |= {keyword.arg for keyword in call.keywords if keyword.arg} - NOT_FIELDS
        event.has_more |= any(keyword.arg is None for keyword in call.keywords)
    return events


def test_events_are_identifiers() -> None:
    for place, call in log_calls():
        name = call.args[0]
        assert isinstance(name, ast.Constant), f"{place}: the event must be a text, and its values fields"
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", str(name.value)), f"{place}: {name.value!r} is not an identifier"
        assert len(call.args) == 1, f"{place}: {name.value!r} has values that are not fields"


def test_the_table_of_events_is_true() -> None:
    text = (ROOT / "docs/operations.md").read_text()
    one_of = "(?:debug|info|warning|error)"
    rows = re.findall(rf"^\| `(\w+)` \| ({one_of}(?:, {one_of})*) \| ([`\w, ]*?) ?\| .+ \|$", text, re.M)
    documented = {
        name: Event(set(levels.split(", ")), set(re.findall(r"\w+", fields))) for name, levels, fields in rows
    }
    logged = logged_events()
    assert set(documented) == set(logged), "docs/operations.md lists every log event, and no others"
    for name, event in logged.items():
        row = documented[name]
        assert event.levels <= row.levels, f"{name}: the level is {event.levels}"
        missing, unknown = event.fields - row.fields, row.fields - event.fields
        assert not missing, f"{name}: docs/operations.md lacks the fields {missing}"
        assert event.has_more or not unknown, f"{name}: the code does not log {unknown}"


def documented_settings() -> dict[str, dict[str, str]]:
    """Return the tables of docs/settings.md by heading: defaults by variable."""
    tables: dict[str, dict[str, str]] = {}
    for part in (ROOT / "docs/settings.md").read_text().split("\n## ")[1:]:
        rows = re.findall(r"^\| `(RIVERBOAT_[A-Z_<>]+)` \| (.*?) \| .+ \|$", part, re.M)
        tables[part.partition("\n")[0]] = dict(rows)
    return tables


def default_text(default: Any) -> str:
    """Return a default as docs/settings.md writes it."""
    plain = default.get_secret_value() if isinstance(default, SecretStr) else default
    if plain in (None, ""):
        return "none"
    if isinstance(plain, bool):
        return f"`{str(plain).lower()}`"
    return f"{plain:,.15g}" if isinstance(plain, int | float) else f"`{plain}`"


def check_table(settings: type[BaseSettings], names: list[str], prefix: str, rows: dict[str, str]) -> None:
    """Compare a table with the settings of these names."""
    assert list(rows) == [prefix + name.upper() for name in names], settings.__name__
    for name in names:
        if name.upper() not in BY_MACHINE:
            default = settings.model_fields[name].default
            assert rows[prefix + name.upper()] == default_text(default), f"{prefix}{name.upper()}"


def test_shared_settings_are_documented() -> None:
    names = [name for name in ServiceSettings.model_fields if name != "address"]
    check_table(ServiceSettings, names, "RIVERBOAT_<SERVICE>_", documented_settings()["Every service"])


@pytest.mark.parametrize(
    ("heading", "settings"),
    [
        ("Oracle", OracleSettings),
        ("Game manager", GameManagerSettings),
        ("Resolver", ResolverSettings),
        ("Trainer", TrainerSettings),
        ("Workers", WorkerSettings),
    ],
)
def test_settings_of_a_service_are_documented(heading: str, settings: type[BaseSettings]) -> None:
    names = [name for name in settings.model_fields if name in settings.__annotations__]
    prefix = str(settings.model_config.get("env_prefix"))
    check_table(settings, names, prefix, documented_settings()[heading])


def test_settings_of_clients_are_documented() -> None:
    read = {"RIVERBOAT_ROOT"}  # by the examples in JavaScript
    for path in (*ROOT.glob("clients/*/settings.py"), *ROOT.glob("riverboat/rpc/*/settings.py")):
        read |= set(VARIABLE.findall(path.read_text()))
    read |= {server_variable(name) for name in ("oracle", "gamemanager", "resolver", "trainer")}
    assert set(documented_settings()["Clients"]) == read


def test_settings_of_docker_compose_are_documented() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    defaults = dict(re.findall(r"\$\{(RIVERBOAT_\w+):-([^}]*)\}", text))
    documented = documented_settings()["docker compose"]
    assert documented == {name: f"`{default}`" for name, default in defaults.items()}


def test_docs_name_no_setting_that_does_not_exist() -> None:
    tables = documented_settings()
    shared = {name.replace("<SERVICE>", settings.model_config.get("env_prefix", "").split("_")[1])
              for name in tables["Every service"] for settings in SERVICES}  # fmt: skip
    known = shared | {name for rows in tables.values() for name in rows}
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("services/**/README.md")]
    for page in pages:
        for name in re.findall(r"(?<!_)\bRIVERBOAT_[A-Z_]+[A-Z]\b", page.read_text()):
            assert name in known, f"{page.relative_to(ROOT)}: {name}"
