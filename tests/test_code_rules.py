"""Rules for the whole tree besides imports: environment, files, messages, channels, code in data."""

import ast
import tomllib
from pathlib import Path

from tests.source_tree import ROOT, calls_in, imports, place, sources, top, tree

ENVIRONMENT = {"os.environ", "os.getenv", "os.environb", "os.putenv"}
OUTSIDE_WORLD = {"time", "datetime", "os", "socket"}  # the domain library must not use these
FILES = {"pathlib", "io", "shutil", "tempfile"}
READS_SOURCES = "riverboat/compiled/kernels.py"  # reads the domain library's files to know when compiled code is stale
RUNS_CODE = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "jsonpickle"}
OPENS_CHANNELS = {  # so that TLS applies to all of them; the examples use the contract alone
    "riverboat/rpc/connections/channels.py",
    "clients/examples/plain_grpc.py",
    "clients/examples/fair_grpc.py",
}


def domain_files() -> list[Path]:
    """Return the files of the domain library."""
    return [path for path in sources("riverboat") if not place(path).startswith("riverboat/rpc/")]


def test_the_domain_reads_no_clock_file_or_environment() -> None:
    for path in domain_files():
        looked_at = OUTSIDE_WORLD if place(path) == READS_SOURCES else OUTSIDE_WORLD | FILES
        assert not [name for name in imports(path) if top(name) in looked_at], place(path)
        assert place(path) == READS_SOURCES or "open" not in [name for name, _ in calls_in(path)], place(path)


def test_randomness_comes_from_an_argument() -> None:
    """np.random is for types only: the library neither makes a generator nor draws from a hidden one."""
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
