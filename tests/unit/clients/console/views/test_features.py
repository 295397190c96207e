"""The picture of distributions, and features by name."""

import pytest

from riverboat.clients.console.views.features import FeaturesView, picture

LADDER = tuple(k / 10 for k in range(1, 11))


def shown(street: int, count: int) -> FeaturesView:
    return FeaturesView(holding="AcAd", board="", deck="52", street=street, cards=(0.5,) * count, bets=None)


def test_bars_grow_with_equity_and_streets_are_side_by_side() -> None:
    assert picture({"turn": LADDER, "river": (0.0,) * 5 + (1.0,) * 5}) == [
        "        turn                   river",
        "100 %                 ▂▂▅▅██             ██████████",
        "                  ▃▃▆▆██████             ██████████",
        " 50 %       ▂▂▅▅████████████             ██████████",
        "        ▃▃▆▆████████████████             ██████████",
        "        worst           best   worst           best",
    ]


@pytest.mark.parametrize(
    ("street", "count", "names"),
    [(0, 31, ["flop", "turn", "river"]), (1, 21, ["turn", "river"]), (2, 11, ["river"]), (3, 1, [])],
)
def test_deciles_by_street(street: int, count: int, names: list[str]) -> None:
    view = shown(street, count)
    assert list(view.deciles()) == names
    assert all(len(values) == 10 for values in view.deciles().values())
    assert view.about()["street"] == ("preflop", "flop", "turn", "river")[street]
