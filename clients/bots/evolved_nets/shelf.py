"""The nets that ship, by name; each is checked against the hash on its card."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from riverboat.clients.bots.settings import evolved_net_folder
from riverboat.clients.bots.shelf_files import CARD, verified_bytes
from riverboat.errors import InvalidInput, NotFound
from riverboat.policies.evolved_nets import Net
from riverboat.policies.net_files import read_net

FOLDER = Path(__file__).parent
SUFFIX = ".json"
BEST = "best"  # what `evolved` without a parameter plays


def nets_in(folder: Path) -> tuple[str, ...]:
    """Return the names of the nets in a folder that have a card."""
    names = (path.name.removesuffix(CARD) for path in folder.glob(f"*{CARD}"))
    return tuple(sorted(name for name in names if (folder / f"{name}{SUFFIX}").exists()))


def net_names() -> tuple[str, ...]:
    """Return the names of the nets that ship, then of those in RIVERBOAT_EVOLVED_NETS."""
    return (*nets_in(FOLDER), *(name for folder in _more() for name in nets_in(folder)))


def shelved_net(name: str) -> Net:
    """Return a net that ships or is in RIVERBOAT_EVOLVED_NETS; NotFound if there is none with this name."""
    return net_at(_folder_of(name), name)


@cache
def net_at(folder: Path, name: str) -> Net:
    """Return a net in a folder; InvalidInput if it does not match its card. Each process reads it once."""
    return read_net(verified_bytes(folder / f"{name}{SUFFIX}", _card_at(folder, name)["hash"]))


def _more() -> list[Path]:
    more = evolved_net_folder()
    return [Path(more)] if more else []


def _folder_of(name: str) -> Path:
    for folder in (FOLDER, *_more()):
        if name in nets_in(folder):
            return folder
    raise NotFound(f"no evolved net is called {name[:30]!r}; the nets are {', '.join(net_names())}")


def _card_at(folder: Path, name: str) -> dict[str, Any]:
    try:
        card: dict[str, Any] = json.loads((folder / f"{name}{CARD}").read_text(encoding="utf-8"))
        str(card["hash"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(name, f"its card is damaged: {error!r}") from None
    return card
