"""Networks in a store."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from riverboat.errors import NotFound
from riverboat.nets.layout import LAYOUT, About, read_about
from riverboat.services.trainer.models import get_model, list_models, make_card, put_model
from riverboat.services.trainer.store import MODELS, ObjectStore
from tests.processes import ROOT

DATA = b"a network"
ABOUT = About(
    layout=LAYOUT, deck="24", street="turn", data="", code="", samples=100, train_loss=0.01, held_out_loss=0.02
)


def test_a_file_without_a_card_is_left_out(tmp_path: Path) -> None:
    store = ObjectStore(str(tmp_path))
    name = put_model(store, DATA, make_card(DATA, ABOUT, [], {}), b"")
    store.put(MODELS, "24-river-12345678.onnx", b"stray")
    store.put(MODELS, "24-flop-12345678.onnx", b"stray")
    store.put(MODELS, "24-flop-12345678.json", b"{}")
    assert [model.name for model in list_models(store)] == [name]


def test_cards_of_networks_that_ship_say_validation_and_test(tmp_path: Path) -> None:
    """The first ones were made without a test set, and their samples are gone, so a test loss cannot be measured."""
    (tmp_path / MODELS).symlink_to(ROOT / "services" / "resolver" / "trained")
    models = list_models(ObjectStore(str(tmp_path)))
    assert len(models) >= 6
    for model in models:
        card = json.loads(model.card)
        assert card["validation_loss"] == model.held_out_loss == min(epoch["held_out_loss"] for epoch in card["epochs"])
        tested = (model.test_loss, model.test_mean_absolute_error, model.test_samples)
        if "split" in card:
            sizes = card["split"]["test"]["samples"]
            assert tested == (card["test_loss"], card["test_mean_absolute_error"], sizes)
            assert sizes > 0
        else:
            assert tested == (None, None, 0)


def test_metadata_with_and_without_a_test_set_is_read() -> None:
    """Files of version 0.1 have no test loss; newer ones state what was measured."""
    assert "test_loss" not in ABOUT.as_texts()
    assert read_about(ABOUT.as_texts()) == ABOUT
    old = {name: text for name, text in ABOUT.as_texts().items() if not name.startswith("test_")}
    assert read_about(old) == ABOUT
    measured = replace(ABOUT, test_loss=0.03, test_mean_absolute_error=0.1, test_samples=12, test_boards=7)
    assert read_about(measured.as_texts()) == measured


def test_a_damaged_network_is_not_given_out(tmp_path: Path) -> None:
    store = ObjectStore(str(tmp_path))
    name = put_model(store, DATA, make_card(DATA, ABOUT, [], {}), b"")
    assert get_model(store, name) == DATA
    assert name.endswith(hashlib.sha256(DATA).hexdigest()[:8])
    store.put(MODELS, f"{name}.onnx", b"A network")
    with pytest.raises(NotFound, match="is damaged"):
        get_model(store, name)
