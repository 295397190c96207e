"""The artefacts of runs in rounds, in the store: a file, its card, and a picture of the run."""

import hashlib
import json

import structlog

from riverboat.contracts.trainer import ModelAnswer
from riverboat.errors import NotFound
from riverboat.services.trainer.models import read_verified
from riverboat.services.trainer.rounds.kind import Artefact
from riverboat.services.trainer.store import MODELS, ObjectStore

log = structlog.get_logger()
_PICTURE = ".png"
_CARD_OF_ARTEFACT = ".card.json"  # a file may be JSON itself


def put_artefact(store: ObjectStore, kind: str, artefact: Artefact, run_id: str) -> str:
    """Store a run's artefact, card first; return its name."""
    digest = hashlib.sha256(artefact.data).hexdigest()
    name = f"{artefact.label}-{digest[:8]}"
    facts = {"kind": kind, "hash": digest, "bytes": len(artefact.data), "suffix": artefact.suffix, "run": run_id}
    card = json.dumps({**artefact.card, **facts}, indent=1, sort_keys=True) + "\n"
    if artefact.picture:
        store.put(MODELS, name + _PICTURE, artefact.picture)
    store.put(MODELS, name + _CARD_OF_ARTEFACT, card.encode())
    store.put(MODELS, name + artefact.suffix, artefact.data)
    return name


def list_artefacts(store: ObjectStore) -> list[ModelAnswer]:
    """Return all artefacts of runs in rounds; a file without a matching card is skipped and logged."""
    answers = []
    for name in store.names(MODELS, _CARD_OF_ARTEFACT):
        try:
            answers.append(_answer(store, name.removesuffix(_CARD_OF_ARTEFACT)))
        except (NotFound, KeyError, ValueError, TypeError) as error:
            log.warning("artefact_skipped", file=name, reason=repr(error))
    return answers


def get_artefact(store: ObjectStore, name: str) -> bytes:
    """Return the file of an artefact; NotFound if it is missing or damaged."""
    for answer in list_artefacts(store):
        if answer.name == name:
            return read_verified(store, name, answer.suffix)
    raise NotFound(f"no network or artefact is called {name[:60]!r}")


def _answer(store: ObjectStore, name: str) -> ModelAnswer:
    text = store.get(MODELS, name + _CARD_OF_ARTEFACT).decode()
    card = json.loads(text)
    return ModelAnswer(
        name=name,
        deck="",
        street="",
        hash=card["hash"],
        byte_count=card["bytes"],
        samples=0,
        train_loss=0.0,
        held_out_loss=0.0,
        card=text,
        kind=card["kind"],
        suffix=card["suffix"],
    )
