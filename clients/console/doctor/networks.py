"""The value networks that come with Riverboat."""

import hashlib
import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from riverboat.clients.console.doctor.diagnosis import Diagnosis, broken, improvable, working
from riverboat.errors import InvalidInput
from riverboat.rpc.installation import how_to_install

_RESOLVING = ("solve", "explain", "review", "models")
_LONGEST_REASON = 120  # characters


def check_networks() -> Iterator[Diagnosis]:
    """Check that every network is the one its card describes, and can be run."""
    files = _shipped()
    if not files:
        yield improvable("networks", "none installed, so agents estimate by equity", "make install again")
        return
    try:
        from riverboat.nets.network import Network
    except ImportError:
        says = f"{len(files)} installed, but onnxruntime, which runs them, is missing"
        yield broken("networks", says, how_to_install("resolver"), _RESOLVING)
        return
    good = 0
    for file in files:
        if problem := _network_problem(file, Network):
            yield improvable("networks", f"{file.name} is not used: {problem}", "restore the file")
        else:
            good += 1
    if good == len(files):
        yield working("networks", f"{good} can be read: {', '.join(file.stem for file in files)}")


def _shipped() -> list[Path]:
    """Return the network files; the services' folder is looked up, not imported: clients import no service."""
    spec = find_spec("riverboat.services")
    places = (spec.submodule_search_locations or ()) if spec else ()
    return sorted(file for place in places for file in (Path(place) / "resolver" / "trained").glob("*.onnx"))


def _network_problem(file: Path, read: Callable[[bytes], object]) -> str:
    try:
        data = file.read_bytes()
        if hashlib.sha256(data).hexdigest() != json.loads(file.with_suffix(".json").read_text())["hash"]:
            return "its card describes another file"
        read(data)
    except InvalidInput as error:
        return str(error)[:_LONGEST_REASON]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"it cannot be read: {str(error)[:_LONGEST_REASON]}"
    return ""
