"""Blueprints as bytes: there and back, and one clear sentence for what is damaged or foreign."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.blueprint.blueprint import average_blueprint
from riverboat.blueprint.file_format import MAGIC, read_blueprint, write_blueprint
from riverboat.errors import InvalidInput
from tests.unit.blueprint.games import game_of, grouping_of, random_blueprint, self_play

DATA = write_blueprint(random_blueprint("24"))


def test_there_and_back() -> None:
    blueprint = read_blueprint(DATA)
    assert blueprint.game == game_of("24")
    assert np.array_equal(blueprint.weights, random_blueprint("24").weights)
    assert np.array_equal(blueprint.grouping.flops, grouping_of("24").flops)
    assert all(np.array_equal(a, b) for a, b in zip(blueprint.grouping.centres, grouping_of("24").centres, strict=True))
    assert write_blueprint(blueprint) == DATA


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_a_damaged_file_is_refused_or_reads_the_same_game(place: int, change: int) -> None:
    """A changed byte inside compressed data is found by zlib's checksum; one in the header may only rename things."""
    damaged = bytearray(DATA)
    damaged[place] ^= change
    with suppress(InvalidInput):  # and nothing else
        assert read_blueprint(bytes(damaged)).weights.shape == random_blueprint("24").weights.shape


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(DATA) - 1))
def test_a_cut_file_is_refused(size: int) -> None:
    with pytest.raises(InvalidInput, match="blueprint"):
        read_blueprint(DATA[:size])


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", MAGIC, MAGIC + b"\xff\xff\xff\x7f", DATA + b"x"])
def test_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="blueprint"):
        read_blueprint(data)


def test_an_average_is_quantised_and_rare_actions_are_left_out() -> None:
    play = self_play("leduc")
    game = game_of("leduc")
    play.memory.sums[:2] = (0.99, 0.01)  # the first decision of the first group
    blueprint = average_blueprint(game, grouping_of("leduc"), play.memory)
    assert blueprint.weights[:2].tolist() == [59, 0]
    assert blueprint.strategy(0, ())[:, 0].tolist() == [1, 0]
    assert np.allclose(blueprint.strategy(0, ()).sum(axis=0), 1)
