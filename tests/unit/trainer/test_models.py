"""Networks in a store."""

import hashlib
from pathlib import Path

import pytest

from riverboat.errors import NotFound
from riverboat.nets.layout import LAYOUT, About
from services.trainer.models import get_model, list_models, make_card, put_model
from services.trainer.store import MODELS, Store

DATA = b"a network"
ABOUT = About(LAYOUT, "24", "turn", "", "", 100, 0.01, 0.02)


def test_a_file_without_a_card_is_left_out(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    name = put_model(store, DATA, make_card(DATA, ABOUT, [], {}), b"")
    store.put(MODELS, "24-river-12345678.onnx", b"stray")
    store.put(MODELS, "24-flop-12345678.onnx", b"stray")
    store.put(MODELS, "24-flop-12345678.json", b"{}")
    assert [model.name for model in list_models(store)] == [name]


def test_a_damaged_network_is_not_given_out(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    name = put_model(store, DATA, make_card(DATA, ABOUT, [], {}), b"")
    assert get_model(store, name) == DATA
    assert name.endswith(hashlib.sha256(DATA).hexdigest()[:8])
    store.put(MODELS, f"{name}.onnx", b"A network")
    with pytest.raises(NotFound, match="is damaged"):
        get_model(store, name)
