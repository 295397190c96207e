"""How to install what a part needs, for the way Riverboat was installed: the same words everywhere."""

import json
import sys
from functools import cache
from importlib.metadata import distributions

_NAME = "riverboat"


def how_to_install(*extras: str) -> str:
    """Return the command to type: in a clone, which pins the versions of the tests, or for an installed package."""
    wanted = f"[{','.join(extras)}]" if extras else ""
    source = _source()
    if source is None:
        return f".venv/bin/pip install -c requirements/constraints.txt -e '.{wanted}' in Riverboat's folder"
    origin = f" @ {source}" if source else ""
    return f"{sys.executable} -m pip install '{_NAME}{wanted}{origin}'"


@cache
def _source() -> str | None:
    """Return where the package was installed from: a URL, "" for an index, None for a clone that is used in place."""
    installed = list(distributions(name=_NAME))
    if not installed:
        return None  # a clone without an installation
    # A build leaves metadata without an origin in a clone, which Python finds first if the command starts there.
    origins = [json.loads(text) for each in installed if (text := each.read_text("direct_url.json"))]
    if any(origin.get("dir_info", {}).get("editable") for origin in origins):
        return None
    return str(origins[0].get("url", "")) if origins else ""
