"""Parts of a store as bytes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load

from riverboat.errors import InvalidInput
from riverboat.history.store.parts import PartSource, StoredPart, decode_part, encode_part, part_source
from riverboat.history.store.reading import LeftOut, read_text
from riverboat.history.store.replaying import NOT_KNOWN
from tests.unit.history.store.columns import rows
from tests.unit.history.store.test_reading import REAL

SOURCE = PartSource("real.phhs", "ab" * 32, 3, 101)
PART = StoredPart(read_text(REAL)[0], SOURCE, (LeftOut(7, "it's 'odd'"), LeftOut(9, "ü")))
DATA = encode_part(PART)


def test_a_part_comes_back() -> None:
    part = decode_part(DATA)
    assert rows(part.columns) == rows(PART.columns)
    assert (part.source, part.left_out) == (PART.source, PART.left_out)
    assert part_source(DATA) == SOURCE
    assert encode_part(part) == DATA


def test_unknown_winners_come_back() -> None:
    won = PART.columns.won.copy()
    won[:4] = NOT_KNOWN
    part = StoredPart(replace(PART.columns, won=won), SOURCE, ())
    assert decode_part(encode_part(part)).columns.won.tolist() == won.tolist()


def test_other_programs_can_read_it() -> None:
    tensors = load(DATA)
    assert tensors["seat_start"][-1] == len(tensors["player"]) == len(PART.columns.player)
    assert tensors["move"].dtype == np.int16
    assert bytes(tensors["name_bytes"]).decode() == "".join(PART.columns.names)


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_any_changed_byte_is_noticed(place: int, change: int) -> None:
    damaged = bytearray(DATA)
    damaged[place] ^= change
    with pytest.raises(InvalidInput):
        decode_part(bytes(damaged))


@given(st.integers(0, len(DATA) - 1))
def test_a_cut_part_is_noticed(size: int) -> None:
    with pytest.raises(InvalidInput):
        part_source(DATA[:size])


def test_columns_that_do_not_fit_are_refused() -> None:
    columns = replace(PART.columns, game=PART.columns.game + len(PART.columns.games))
    with pytest.raises(InvalidInput, match=r"^game: "):
        decode_part(encode_part(StoredPart(columns, SOURCE, ())))
