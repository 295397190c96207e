"""How to install what a part needs, for the way Riverboat was installed: the same words everywhere."""

import json
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution

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
    try:
        text = distribution(_NAME).read_text("direct_url.json")
        origin = json.loads(text) if text else {}
    except (PackageNotFoundError, ValueError):  # a clone without an installation
        return None
    if origin.get("dir_info", {}).get("editable"):
        return None
    return str(origin.get("url", ""))
