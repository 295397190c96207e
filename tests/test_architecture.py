"""Who may import whom, who may read the environment, and other rules that hold for the whole tree.

The lists at the top are the rules: an import that no list allows fails. Add a room here when you add a folder.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINKED = ("protos", "services", "clients")  # folders that are imported as riverboat.protos and so on
STANDARD = set(sys.stdlib_module_names)


@dataclass(frozen=True, slots=True)
class Room:
    """What the files of a folder, or one file, may import besides each other and the standard library."""

    ours: str = ""  # other rooms, by their paths below the top folder
    libraries: str = "numpy"  # packages of others


EVERYWHERE = "riverboat/errors"
PROTOS = "protos/gamemanager protos/oracle protos/resolver protos/trainer"

# The domain library: values and kernels. What stands further down may use what stands above it.
DOMAIN = {
    "riverboat/errors": Room(),
    "riverboat/marks": Room(),
    "riverboat/streets": Room(),
    "riverboat/parallel": Room(),
    "riverboat/installation": Room(),
    "riverboat/compiled": Room(libraries="numpy numba llvmlite"),
    "riverboat/contracts": Room("riverboat/cards riverboat/rules riverboat/solving riverboat/tables"),
    "riverboat/cards": Room(),
    "riverboat/holdings": Room("riverboat/cards"),
    "riverboat/ranges": Room("riverboat/cards riverboat/holdings"),
    "riverboat/dealing": Room("riverboat/cards"),
    "riverboat/strength": Room(
        "riverboat/contracts riverboat/cards riverboat/compiled riverboat/holdings riverboat/parallel",
        libraries="numpy numba llvmlite",
    ),
    "riverboat/equity": Room(
        "riverboat/cards riverboat/compiled riverboat/contracts riverboat/holdings riverboat/parallel "
        "riverboat/strength"
    ),
    "riverboat/utility": Room("riverboat/cards riverboat/compiled riverboat/holdings riverboat/strength"),
    "riverboat/preflop": Room("riverboat/cards riverboat/holdings riverboat/strength riverboat/utility"),
    "riverboat/cheatsheet": Room(
        "riverboat/contracts riverboat/cards riverboat/equity riverboat/holdings riverboat/parallel"
    ),
    "riverboat/rules": Room("riverboat/cards riverboat/compiled riverboat/holdings riverboat/strength"),
    "riverboat/history": Room("riverboat/cards riverboat/holdings riverboat/rules riverboat/strength"),
    "riverboat/solving": Room("riverboat/compiled"),  # it knows no poker
    "riverboat/spots": Room(
        "riverboat/cards riverboat/holdings riverboat/rules riverboat/solving riverboat/strength riverboat/utility"
    ),
    "riverboat/continual": Room("riverboat/cards riverboat/holdings riverboat/rules riverboat/solving riverboat/spots"),
    "riverboat/nets": Room("riverboat/compiled riverboat/solving", libraries="numpy onnxruntime"),
    "riverboat/situations": Room(
        "riverboat/cards riverboat/compiled riverboat/holdings riverboat/nets riverboat/preflop riverboat/rules "
        "riverboat/solving riverboat/spots riverboat/streets riverboat/strength riverboat/utility"
    ),
    "riverboat/training": Room("riverboat/situations riverboat/streets"),
    "riverboat/arena": Room(
        "riverboat/cards riverboat/compiled riverboat/equity riverboat/holdings riverboat/marks riverboat/parallel "
        "riverboat/preflop riverboat/rules riverboat/solving riverboat/spots riverboat/strength riverboat/utility"
    ),
    "riverboat/tables": Room(
        "riverboat/arena riverboat/cards riverboat/dealing riverboat/history riverboat/marks riverboat/rules"
    ),
}
LIBRARY = " ".join(DOMAIN)  # all of it
GRPC = "grpc grpc_health grpc_reflection google numpy"

# Messages to values and back, and everything else that servers and clients share.
RPC = {
    "riverboat/rpc": Room(
        LIBRARY, libraries=f"{GRPC} pydantic pydantic_settings structlog opentelemetry prometheus_client"
    ),
    "riverboat/rpc/convert": Room(f"{LIBRARY} riverboat/rpc {PROTOS}", libraries=GRPC),
}

# A service imports no other service: it reaches it through its contract.
SHARED = "riverboat/rpc riverboat/rpc/convert"
SERVICE_LIBRARIES = "grpc numpy pydantic pydantic_settings structlog"
SERVICES = {
    "services/oracle": Room(
        f"{SHARED} protos/oracle riverboat/contracts riverboat/cards riverboat/cheatsheet riverboat/equity "
        "riverboat/holdings riverboat/parallel riverboat/preflop riverboat/ranges riverboat/spots "
        "riverboat/strength riverboat/utility",
        SERVICE_LIBRARIES,
    ),
    "services/gamemanager": Room(
        f"{SHARED} protos/gamemanager riverboat/dealing riverboat/rules riverboat/tables", f"{SERVICE_LIBRARIES} redis"
    ),
    # Rules and strengths reach the resolver over gRPC; cards and holdings are plain values.
    "services/resolver": Room(
        f"{SHARED} protos/gamemanager protos/oracle protos/resolver riverboat/cards riverboat/contracts "
        "riverboat/holdings riverboat/nets riverboat/solving riverboat/streets",
        SERVICE_LIBRARIES,
    ),
    "services/trainer": Room(
        f"{SHARED} protos/trainer services/trainer/generation riverboat/nets riverboat/training",
        f"{SERVICE_LIBRARIES} fsspec",
    ),
    "services/trainer/generation": Room(
        "services/trainer riverboat/compiled riverboat/holdings riverboat/nets riverboat/situations riverboat/solving "
        "riverboat/spots riverboat/streets riverboat/strength riverboat/training",
        "numpy structlog redis celery kombu safetensors",
    ),
    "services/trainer/learning": Room(
        "services/trainer services/trainer/generation riverboat/compiled riverboat/holdings riverboat/nets "
        "riverboat/rpc riverboat/situations riverboat/solving riverboat/spots riverboat/strength riverboat/training",
        "numpy structlog torch onnx safetensors matplotlib",
    ),
    "services/trainer/worker": Room(
        "services/trainer services/trainer/generation riverboat/nets riverboat/rpc riverboat/situations "
        "riverboat/training",
        "structlog celery pydantic",
    ),
}

# Clients import no service; only remote knows messages, besides those whose business the contracts are.
CONSOLE = f"{LIBRARY} {SHARED} clients/console clients/local clients/remote"
CLIENTS = {
    "clients/remote": Room(f"{LIBRARY} {SHARED} {PROTOS}", "grpc numpy"),
    "clients/local": Room(f"{LIBRARY} {SHARED} clients/remote clients/bots", "grpc typer"),
    "clients/analysis": Room(f"{LIBRARY} clients/remote"),
    "clients/bots": Room(f"{LIBRARY} {SHARED} clients/remote clients/analysis protos/gamemanager", "grpc numpy"),
    "clients/conformance": Room(f"{LIBRARY} {SHARED} {PROTOS}", GRPC),
    "clients/examples": Room(f"{LIBRARY} {SHARED} clients/bots protos/gamemanager", "grpc numpy onnx"),
    "clients/console": Room(f"{CONSOLE} clients/bots clients/console/views", "typer rich"),
    "clients/console/app.py": Room(f"{CONSOLE} clients/console/commands clients/console/views", "typer rich"),
    "clients/console/views": Room(f"{CONSOLE} clients/analysis", "grpc matplotlib numpy rich"),
    "clients/console/hands": Room(f"{CONSOLE} clients/analysis clients/console/views", "google typer"),
    "clients/console/table": Room(
        f"{CONSOLE} clients/analysis clients/bots clients/console/hands clients/console/views", "grpc rich"
    ),
    "clients/console/study": Room(f"{CONSOLE} clients/analysis clients/console/views", "grpc numpy rich"),
    "clients/console/doctor": Room(f"{CONSOLE} clients/console/views", "grpc rich"),
    "clients/console/demo": Room(
        f"{CONSOLE} clients/analysis clients/console/hands clients/console/study clients/console/table "
        "clients/console/views",
        "rich",
    ),
    "clients/console/commands": Room(
        f"{CONSOLE} clients/analysis clients/bots clients/conformance clients/console/demo clients/console/doctor "
        "clients/console/hands clients/console/study clients/console/table clients/console/views",
        "grpc google numpy typer rich",
    ),
}
ROOMS = {**{room: Room(libraries="google grpc") for room in PROTOS.split()}, **DOMAIN, **RPC, **SERVICES, **CLIENTS}

# Imports that no list allows and that are still there: remove a line when its import is gone, and add none.
EXCEPTIONS = {
    "clients/console": "clients/console/study protos/gamemanager clients/console/hands clients/console/table grpc",
    "clients/console/commands": "protos/gamemanager",
    "clients/console/demo": "protos/gamemanager",
    "clients/console/hands": "protos/gamemanager clients/console/table",
    "clients/console/table": "protos/gamemanager",
    "clients/console/views": "clients/console/table protos/gamemanager clients/conformance google",
}

# Heavy libraries, each with the only files or folders that import it.
HEAVY = {
    "onnxruntime": {"riverboat/nets/network.py"},
    "torch": {"services/trainer/learning"},
    "redis": {"services/gamemanager/redis_journal.py", "services/trainer/generation/connection.py"},
    "celery": {"services/trainer/generation/job_queue.py", "services/trainer/worker/__main__.py"},
    "fsspec": {"services/trainer/store.py"},
    "prometheus_client": {"riverboat/rpc/metrics.py"},
    "opentelemetry": {"riverboat/rpc/tracing.py"},
}
ENVIRONMENT = {"os.environ", "os.getenv", "os.environb", "os.putenv"}
OUTSIDE_WORLD = {"time", "datetime", "os", "socket"}  # which the domain library does not look at
FILES = {"pathlib", "io", "shutil", "tempfile"}
READS_SOURCES = "riverboat/compiled/kernels.py"  # files of the domain library, to know when compiled code is stale
RUNS_CODE = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}
OPENS_CHANNELS = {  # so that all are encrypted where one is; the examples are about the contract alone
    "riverboat/rpc/connections/channels.py",
    "clients/examples/plain_grpc.py",
    "clients/examples/fair_grpc.py",
}


def sources(*folders: str) -> list[Path]:
    """Our own Python files below some folders, without generated code and without links."""
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    linked = [ROOT / "riverboat" / name for name in LINKED]
    return sorted(
        path for path in files if "_pb2" not in path.name and not any(path.is_relative_to(link) for link in linked)
    )


@cache
def tree(path: Path) -> ast.Module:
    """A file as Python reads it."""
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The full names of all modules that a file imports, at any depth."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(path)}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top(name: str) -> str:
    return name.partition(".")[0]


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


def path_of(module: str) -> str:
    """Where a module of ours is: riverboat.services is a link to services."""
    below = module.replace(".", "/")
    return below.removeprefix("riverboat/") if below.startswith(tuple(f"riverboat/{one}/" for one in LINKED)) else below


@cache
def room_of(path: str) -> str:
    """The room that a path belongs to: the longest that contains it; "" if there is none."""
    bare = path.removesuffix(".py")
    rooms = (room for room in ROOMS if path == room or bare == room or path.startswith(f"{room}/"))
    return max(rooms, key=len, default="")


def foreign_imports(path: Path) -> Iterator[str]:
    """The rooms and libraries that a file imports from."""
    own = room_of(place(path))
    for name in imports(path):
        if top(name) == "riverboat":
            room = room_of(path_of(name))
            if room not in (own, EVERYWHERE):
                yield room or name
        elif top(name) not in STANDARD:
            yield top(name)


def test_every_file_belongs_to_a_room() -> None:
    files = sources("protos", "riverboat", "services", "clients")
    assert len(files) > 300
    for path in files:
        if path.name != "__init__.py" and place(path) != "protos/generate.py":
            assert room_of(place(path)), f"{place(path)}: its room is in no list at the top of this file"


def test_every_room_exists() -> None:
    for room in ROOMS:
        assert (ROOT / room).exists() or (ROOT / f"{room}.py").exists(), f"{room} is in a list, and not in the tree"


@cache
def refused_imports() -> set[tuple[str, str, str]]:
    """Every import that no list allows: the room, the room or library that it imports, and the file."""
    refused = set()
    for path in sources("protos", "riverboat", "services", "clients"):
        if room := room_of(place(path)):
            allowed = {*ROOMS[room].ours.split(), *ROOMS[room].libraries.split()}
            refused |= {(room, target, place(path)) for target in foreign_imports(path) if target not in allowed}
    return refused


def test_rooms_import_what_their_lists_allow() -> None:
    wrong = [
        f"{file} may not import {target}: allow it at the top of this file, or do without"
        for room, target, file in sorted(refused_imports())
        if target not in EXCEPTIONS.get(room, "").split()
    ]
    assert not wrong, "\n".join(wrong)


def test_exceptions_are_still_needed() -> None:
    needed = {(room, target) for room, target, _ in refused_imports()}
    for room, targets in EXCEPTIONS.items():
        for target in targets.split():
            assert (room, target) in needed, f"{room} does not import {target} any more: remove it from EXCEPTIONS"


def test_folders_are_imported_through_riverboat() -> None:
    """An installed wheel has only the package riverboat."""
    for path in sources("riverboat", "services", "clients", "benchmarks", "tests"):
        for name in imports(path):
            assert top(name) not in LINKED, f"{place(path)}: {name} is imported as riverboat.{name}"


def test_only_tests_import_tests() -> None:
    for path in sources("riverboat", "services", "clients", "benchmarks"):
        for name in imports(path):
            assert top(name) != "tests", f"{place(path)}: {name}"
            assert top(name) != "benchmarks" or place(path).startswith("benchmarks/"), f"{place(path)}: {name}"


def domain_files() -> list[Path]:
    """The files of the domain library."""
    return [path for path in sources("riverboat") if not place(path).startswith("riverboat/rpc/")]


def test_the_domain_reads_no_clock_file_or_environment() -> None:
    for path in domain_files():
        looked_at = OUTSIDE_WORLD if place(path) == READS_SOURCES else OUTSIDE_WORLD | FILES
        assert not [name for name in imports(path) if top(name) in looked_at], place(path)
        assert place(path) == READS_SOURCES or "open" not in [name for name, _ in calls_in(path)], place(path)


def test_randomness_comes_from_an_argument() -> None:
    """np.random is for types: nothing in the library makes a generator or draws from a hidden one."""
    for path in sources("riverboat"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
                assert node.attr == "Generator", f"{place(path)}: np.random.{node.attr}"
        assert "random" not in [top(name) for name in imports(path)], place(path)


def test_only_settings_read_the_environment() -> None:
    for path in sources("riverboat", "services", "clients"):
        if path.name != "settings.py":
            used = {ast.unparse(node) for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
            assert not used & ENVIRONMENT, place(path)
            assert "pydantic_settings" not in [top(name) for name in imports(path)], place(path)


def test_only_main_builds_servicers_and_workers() -> None:
    for path in sources("services"):
        built = {name for name, _ in calls_in(path) if name.endswith(("Servicer", "Settings", "Workers"))}
        assert not built or path.name == "__main__.py", f"{place(path)}: {built}"


def test_servicers_only_decode_call_and_encode() -> None:
    """A method is one statement, besides a docstring: no branches, no arithmetic."""
    for path in ROOT.glob("services/*/servicer.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.AsyncFunctionDef):
                assert len(node.body) == 1, f"{place(path)}: {node.name}"
                inner = {type(child) for child in ast.walk(node)}
                assert not inner & {ast.If, ast.BinOp, ast.While, ast.Try, ast.For}, f"{place(path)}: {node.name}"


def test_services_know_messages_in_their_servicers_only() -> None:
    for path in sources("services"):
        if any(name.startswith("riverboat.protos") for name in imports(path)):
            assert path.name in ("servicer.py", "__main__.py"), f"{place(path)}: messages stay in rpc/convert"


@pytest.mark.parametrize("library", sorted(HEAVY))
def test_one_heavy_dependency_one_place(library: str) -> None:
    users = [place(path) for path in sources("riverboat", "services", "clients") if library in map(top, imports(path))]
    for user in users:
        assert any(user == home or user.startswith(f"{home}/") for home in HEAVY[library]), f"{user} imports {library}"
    for home in HEAVY[library]:
        assert any(user.startswith(home) for user in users), f"{home} does not import {library} any more"


def test_torch_is_no_dependency_of_playing_and_solving() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not [requirement for requirement in project["dependencies"] if requirement.startswith("torch")]


def calls_in(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """What a file calls, as written, with the keywords it gives."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), {word.arg: ast.unparse(word.value) for word in node.keywords if word.arg}


def test_nothing_that_is_read_can_run_code() -> None:
    """No pickle or the like anywhere; what could fall back to it is told not to."""
    loads = 0
    for path in sources("riverboat", "services", "clients"):
        assert not [name for name in imports(path) if RUNS_CODE & set(name.split("."))], place(path)
        for name, words in calls_in(path):
            assert name not in ("eval", "exec", "yaml.load", "yaml.unsafe_load"), f"{place(path)}: {name}"
            if name in ("torch.load", "torch.jit.load"):
                assert (name, words.get("weights_only")) == ("torch.load", "True"), place(path)
            if name in ("np.load", "numpy.load"):
                loads += 1
                assert words.get("allow_pickle") == "False", place(path)
            assert words.get("allow_pickle") != "True", place(path)
    assert loads, "the trainer reads arrays: this test has found none of them"


def test_jobs_are_json() -> None:
    from riverboat.services.trainer.generation.job_queue import queue_app

    conf = queue_app("redis://127.0.0.1:1", 60).conf
    assert (conf.task_serializer, conf.result_serializer, list(conf.accept_content)) == ("json", "json", ["json"])


def test_only_one_place_opens_channels() -> None:
    for path in sources("riverboat", "services", "clients"):
        if place(path) not in OPENS_CHANNELS:
            opened = [name for name, _ in calls_in(path) if name.endswith(("insecure_channel", "secure_channel"))]
            assert not opened, f"{place(path)}: {opened}"
