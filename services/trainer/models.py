"""Networks in the store: an ONNX file, its card, and a picture of how it learnt."""

import hashlib
import json
from dataclasses import asdict
from typing import Any

from riverboat.errors import NotFound
from riverboat.nets.layout import About
from riverboat.training.progress import Epoch, ModelAnswer
from services.trainer.store import MODELS, Store

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
    """All networks, by name."""
    return [_answer(store, name.removesuffix(_NETWORK)) for name in store.names(MODELS, _NETWORK)]


def get_model(store: Store, name: str) -> bytes:
    """The ONNX file of a network."""
    if len(name) > _LONGEST_NAME or not (name.isascii() and name.replace("-", "").isalnum()):
        raise NotFound(f"no network is called {name[:60]!r}")
    return store.get(MODELS, name + _NETWORK)


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
    )
