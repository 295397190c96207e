"""Networks in the store: an ONNX file, its card, and a picture of its learning curves."""

import hashlib
import json
from dataclasses import asdict
from typing import Any

import structlog

from riverboat.contracts.trainer import ModelAnswer
from riverboat.errors import NotFound
from riverboat.nets.layout import About
from riverboat.services.trainer.store import MODELS, ObjectStore
from riverboat.training.progress import Epoch

log = structlog.get_logger()

_LONGEST_NAME = 60
_NETWORK, _CARD, _PICTURE = ".onnx", ".json", ".png"


def make_card(data: bytes, about: About, epochs: list[Epoch], more: dict[str, Any]) -> dict[str, Any]:
    """Return a network's card: all facts about it, with the hash of its file."""
    return {
        "hash": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        **asdict(about),
        **more,
        "epochs": [asdict(epoch) for epoch in epochs],
    }


def put_model(store: ObjectStore, data: bytes, card: dict[str, Any], picture: bytes) -> str:
    """Store a network and return its name. The card comes first, because a network without one is refused."""
    name = f"{card['deck']}-{card['street']}-{card['hash'][:8]}"
    store.put(MODELS, name + _PICTURE, picture)
    store.put(MODELS, name + _CARD, (json.dumps(card, indent=1, sort_keys=True) + "\n").encode())
    store.put(MODELS, name + _NETWORK, data)
    return name


def list_models(store: ObjectStore) -> list[ModelAnswer]:
    """Return all networks by name; those without a readable card are skipped and logged."""
    models = []
    for name in store.names(MODELS, _NETWORK):
        try:
            models.append(_answer(store, name.removesuffix(_NETWORK)))
        except (NotFound, KeyError, ValueError, TypeError) as error:
            log.warning("network_skipped", file=name, reason=repr(error))
    return models


def get_model(store: ObjectStore, name: str) -> bytes:
    """Return the ONNX file of a network; NotFound if it is missing or damaged."""
    return read_verified(store, name, _NETWORK)


def read_verified(store: ObjectStore, name: str, suffix: str) -> bytes:
    """Return a file whose name ends with the first digits of its hash; NotFound if it is missing or damaged."""
    if len(name) > _LONGEST_NAME or not (name.isascii() and name.replace("-", "").isalnum()):
        raise NotFound(f"no network is called {name[:60]!r}")
    data = store.get(MODELS, name + suffix)
    expected = name.rpartition("-")[2]
    if not hashlib.sha256(data).hexdigest().startswith(expected):
        raise NotFound(f"the network {name} is damaged: its SHA-256 should begin with {expected}")
    return data


def network_hash(store: ObjectStore, name: str) -> str:
    """Return the SHA-256 of the ONNX file of a network, as hexadecimal digits."""
    return hashlib.sha256(get_model(store, name)).hexdigest()


def _answer(store: ObjectStore, name: str) -> ModelAnswer:
    text = store.get(MODELS, name + _CARD).decode()
    card = json.loads(text)
    return ModelAnswer(
        name=name,
        deck=card["deck"],
        street=card["street"],
        hash=card["hash"],
        byte_count=card["bytes"],
        samples=card["samples"],
        train_loss=card["train_loss"],
        held_out_loss=card["held_out_loss"],
        card=text,
        test_loss=card.get("test_loss"),
        test_mean_absolute_error=card.get("test_mean_absolute_error"),
        test_samples=card.get("test_samples", 0),
        test_boards=card.get("test_boards", 0),
    )
