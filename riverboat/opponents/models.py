"""Everything that is learnt about players at tables of one size, and its file: arrays without code in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.opponents.boosted_moves import BoostedForest, BoostedMoves
from riverboat.opponents.card_models import CardModels, card_models
from riverboat.opponents.styles import Forest, Styles
from riverboat.packing import pack, unpack

MAGIC = b"RIVERBOAT OPPONENTS 1\n"
_NOUN = "file of opponent models"
LARGEST_FILE = 100_000_000  # bytes
_PLAYERS, _LEAVES = "players", "card_leaves"
_PARTS = 10_000  # chances and points are written in such parts
_FOREST = ("feature", "cut", "right", "roots")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OpponentModels:
    """Models of players at tables of one size."""

    player_count: int
    styles: Styles
    everybody: Styles  # one style, of all players together
    boosted: BoostedMoves
    cards: CardModels  # as many styles as `styles` has


def write_models(models: OpponentModels) -> bytes:
    """Return models as the bytes of a file."""
    cards = models.cards.tables
    arrays: dict[str, NDArray[Any]] = {
        "styles.shares": models.styles.shares,
        "styles.chances": _whole(models.styles.chances),
        "everybody.chances": _whole(models.everybody.chances),
        "boosted.points": np.rint(models.boosted.boosting.points * _PARTS).astype(np.int64),
        "cards.chances": _whole(cards.chances),
    }
    forests = {
        "styles": models.styles.forest,
        "everybody": models.everybody.forest,
        "boosted": models.boosted.boosting.forest,
        "cards": cards.forest,
    }
    for name, forest in forests.items():
        arrays |= {f"{name}.{part}": _plain(getattr(forest, part)) for part in _FOREST}
    return pack(MAGIC, {_PLAYERS: models.player_count, _LEAVES: len(cards.first_row)}, arrays)


def read_models(data: bytes) -> OpponentModels:
    """Return the models of a file; InvalidInput says what is wrong with it."""
    if len(data) > LARGEST_FILE:
        raise InvalidInput("", f"models have at most {LARGEST_FILE:,} bytes, this file {len(data):,}")
    entries, arrays = unpack(MAGIC, _NOUN, data)
    try:
        return _models(int(entries[_PLAYERS]), int(entries[_LEAVES]), arrays)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InvalidInput("", f"the {_NOUN} is damaged: {type(error).__name__} {str(error)[:60]}") from None


def _models(player_count: int, card_leaves: int, arrays: Mapping[str, NDArray[Any]]) -> OpponentModels:
    everybody = Styles(
        forest=_forest(arrays, "everybody"), chances=_shares(arrays["everybody.chances"]), shares=np.ones(1)
    )
    points = (arrays["boosted.points"] / _PARTS).astype(np.float32)
    return OpponentModels(
        player_count=player_count,
        styles=Styles(
            forest=_forest(arrays, "styles"), chances=_shares(arrays["styles.chances"]), shares=arrays["styles.shares"]
        ),
        everybody=everybody,
        boosted=BoostedMoves(BoostedForest(_forest(arrays, "boosted"), points)),
        cards=card_models(_forest(arrays, "cards"), card_leaves, _shares(arrays["cards.chances"])),
    )


def _forest(arrays: Mapping[str, NDArray[Any]], name: str) -> Forest:
    feature, cut, right, roots = (arrays[f"{name}.{part}"] for part in _FOREST)
    return Forest(feature.astype(np.int16), cut.astype(np.float32), right.astype(np.int32), roots.astype(np.int32))


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers in a type that files have."""
    return values.astype(np.int64) if values.dtype.kind == "i" else values


def _whole(chances: NDArray[np.float32]) -> NDArray[np.uint16]:
    return np.rint(chances * _PARTS).astype(np.uint16)


def _shares(parts: NDArray[Any]) -> NDArray[np.float32]:
    chances = np.maximum(parts.astype(np.float64), 0.5)  # nothing that a player may do is impossible
    scaled: NDArray[np.float32] = (chances / chances.sum(1, keepdims=True)).astype(np.float32)
    return scaled
