"""Who may import whom.

The lists at the top are the rules: an import that no list allows fails. Add a room here when you add a folder.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from tests.source_tree import LINKED, ROOT, imports, imports_in, place, sources, top

STANDARD = set(sys.stdlib_module_names)


@dataclass(frozen=True, slots=True)
class Room:
    """The imports allowed for a folder or a file, besides its own modules and the standard library."""

    ours: str = ""  # other rooms, by their paths below the top folder
    libraries: str = "numpy"  # third-party packages


EVERYWHERE = "riverboat/errors"
PROTOS = "protos/gamemanager protos/oracle protos/resolver protos/trainer"

# The domain library: values and kernels. Rooms further down may use those above.
DOMAIN = {
    "riverboat/errors": Room(),
    "riverboat/actions": Room(),
    "riverboat/marks": Room(),
    "riverboat/streets": Room(),
    "riverboat/parallel": Room(),
    "riverboat/packing": Room(),
    "riverboat/compiled": Room(libraries="numpy numba llvmlite"),
    "riverboat/contracts": Room(
        "riverboat/actions riverboat/cards riverboat/rules riverboat/solving riverboat/tables riverboat/tournaments "
        "riverboat/training"
    ),
    "riverboat/cards": Room(),
    "riverboat/holdings": Room("riverboat/cards"),
    "riverboat/starting_hands": Room(libraries=""),
    "riverboat/ranges": Room("riverboat/cards riverboat/holdings riverboat/starting_hands"),
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
    "riverboat/rules": Room(
        "riverboat/actions riverboat/cards riverboat/compiled riverboat/holdings riverboat/strength"
    ),
    "riverboat/history": Room(
        "riverboat/cards riverboat/compiled riverboat/holdings riverboat/rules riverboat/strength"
    ),
    "riverboat/opponents": Room(
        "riverboat/cards riverboat/compiled riverboat/features riverboat/history riverboat/holdings riverboat/packing "
        "riverboat/rules riverboat/streets riverboat/strength"
    ),
    "riverboat/search": Room(
        "riverboat/cards riverboat/compiled riverboat/equity riverboat/holdings riverboat/opponents riverboat/rules "
        "riverboat/strength"
    ),
    "riverboat/features": Room(
        "riverboat/cards riverboat/compiled riverboat/equity riverboat/holdings riverboat/rules riverboat/streets "
        "riverboat/strength"
    ),
    "riverboat/blueprint": Room(
        "riverboat/cards riverboat/compiled riverboat/equity riverboat/features riverboat/holdings riverboat/packing "
        "riverboat/preflop riverboat/rules riverboat/strength"
    ),
    "riverboat/range_text": Room("riverboat/cards"),
    "riverboat/pushfold": Room(
        "riverboat/blueprint riverboat/cards riverboat/compiled riverboat/equity riverboat/holdings riverboat/strength"
    ),
    "riverboat/solving": Room("riverboat/compiled"),  # it knows no poker
    "riverboat/spots": Room(
        "riverboat/cards riverboat/holdings riverboat/rules riverboat/solving riverboat/strength riverboat/utility"
    ),
    "riverboat/resolving": Room("riverboat/cards riverboat/holdings riverboat/rules riverboat/solving riverboat/spots"),
    "riverboat/nets": Room("riverboat/compiled riverboat/solving", libraries="numpy onnxruntime"),
    "riverboat/situations": Room(
        "riverboat/cards riverboat/compiled riverboat/holdings riverboat/nets riverboat/preflop riverboat/rules "
        "riverboat/solving riverboat/spots riverboat/streets riverboat/strength riverboat/utility"
    ),
    "riverboat/training": Room("riverboat/blueprint riverboat/rules riverboat/situations riverboat/streets"),
    "riverboat/arena": Room(
        "riverboat/cards riverboat/compiled riverboat/equity riverboat/holdings riverboat/marks riverboat/parallel "
        "riverboat/preflop riverboat/rules riverboat/solving riverboat/spots riverboat/strength riverboat/utility"
    ),
    "riverboat/policies": Room(
        "riverboat/blueprint riverboat/cards riverboat/compiled riverboat/equity riverboat/features riverboat/holdings "
        "riverboat/rules riverboat/streets"
    ),
    "riverboat/policies/network": Room(
        "riverboat/features riverboat/policies riverboat/streets", libraries="numpy onnxruntime"
    ),
    "riverboat/tournaments": Room(
        "riverboat/cards riverboat/compiled riverboat/equity riverboat/features riverboat/parallel riverboat/policies "
        "riverboat/rules riverboat/strength riverboat/tables"
    ),
    "riverboat/environments": Room(
        "riverboat/cards riverboat/compiled riverboat/equity riverboat/rules riverboat/strength"
    ),
    "riverboat/evolution": Room("riverboat/policies riverboat/tournaments"),
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
        "riverboat/features riverboat/holdings riverboat/parallel riverboat/preflop riverboat/ranges riverboat/spots "
        "riverboat/strength riverboat/utility",
        SERVICE_LIBRARIES,
    ),
    "services/gamemanager": Room(
        f"{SHARED} protos/gamemanager riverboat/contracts riverboat/dealing riverboat/rules riverboat/tables "
        "riverboat/tournaments",
        f"{SERVICE_LIBRARIES} redis",
    ),
    # Rules and strengths reach the resolver over gRPC; cards and holdings are plain values.
    "services/resolver": Room(
        f"{SHARED} protos/gamemanager protos/oracle protos/resolver riverboat/actions riverboat/cards "
        "riverboat/contracts riverboat/holdings riverboat/nets riverboat/solving riverboat/streets",
        SERVICE_LIBRARIES,
    ),
    "services/trainer": Room(
        f"{SHARED} protos/trainer services/trainer/generation services/trainer/rounds riverboat/contracts "
        "riverboat/nets riverboat/training",
        f"{SERVICE_LIBRARIES} fsspec",
    ),
    "services/trainer/generation": Room(
        "services/trainer riverboat/compiled riverboat/holdings riverboat/nets riverboat/situations riverboat/solving "
        "riverboat/spots riverboat/streets riverboat/strength riverboat/training",
        "numpy structlog redis celery kombu safetensors",
    ),
    "services/trainer/learning": Room(
        "services/trainer services/trainer/generation riverboat/compiled riverboat/holdings riverboat/nets "
        "riverboat/rpc riverboat/situations riverboat/solving riverboat/spots riverboat/strength "
        "riverboat/streets riverboat/training",
        "numpy structlog torch onnx safetensors matplotlib",
    ),
    "services/trainer/rounds": Room(
        "services/trainer services/trainer/blueprint services/trainer/evolution services/trainer/generation "
        "services/trainer/opponents services/trainer/policies riverboat/compiled riverboat/rpc riverboat/training",
        "structlog",
    ),
    "services/trainer/blueprint": Room(
        "services/trainer/rounds riverboat/blueprint riverboat/rules riverboat/situations riverboat/training", "numpy"
    ),
    "services/trainer/evolution": Room(
        "services/trainer/rounds riverboat/equity riverboat/evolution riverboat/features riverboat/policies "
        "riverboat/tournaments riverboat/training",
        "numpy safetensors matplotlib",
    ),
    "services/trainer/policies": Room(
        "services/trainer/rounds riverboat/blueprint riverboat/compiled riverboat/equity riverboat/features "
        "riverboat/policies riverboat/policies/network riverboat/streets riverboat/training",
        "numpy onnx safetensors sklearn torch xgboost",
    ),
    "services/trainer/opponents": Room(
        "services/trainer/rounds riverboat/compiled riverboat/history riverboat/opponents riverboat/streets "
        "riverboat/training",
        "lightgbm matplotlib numpy safetensors",
    ),
    "services/trainer/worker": Room(
        "services/trainer services/trainer/generation services/trainer/rounds riverboat/nets riverboat/rpc "
        "riverboat/situations riverboat/training",
        "structlog celery pydantic",
    ),
}

# Clients import no service; only remote knows messages, besides rooms that are about the contracts themselves.
CONSOLE = f"{LIBRARY} riverboat/rpc clients/console clients/local clients/remote"
CLIENTS = {
    "clients/remote": Room(f"{LIBRARY} {SHARED} {PROTOS}", "google grpc numpy"),
    "clients/local": Room(f"{LIBRARY} riverboat/rpc clients/remote clients/bots", "grpc numpy"),
    "clients/analysis": Room(f"{LIBRARY} clients/remote"),
    "clients/bots": Room(f"{LIBRARY} riverboat/rpc clients/remote clients/analysis", "grpc numpy"),
    # The page says things as the console does, and reads spots and orders as it does.
    "clients/web": Room(
        f"{CONSOLE} clients/analysis clients/bots clients/console/hands clients/console/study clients/console/table "
        "clients/console/views",
        "anyio grpc numpy starlette uvicorn",
    ),
    "clients/conformance": Room(f"{LIBRARY} {SHARED} {PROTOS}", GRPC),
    "clients/examples": Room(f"{LIBRARY} {SHARED} clients/bots protos/gamemanager", "grpc numpy onnx"),
    "clients/acpc": Room(f"{LIBRARY} clients/bots"),
    "clients/gym": Room(f"{LIBRARY} riverboat/rpc", "gymnasium numpy pettingzoo"),
    "clients/slumbot": Room(f"{LIBRARY} clients/bots clients/local"),
    "clients/console": Room(f"{CONSOLE} clients/bots clients/console/views", "typer rich"),
    "clients/console/app.py": Room(f"{CONSOLE} clients/console/views", "typer rich"),
    "clients/console/groups.py": Room(f"{CONSOLE} clients/console/commands", "typer rich"),
    "clients/console/views": Room(
        f"{CONSOLE} clients/acpc clients/analysis clients/conformance clients/slumbot", "grpc matplotlib numpy rich"
    ),
    "clients/console/hands": Room(f"{CONSOLE} clients/analysis clients/bots clients/console/views", "typer rich"),
    "clients/console/table": Room(
        f"{CONSOLE} clients/analysis clients/bots clients/console/hands clients/console/views", "grpc numpy rich"
    ),
    "clients/console/study": Room(f"{CONSOLE} clients/analysis clients/bots clients/console/views", "grpc numpy rich"),
    "clients/console/doctor": Room(f"{CONSOLE} clients/console/views", "grpc rich"),
    "clients/console/demo": Room(
        f"{CONSOLE} clients/analysis clients/console/hands clients/console/study clients/console/table "
        "clients/console/views clients/slumbot",
        "rich",
    ),
    "clients/console/commands": Room(
        f"{CONSOLE} clients/acpc clients/analysis clients/bots clients/conformance clients/console/demo "
        "clients/console/doctor clients/console/hands clients/console/study clients/console/table "
        "clients/console/views clients/slumbot clients/web",
        "grpc numpy typer rich",
    ),
}
ROOMS = {**{room: Room(libraries="google grpc") for room in PROTOS.split()}, **DOMAIN, **RPC, **SERVICES, **CLIENTS}

# Heavy libraries, each with the only files or folders that import it.
HEAVY = {
    "onnxruntime": {"riverboat/nets/network.py", "riverboat/policies/network.py"},
    "torch": {"services/trainer/learning", "services/trainer/policies/networks.py"},
    "sklearn": {"services/trainer/policies/cart.py"},
    "xgboost": {"services/trainer/policies/boosting.py"},
    "lightgbm": {"services/trainer/opponents/boosting.py"},
    "redis": {"services/gamemanager/redis_journal.py", "services/trainer/generation/connection.py"},
    "celery": {"services/trainer/generation/job_queue.py", "services/trainer/worker/__main__.py"},
    "fsspec": {"services/trainer/store.py"},
    "starlette": {"clients/web"},
    "uvicorn": {"clients/web/server.py"},
    "prometheus_client": {"riverboat/rpc/metrics.py"},
    "opentelemetry": {"riverboat/rpc/tracing.py"},
}


def path_of(module: str) -> str:
    """Return the path of one of our modules: riverboat.services is a link to services."""
    below = module.replace(".", "/")
    return below.removeprefix("riverboat/") if below.startswith(tuple(f"riverboat/{one}/" for one in LINKED)) else below


@cache
def room_of(path: str) -> str:
    """Return the room of a path: the longest one that contains it; "" if there is none."""
    bare = path.removesuffix(".py")
    rooms = (room for room in ROOMS if path == room or bare == room or path.startswith(f"{room}/"))
    return max(rooms, key=len, default="")


def foreign_imports(own: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the rooms and libraries that a file in the room `own` imports from."""
    for name in names:
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
            assert room_of(place(path)), f"{place(path)}: no list at the top of this file has its room"


def test_every_room_exists() -> None:
    for room in ROOMS:
        assert (ROOT / room).exists() or (ROOT / f"{room}.py").exists(), f"{room} is in a list, but not in the tree"


@cache
def refused_imports() -> set[tuple[str, str, str]]:
    """Return every import that no list allows: the room, the room or library that it imports, and the file."""
    refused = set()
    for path in sources("protos", "riverboat", "services", "clients"):
        if room := room_of(place(path)):
            allowed = {*ROOMS[room].ours.split(), *ROOMS[room].libraries.split()}
            refused |= {
                (room, target, place(path)) for target in foreign_imports(room, imports(path)) if target not in allowed
            }
    return refused


def test_rooms_import_what_their_lists_allow() -> None:
    wrong = [
        f"{file} may not import {target}: allow it at the top of this file, or do without"
        for room, target, file in sorted(refused_imports())
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "source",
    [
        "from riverboat.services.oracle.oracle import Oracle",
        "import riverboat.services.oracle.oracle as o",
        "def f():\n    from riverboat.services import oracle",
        "import importlib\nimportlib.import_module('riverboat.services.oracle.oracle')",
        "from importlib import import_module\nimport_module(f'riverboat.services.{name}')",
        "__import__('riverboat.services.oracle')",
    ],
)
def test_an_import_of_a_service_is_seen_however_it_is_written(source: str) -> None:
    room = "clients/analysis"
    targets = set(foreign_imports(room, imports_in(ast.parse(source))))
    assert targets - {*ROOMS[room].ours.split(), *ROOMS[room].libraries.split()}


def test_clients_know_messages_only_in_remote() -> None:
    """Conformance checks and examples speak the wire on purpose."""
    wire = ("clients/remote/", "clients/conformance/", "clients/examples/")
    known = {
        place(path): names
        for path in sources("clients")
        if (names := [name for name in imports(path) if name.startswith(("riverboat.protos", "google.protobuf"))])
    }
    assert any(path.startswith("clients/remote/") for path in known)
    assert not {path: names for path, names in known.items() if not path.startswith(wire)}


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


@pytest.mark.parametrize("library", sorted(HEAVY))
def test_one_heavy_dependency_one_place(library: str) -> None:
    users = [place(path) for path in sources("riverboat", "services", "clients") if library in map(top, imports(path))]
    for user in users:
        assert any(user == home or user.startswith(f"{home}/") for home in HEAVY[library]), f"{user} imports {library}"
    for home in HEAVY[library]:
        assert any(user.startswith(home) for user in users), f"{home} no longer imports {library}"
