"""Rules for the whole tree besides imports: environment, files, messages, channels, code in data."""

import ast
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.source_tree import ROOT, aliases_in, calls_in, imports, imports_in, place, sources, top, tree

ENVIRONMENT = {"os.environ", "os.getenv", "os.environb", "os.getenvb", "os.putenv", "os.unsetenv"}
# The part of the standard library that the domain library may use: no clock, file, environment, network or randomness.
PURE = {
    *(
        "abc",
        "base64",
        "bisect",
        "collections",
        "concurrent",
        "contextlib",
        "copy",
        "dataclasses",
        "decimal",
        "difflib",
    ),
    *(
        "enum",
        "functools",
        "hashlib",
        "hmac",
        "itertools",
        "json",
        "math",
        "multiprocessing",
        "operator",
        "re",
        "signal",
    ),
    *("string", "struct", "threading", "tomllib", "typing", "weakref", "zlib"),
}
READS_SOURCES = "riverboat/compiled/kernels.py"  # reads the domain library's files to know when compiled code is stale
SOURCE_READERS = {"ast", "importlib", "pathlib", "time", "types"}  # for that file only
OPENERS = {"open", "fromfile", "tofile", "memmap", "open_memmap", "loadtxt", "savetxt", "genfromtxt", "savez", "save"}
RUNS_CODE = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}
OPENS_CHANNELS = {  # one module of the project, so that TLS applies to every channel; examples use the contract alone
    "riverboat/rpc/connections/channels.py",
    "clients/examples/plain_grpc.py",
    "clients/examples/fair_grpc.py",
}


def domain_files() -> list[Path]:
    """Return the files of the domain library."""
    return [path for path in sources("riverboat") if not place(path).startswith("riverboat/rpc/")]


def outside_world(module: ast.Module, allowed: set[str] = PURE) -> set[str]:
    """Return what a module of the domain library uses besides its arguments: clocks, files, environment, network."""
    used = {name for name in imports_in(module) if top(name) in sys.stdlib_module_names and top(name) not in allowed}
    if "pathlib" not in allowed:
        used |= {
            ast.unparse(node.func)
            for node in ast.walk(module)
            if isinstance(node, ast.Call) and is_opener(ast.unparse(node.func))
        }
    return used | {name for name in imports_in(module) if top(name) == "numpy" and is_opener(f"np.{name[6:]}")}


def is_opener(name: str) -> bool:
    """Return whether a function opens a file: `open` itself, or one of numpy's."""
    first, _, rest = name.rpartition(".")
    return rest in OPENERS and (top(first) in ("", "np", "numpy", "io", "builtins"))


def hidden_randomness(module: ast.Module) -> set[str]:
    """Return the sources of random numbers that a module uses, other than a generator that it is given."""
    drawn = {
        ast.unparse(node)
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute)
        and ast.unparse(node.value) in ("np.random", "numpy.random")
        and node.attr != "Generator"
    }
    allowed = ("numpy.random.Generator",)
    return drawn | {
        name
        for name in imports_in(module)
        if top(name) == "random" or (name.startswith("numpy.random") and name not in allowed)
    }


def environment_use(module: ast.Module) -> set[str]:
    """Return how a module reads the environment, or hides that it does by renaming os."""
    used = {ast.unparse(node) for node in ast.walk(module) if isinstance(node, ast.Attribute)} & ENVIRONMENT
    used |= {name for name in imports_in(module) if name in (*ENVIRONMENT, "os.*")}
    used |= {name for name in imports_in(module) if top(name) in ("posix", "pydantic_settings")}
    return used | {f"import os as {alias}" for name, alias in aliases_in(module) if name == "os"}


def test_the_domain_reads_no_clock_file_or_environment() -> None:
    for path in domain_files():
        allowed = PURE | SOURCE_READERS if place(path) == READS_SOURCES else PURE
        assert not (used := outside_world(tree(path), allowed)), f"{place(path)}: {used}"


def test_randomness_comes_from_an_argument() -> None:
    """np.random is for types only: the library neither makes a generator nor draws from a hidden one."""
    for path in sources("riverboat"):
        assert not (drawn := hidden_randomness(tree(path))), f"{place(path)}: {drawn}"


def test_only_settings_read_the_environment() -> None:
    for path in sources("riverboat", "services", "clients"):
        if path.name != "settings.py":
            assert not (used := environment_use(tree(path))), f"{place(path)}: {used}"


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (outside_world, "import time"),
        (outside_world, "from timeit import default_timer"),
        (outside_world, "from importlib.resources import files"),
        (outside_world, "import uuid"),
        (outside_world, "import secrets"),
        (outside_world, "def f():\n    import os as o"),
        (outside_world, "x = open('x')"),
        (outside_world, "import numpy as np\nx = np.fromfile('x')"),
        (outside_world, "import numpy as np\nx = np.lib.format.open_memmap('x')"),
        (outside_world, "from numpy import fromfile"),
        (outside_world, "import importlib\nimportlib.import_module('os')"),
        (outside_world, "__import__('time')"),
        (hidden_randomness, "import random"),
        (hidden_randomness, "import numpy as np\nx = np.random.default_rng()"),
        (hidden_randomness, "from numpy.random import default_rng"),
        (hidden_randomness, "from numpy import random"),
        (hidden_randomness, "import numpy.random as r"),
        (environment_use, "import os\nx = os.environ['X']"),
        (environment_use, "from os import environ"),
        (environment_use, "from os import getenv as g"),
        (environment_use, "from os import *"),
        (environment_use, "import os as o"),
        (environment_use, "from pydantic_settings import BaseSettings"),
    ],
)
def test_rules_know_ordinary_spellings(rule: Callable[[ast.Module], set[str]], source: str) -> None:
    assert rule(ast.parse(source)), source


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (outside_world, "import math\nfrom collections.abc import Iterator\nimport numpy as np\nx = np.zeros(3)"),
        (outside_world, "x = archive.open()"),
        (hidden_randomness, "import numpy as np\ndef f(rng: np.random.Generator): return rng.random()"),
        (hidden_randomness, "from numpy.random import Generator"),
        (environment_use, "import os\nx = os.getpid()"),
    ],
)
def test_rules_allow_what_is_right(rule: Callable[[ast.Module], set[str]], source: str) -> None:
    assert not rule(ast.parse(source)), source


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


def test_clients_read_errors_in_one_place() -> None:
    """Conformance is left out: it checks the messages themselves."""
    for path in sources("clients"):
        if place(path) != "clients/remote/refusals.py" and not place(path).startswith("clients/conformance/"):
            assert "error.details" not in [name for name, _ in calls_in(path)], place(path)


def test_torch_is_no_dependency_of_playing_and_solving() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not [requirement for requirement in project["dependencies"] if requirement.startswith("torch")]


def test_nothing_that_is_read_can_run_code() -> None:
    """No pickle or the like anywhere; functions that could fall back to it must not."""
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
    assert loads, "the trainer reads arrays, but this test saw no call of np.load"


def test_jobs_are_json() -> None:
    from riverboat.services.trainer.generation.job_queue import queue_app

    conf = queue_app("redis://127.0.0.1:1", 60).conf
    assert (conf.task_serializer, conf.result_serializer, list(conf.accept_content)) == ("json", "json", ["json"])


def test_only_one_place_opens_channels() -> None:
    for path in sources("riverboat", "services", "clients"):
        if place(path) not in OPENS_CHANNELS:
            opened = [name for name, _ in calls_in(path) if name.endswith(("insecure_channel", "secure_channel"))]
            assert not opened, f"{place(path)}: {opened}"
