"""A whole run of the kind `opponents` on a small store, and how its models score."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.histories import columns_of
from riverboat.history.store.parts import PartSource, StoredPart, encode_part
from riverboat.opponents.held_out import is_held_out
from riverboat.opponents.models import read_models
from riverboat.opponents.scoring import METHODS, MoveScorer, scores_as_dict
from riverboat.rules.variant import no_limit
from riverboat.services.trainer.opponents.kind import KIND
from riverboat.services.trainer.opponents.plan import OpponentsPlan
from riverboat.services.trainer.opponents.table import forget_tables
from tests.unit.history.hands import play

PLAYERS = 30


@cache
def played() -> HandColumns:
    """Return hands of some players."""
    histories = []
    for number in range(240):
        names = (f"player {number % PLAYERS}", f"player {(7 * number + 1) % PLAYERS} too")
        histories.append(replace(play(no_limit(50, 100), [4_000, 4_000], number, 60), names=names))
    return columns_of(histories)


def write_store(folder: Path) -> Path:
    """Write a store with these hands."""
    part = StoredPart(played(), PartSource("hands.phhs", "0" * 64, 0, 1), ())
    (folder / "0000").mkdir()
    (folder / "0000" / "00000.safetensors").write_bytes(encode_part(part))
    return folder


def run(plan: OpponentsPlan) -> bytes:
    """Go through all rounds in this process."""
    messages: list[str] = []
    state = KIND.begin(plan, messages.append, lambda name: b"")
    for number in range(KIND.round_count(plan)):
        results = [KIND.job(plan, state, number, job) for job in range(KIND.job_count(plan, number))]
        state, _ = KIND.learn(plan, state, number, results, 1, messages.append)
    artefact = KIND.export(plan, state)
    assert artefact.card["players"] == 2
    assert artefact.card["held out people"] == sum(map(is_held_out, played().names))
    assert artefact.picture[:4] == b"\x89PNG"
    return artefact.data


def test_a_run_makes_models_that_score(tmp_path: Path) -> None:
    store = write_store(tmp_path)
    plan = OpponentsPlan(
        store=str(store), hands=1_000, styles=2, iterations=2, leaves=4, leaf_moves=10, trees=3, card_leaves=2,
        card_hands=4, card_steps=2,
    )  # fmt: skip
    models = read_models(run(plan))
    assert models.styles.count == 2
    assert models.player_count == 2
    scorer = MoveScorer(models)
    scorer.add(played())
    everyone, held_out = (scores_as_dict(scores)["all"] for scores in (scorer.everyone, scorer.held_out))
    assert everyone["moves"] == len(played().move) > held_out["moves"] > 0
    for method in METHODS:
        assert everyone["accuracy"][method] >= everyone["naive_accuracy"] - 0.05
        assert 0 < everyone["log_loss"][method] < np.log(3)


def test_a_store_that_is_missing_or_has_changed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="riverboat hands import"):
        KIND.begin(OpponentsPlan(store=str(tmp_path)), print, lambda name: b"")
    plan = OpponentsPlan(store=str(write_store(tmp_path)), hands=1_000, styles=2)
    state = KIND.begin(plan, print, lambda name: b"")
    (tmp_path / "0000" / "00001.safetensors").write_bytes(b"more")
    forget_tables()
    with pytest.raises(InvalidInput, match="other hands"):
        KIND.job(plan, state, 0, 0)
