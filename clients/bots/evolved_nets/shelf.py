"""The nets that ship, by name; each is checked against the hash on its card."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from riverboat.errors import InvalidInput, NotFound
from riverboat.policies.evolved_nets import Net
from riverboat.policies.net_files import read_net

FOLDER = Path(__file__).parent
_CARD = ".card.json"
BEST = "best"  # what `evolved` without a parameter plays


def net_names(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the names of the nets in a folder."""
    return tuple(sorted(path.name.removesuffix(_CARD) for path in folder.glob(f"*{_CARD}")))


def net_card(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the card of a net; NotFound if there is no such net."""
    if name not in net_names(folder):
        raise NotFound(f"no evolved net is called {name[:30]!r}; the nets are {', '.join(net_names(folder))}")
    card: dict[str, Any] = json.loads((folder / f"{name}{_CARD}").read_text(encoding="utf-8"))
    return card


@cache
def shelved_net(name: str, folder: Path = FOLDER) -> Net:
    """Return a net; InvalidInput if its file is not the one on its card."""
    card = net_card(name, folder)
    data = (folder / f"{name}.json").read_bytes()
    if hashlib.sha256(data).hexdigest() != card["hash"]:
        raise InvalidInput(name, "the file does not have the hash on its card: fetch it again")
    return read_net(data)
