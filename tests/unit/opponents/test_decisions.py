"""Decisions of stored hands, beside the slow reference."""

from itertools import pairwise
from pathlib import Path

import numpy as np

from riverboat.history.hand import replay
from riverboat.history.phh import read_phh
from riverboat.history.store.reading import read_text
from riverboat.opponents.decisions import stored_decisions
from riverboat.opponents.features import FEATURE_COUNT, NAMES, situation_of
from riverboat.rules.events import Move
from riverboat.rules.state import PublicState
from tests.reference import opponent_features as slow

REAL = Path(__file__).resolve().parents[2] / "golden" / "real-hands-60.phhs"


def test_decisions_of_real_hands() -> None:
    columns, _ = read_text(REAL.read_bytes())
    decisions = stored_decisions(columns)
    at = 0
    for history in read_phh(REAL.read_text()):
        states, past = list(replay(history)), list[tuple[PublicState, int]]()
        for event, (before, after) in zip(history.events, pairwise(states), strict=True):
            if not isinstance(event, Move) or after is before:
                continue
            expected = slow.features(before, past)
            np.testing.assert_allclose(
                decisions.features[at, :FEATURE_COUNT], [expected[name] for name in NAMES], rtol=1e-6
            )
            assert decisions.move[at] == slow.move_class(before, event.action)
            assert decisions.situation[at] == situation_of(before.street, before.to_call > 0)
            assert columns.names[decisions.player[at]] == history.names[event.seat]
            assert decisions.player_count[at] == len(history.stacks)
            past.append((before, event.action))
            at += 1
    assert at == len(decisions.move) == len(columns.move)
