"""The diagnoses of riverboat doctor, and their remedies."""

import io
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console

from riverboat.clients.console.commands import doctor as doctor_command
from riverboat.clients.console.doctor import machine, networks, packages, services
from riverboat.clients.console.doctor.diagnosis import Condition, Diagnosis, broken, improvable, optional, working
from riverboat.clients.local.services import ORACLE, RESOLVER
from riverboat.clients.remote.refusals import Refused
from riverboat.compiled.kernels import cache_folder, is_compiled, kernel, kernels_in, must_compile
from tests.commands import run_command
from tests.processes import ServiceProcess, free_port

LINES = [
    "numpy<2.6,>=2.0",
    'structlog>=25; extra == "serving"',
    'riverboat[serving]; extra == "oracle"',
    'riverboat[serving,worker]; extra == "trainer"',
    'celery>=5.5; extra == "worker"',
    'torch==2.13.0; extra == "trainer"',
]


@contextmanager
def listener(answer: bytes) -> Iterator[int]:
    """Listen on a port, and send the same answer to every client."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    wire, _ = server.accept()
                except OSError:
                    return
                with wire:
                    wire.settimeout(2)
                    try:
                        if wire.recv(100):
                            wire.sendall(answer)
                    except OSError:
                        pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("installed", "asked", "fit"),
    [
        ("2.4.6", "<2.6,>=2.0", True),
        ("2.6", "<2.6,>=2.0", False),
        ("1.26.4", "<2.6,>=2.0", False),
        ("2.13.0+cpu", "==2.13.0", True),
        ("2.13.1", "==2.13.0", False),
        ("15", ">=14", True),
        ("1.76", ">=1.76.0", True),
        ("10.0", ">=9.9", True),
        ("3.0", "", True),
    ],
)
def test_versions(installed: str, asked: str, fit: bool) -> None:
    assert packages.fits(installed, asked) is fit


def test_requirements_of_an_extra_go_through_others() -> None:
    assert dict(packages.requirements(LINES, "")) == {"numpy": "<2.6,>=2.0"}
    assert dict(packages.requirements(LINES, "oracle")) == {"structlog": ">=25"}
    asked = {"structlog": ">=25", "celery": ">=5.5", "torch": "==2.13.0"}
    assert dict(packages.requirements(LINES, "trainer")) == asked


def test_a_package_that_is_missing_or_old(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name in ("torch", "structlog"):
            raise PackageNotFoundError(name)
        return "1.0" if name == "celery" else "99"

    monkeypatch.setattr(packages, "requires", lambda _: LINES)
    monkeypatch.setattr(packages, "version", version)
    extras = {one.about.removeprefix("packages for "): one for one in packages.check_packages()}
    how = ".venv/bin/pip install -c requirements/constraints.txt -e '.[{}]' in Riverboat's folder"
    assert (
        extras["packages"].remedy
        == ".venv/bin/pip install -c requirements/constraints.txt -e '.' in Riverboat's folder"
    )
    playing = ("equity", "features", "classify", "showdown", "deal", "decks", "utility", "cheatsheet", "up", "demo")
    assert extras["oracle"] == broken(
        "packages for oracle", "structlog is not installed", how.format("oracle"), playing
    )
    assert extras["worker"].says == "celery is 1.0; riverboat needs >=5.5"
    only = "needed only by riverboat train and runs: "
    assert extras["trainer"] == optional(
        "packages for trainer", "not installed: structlog, torch", only + how.format("trainer"), ("train", "runs")
    )


def test_kernels_know_whether_they_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))

    def double(x: int) -> int:
        return 2 * x

    compiled = kernel(double)
    folder = cache_folder(compiled)
    assert folder is not None
    module = ModuleType("doubling")
    module.double = compiled  # type: ignore[attr-defined]
    assert kernels_in(module) == [compiled]
    assert not is_compiled(compiled)
    assert must_compile(module)
    assert compiled(4) == 8
    assert is_compiled(compiled)
    assert not must_compile(module)


def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert {one.condition for one in machine.check_folders()} == {Condition.WORKS}
    (tmp_path / ".riverboat").write_text("a file is no folder")
    assert [one.commands for one in machine.check_folders() if one.condition is Condition.BROKEN] == [("up",)]
    (tmp_path / "riverboat-data").write_text("nor is this")
    assert [one.commands for one in machine.check_folders() if one.condition is Condition.OPTIONAL] == [
        ("train", "runs")
    ]
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/tmp/" + 100 * "x")  # noqa: S108
    assert "too long" in next(iter(machine.check_folders())).says


def test_terminals() -> None:
    small = Console(file=io.StringIO(), force_terminal=True, width=60, height=20)
    assert machine.check_terminal(small).condition is Condition.BETTER
    assert "60 × 20" in machine.check_terminal(small).says
    pipe = Console(file=io.StringIO(), force_terminal=False)
    assert machine.check_terminal(pipe).condition is Condition.WORKS


def test_docker_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert machine.check_docker().condition is Condition.BETTER


def test_a_port_with_a_riverboat_with_nobody_and_with_something_else(oracle_process: ServiceProcess) -> None:
    port = int(oracle_process.address.rpartition(":")[2])
    assert services.check_port(ORACLE, port) == working(f"port {port}", "the oracle answers")
    other = services.check_port(RESOLVER, port)
    assert other.condition is Condition.BETTER
    assert "UNIMPLEMENTED" in other.says
    assert other.remedy == "stop it, or use riverboat up --resolver-port 0"
    assert services.check_port(ORACLE, free_port()).condition is Condition.WORKS


def test_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    with listener(b"+PONG\r\n") as port:
        monkeypatch.setattr(services, "redis_url", lambda: f"redis://127.0.0.1:{port}/0")
        assert services.check_redis().condition is Condition.WORKS
    with listener(b"HTTP/1.1 400 Bad Request\r\n") as port:
        monkeypatch.setattr(services, "redis_url", lambda: f"redis://127.0.0.1:{port}/0")
        assert "not a Redis" in services.check_redis().says
    monkeypatch.setattr(services, "redis_url", lambda: f"redis://127.0.0.1:{free_port()}/0")
    assert "nothing answers" in services.check_redis().says
    monkeypatch.setattr(services, "redis_url", lambda: "redis://127.0.0.1:port/0")
    assert "not an address" in services.check_redis().says

    def nothing() -> str:
        raise Refused("none")

    monkeypatch.setattr(services, "redis_url", lambda: None)
    monkeypatch.setattr(services, "find_binary", nothing)
    assert services.check_redis().commands == ("train", "runs")
    assert services.check_redis().condition is Condition.OPTIONAL


def test_networks_that_are_there_and_one_that_is_spoilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.condition for one in networks.check_networks()] == [Condition.WORKS]
    folder = tmp_path / "resolver" / "trained"
    folder.mkdir(parents=True)
    (folder / "x.onnx").write_bytes(b"spoilt")
    (folder / "x.json").write_text(json.dumps({"hash": "0"}))

    class Spec:
        submodule_search_locations = (str(tmp_path),)

    monkeypatch.setattr(networks, "find_spec", lambda _: Spec)
    assert [one.condition for one in networks.check_networks()] == [Condition.BETTER]
    (folder / "x.onnx").unlink()
    assert [one.says.split()[0] for one in networks.check_networks()] == ["none"]


def test_lines_json_and_exit_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    diagnoses: list[Diagnosis] = [working("a", "fine"), improvable("b", "slow", "buy a faster one")]
    monkeypatch.setattr(doctor_command, "checks", lambda: iter(diagnoses))
    code, text = run_command([doctor_command], "doctor")
    assert code == 0
    assert [line.split() for line in text.splitlines()][:2] == [
        ["works", "a", "fine"],
        ["could", "be", "better", "b", "slow;", "buy", "a", "faster", "one"],
    ]
    assert text.splitlines()[-1] == "All commands are ready."
    diagnoses.append(optional("o", "not installed", "install it", ("train", "runs")))
    code, text = run_command([doctor_command], "doctor")
    assert code == 0
    assert text.splitlines()[-1] == "All commands are ready, except these optional ones: train, runs."
    assert json.loads(run_command([doctor_command], "doctor", "--json")[1])["works"] is True
    diagnoses.append(broken("c", "gone", "find it", ("play",)))
    code, text = run_command([doctor_command], "doctor")
    assert code == 1
    assert text.splitlines()[-1] == "These commands cannot work: play."
    code, text = run_command([doctor_command], "doctor", "--json")
    assert code == 1
    assert json.loads(text)["works"] is False
    assert [one["mark"] for one in json.loads(text)["findings"]] == [
        "works",
        "could be better",
        "optional",
        "does not work",
    ]
