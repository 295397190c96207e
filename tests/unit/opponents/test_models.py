"""Models of players go through a file and back, and a file that is damaged is refused."""

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.opponents.models import MAGIC, read_models, write_models
from riverboat.opponents.styles import Forest, check_forest
from tests.unit.opponents.small_models import small_models


def test_models_survive_a_file() -> None:
    models = small_models(6)
    data = write_models(models)
    again = read_models(data)
    assert again.player_count == 6
    assert write_models(models) == data  # the same models, the same bytes
    np.testing.assert_array_equal(again.styles.forest.cut, models.styles.forest.cut)
    np.testing.assert_allclose(again.cards.tables.chances, models.cards.tables.chances, atol=1e-3)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", MAGIC, write_models(small_models())[:-4]])
def test_a_damaged_file_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="opponent models"):
        read_models(data)


def test_a_forest_with_a_loop_is_refused() -> None:
    forest = small_models().styles.forest
    looped = Forest(forest.feature, forest.cut, np.zeros_like(forest.right), forest.roots)
    with pytest.raises(InvalidInput, match="do not form trees"):
        check_forest(looped, 100, 41)
