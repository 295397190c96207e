"""Who may import whom, and who may read the environment: docs/architecture.md as a test."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("riverboat", "protos", "services", "clients", "tests", "benchmarks")
LINKED = ("protos", "services", "clients")  # imported as riverboat.protos and so on
STANDARD = set(sys.stdlib_module_names)
ENVIRONMENT = {"os.environ", "os.getenv", "os.environb", "os.putenv"}
CLOCKS = {"time", "datetime"}
HEAVY = {"onnxruntime", "torch", "redis", "prometheus_client", "opentelemetry"}
RUNS_CODE = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}


def sources(*folders: str) -> list[Path]:
    """Our own Python files below some folders, without generated code."""
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in files if "_pb2" not in path.name)


@cache
def tree(path: Path) -> ast.Module:
    """A file as Python reads it."""
    return ast.parse(path.read_text())


def imports(path: Path) -> Iterator[str]:
    """The full names of all modules that a file imports, at any depth, by the folders they are in."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (in_folder(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (in_folder(f"{node.module}.{alias.name}") for alias in node.names)


def in_folder(name: str) -> str:
    """A module's name by its folder: riverboat.services is a link to services."""
    assert top(name) not in LINKED, f"{name} is imported as riverboat.{name}"
    return name.removeprefix("riverboat.") if name.startswith(tuple(f"riverboat.{one}" for one in LINKED)) else name


def top(name: str) -> str:
    return name.partition(".")[0]


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_there_is_something_to_look_at() -> None:
    assert len(sources("riverboat", "services", "clients")) > 30


def test_1_protos_import_nothing_of_ours() -> None:
    for path in sources("protos"):
        assert not [name for name in imports(path) if top(name) in OURS], place(path)


def test_2_riverboat_imports_numpy_numba_and_the_standard_library() -> None:
    allowed = STANDARD | {"numpy", "numba", "llvmlite", "riverboat"}
    for path in sources("riverboat"):
        if "rpc" not in path.parts:
            here = allowed | ({"onnxruntime"} if place(path) == "riverboat/nets/network.py" else set())
            assert not [name for name in imports(path) if top(name) not in here], place(path)
            assert not [name for name in imports(path) if name.startswith("riverboat.rpc")], place(path)


def test_2_riverboat_reads_no_clock_file_or_environment() -> None:
    """kernels.py aside, which reads sources to know when compiled code is stale."""
    for path in sources("riverboat"):
        if "rpc" in path.parts:
            continue
        assert not [name for name in imports(path) if top(name) in CLOCKS | {"os", "socket"}], place(path)
        if path.name != "kernels.py":
            assert not [name for name in imports(path) if top(name) in {"pathlib", "io", "shutil", "tempfile"}], place(
                path
            )
            calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
            assert not [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "open"], place(
                path
            )


def test_2_randomness_comes_from_an_argument() -> None:
    """np.random is for types: nothing in the library makes a generator or draws from a hidden one."""
    for path in sources("riverboat"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
                assert node.attr == "Generator", f"{place(path)}: np.random.{node.attr}"
        assert "random" not in [top(name) for name in imports(path)], place(path)


def test_2_solving_knows_no_poker() -> None:
    allowed = ("riverboat.solving", "riverboat.errors", "riverboat.compiled")
    for path in sources("riverboat/solving"):
        ours = [name for name in imports(path) if top(name) in OURS]
        assert not [name for name in ours if not name.startswith(allowed)], place(path)


def test_3_services_know_riverboat_and_protos_but_no_other_service() -> None:
    for path in sources("services"):
        own = ".".join(path.relative_to(ROOT).parts[:2])
        for name in imports(path):
            if top(name) in OURS:
                assert top(name) in ("riverboat", "protos") or name.startswith(own + "."), f"{place(path)}: {name}"


def test_3_the_resolver_takes_only_solving() -> None:
    poker = ("riverboat.rules", "riverboat.strength", "riverboat.equity", "riverboat.utility", "riverboat.cheatsheet")
    for path in sources("services/resolver"):
        assert not [name for name in imports(path) if name.startswith(poker)], place(path)


def test_4_clients_never_import_services() -> None:
    for path in sources("clients", "riverboat"):
        assert not [name for name in imports(path) if top(name) == "services"], place(path)


def test_5_only_settings_read_the_environment() -> None:
    for path in sources("riverboat", "services", "clients"):
        text = path.read_text()
        used = {ast.unparse(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
        if path.name != "settings.py":
            assert not used & ENVIRONMENT, place(path)
            assert "pydantic_settings" not in [top(name) for name in imports(path)], place(path)


def test_5_only_main_builds_servicers_and_workers() -> None:
    for path in sources("services"):
        calls = {ast.unparse(node.func) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)}
        built = {name for name in calls if name.endswith(("Servicer", "Settings", "Workers"))}
        assert not built or path.name == "__main__.py", f"{place(path)}: {built}"


def test_6_servicers_only_decode_call_and_encode() -> None:
    """A method is a docstring, and one statement: no branches, no arithmetic."""
    for path in ROOT.glob("services/*/servicer.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.AsyncFunctionDef):
                assert len(node.body) == 1, f"{place(path)}: {node.name}"
                inner = {type(child) for child in ast.walk(node)}
                assert not inner & {ast.If, ast.BinOp, ast.While, ast.Try, ast.For}, f"{place(path)}: {node.name}"


def test_6_messages_stay_in_convert() -> None:
    """Below the servicers and the clients' own stubs, only rpc/convert knows messages."""
    for path in sources("riverboat"):
        if any(top(name) == "protos" for name in imports(path)):
            assert path.parent.name == "convert", place(path)
    for path in sources("services"):
        if any(name.startswith("protos.") for name in imports(path)):
            assert path.name in ("servicer.py", "__main__.py"), place(path)


def documented() -> dict[str, set[str]]:
    """What each part imports, as docs/architecture.md has it in a table; what is in parentheses explains."""
    rows = re.findall(r"^\| `(\w+/\w+)` \| (.+?)(?: \(.*\))? \|$", (ROOT / "docs/architecture.md").read_text(), re.M)
    return {
        part: {name if "." in name else f"riverboat.{name}" for name in imported.split(", ")} for part, imported in rows
    }


def test_the_table_of_imports_is_true() -> None:
    table = documented()
    assert len(table) == 17, "one row for each part around a table"
    for part, expected in table.items():
        own = part.replace("/", ".")
        names = {".".join(name.split(".")[:2]) for path in sources(part) for name in imports(path) if top(name) in OURS}
        assert names - {own, "riverboat.errors"} == expected, part


@pytest.mark.parametrize("library", sorted(HEAVY))
def test_7_one_heavy_dependency_one_place(library: str) -> None:
    found = [path for path in sources("riverboat", "services", "clients") if library in map(top, imports(path))]
    users = {place(path.parent) if library == "torch" else place(path) for path in found}  # a room of its own
    assert len(users) <= (2 if library == "redis" else 1), users  # a queue has two ends


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
    assert loads, "there is something to look at"


def test_jobs_are_json() -> None:
    from riverboat.services.trainer.generation.job_queue import queue_app

    conf = queue_app("redis://127.0.0.1:1", 60).conf
    assert (conf.task_serializer, conf.result_serializer, list(conf.accept_content)) == ("json", "json", ["json"])


def test_only_one_place_opens_channels() -> None:
    """So that all are encrypted where one is; examples aside, which are about the contract alone."""
    for path in sources("riverboat", "services", "clients"):
        examples = ("clients/examples/plain_grpc.py", "clients/examples/fair_grpc.py")
        if place(path) in ("riverboat/rpc/connections/channels.py", *examples):
            continue
        opened = [name for name, _ in calls_in(path) if name.endswith(("insecure_channel", "secure_channel"))]
        assert not opened, f"{place(path)}: {opened}"
