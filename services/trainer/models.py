"""Networks in the store: an ONNX file, its card, and a picture of how it learnt."""

import hashlib
import json
from dataclasses import asdict
from typing import Any

import structlog

from riverboat.errors import NotFound
from riverboat.nets.layout import About
from riverboat.services.trainer.store import MODELS, Store
from riverboat.training.progress import Epoch, ModelAnswer

log = structlog.get_logger()

_LONGEST_NAME = 60
_NETWORK, _CARD, _PICTURE = ".onnx", ".json", ".png"


def make_card(data: bytes, about: About, epochs: list[Epoch], more: dict[str, Any]) -> dict[str, Any]:
    """What there is to know about a network, with the hash of its file."""
    return {
        "hash": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        **asdict(about),
        **more,
        "epochs": [asdict(epoch) for epoch in epochs],
    }


def put_model(store: Store, data: bytes, card: dict[str, Any], picture: bytes) -> str:
    """Store a network; its name. The card comes first: a network without one is refused by whoever sees it."""
    name = f"{card['deck']}-{card['street']}-{card['hash'][:8]}"
    store.put(MODELS, name + _PICTURE, picture)
    store.put(MODELS, name + _CARD, (json.dumps(card, indent=1, sort_keys=True) + "\n").encode())
    store.put(MODELS, name + _NETWORK, data)
    return name


def list_models(store: Store) -> list[ModelAnswer]:
    """All networks, by name; a file without a card that fits is left out, and the log says so."""
    found = []
    for name in store.names(MODELS, _NETWORK):
        try:
            found.append(_answer(store, name.removesuffix(_NETWORK)))
        except (NotFound, KeyError, ValueError, TypeError) as error:
            log.warning("network left out", file=name, reason=repr(error))
    return found


def get_model(store: Store, name: str) -> bytes:
    """The ONNX file of a network."""
    if len(name) > _LONGEST_NAME or not (name.isascii() and name.replace("-", "").isalnum()):
        raise NotFound(f"no network is called {name[:60]!r}")
    data = store.get(MODELS, name + _NETWORK)
    expected = name.rpartition("-")[2]
    if not hashlib.sha256(data).hexdigest().startswith(expected):
        raise NotFound(f"the network {name} is damaged: its hash does not begin with {expected}")
    return data


def network_hash(store: Store, name: str) -> str:
    """SHA-256 of the ONNX file of a network, as hexadecimal digits."""
    return hashlib.sha256(get_model(store, name)).hexdigest()


def _answer(store: Store, name: str) -> ModelAnswer:
    text = store.get(MODELS, name + _CARD).decode()
    card = json.loads(text)
    return ModelAnswer(
        name,
        card["deck"],
        card["street"],
        card["hash"],
        card["bytes"],
        card["samples"],
        card["train_loss"],
        card["held_out_loss"],
        text,
        card.get("test_loss"),
        card.get("test_mean_absolute_error"),
        card.get("test_samples", 0),
        card.get("test_boards", 0),
    )
