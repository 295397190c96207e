"""The picture of a run in rounds: which curves share a panel, and a file that is whole at any moment."""

from dataclasses import replace
from pathlib import Path

from riverboat.clients.console.views.rounds_picture import draw_rounds, panels_of
from riverboat.training.progress import Stage
from riverboat.training.rounds import Round, RoundsPlan
from tests.unit.clients.console.views.test_runs import RUN

NAMES = ("fitness", "ranking", "hands_won", "mean_money", "roi", "vpip", "pfr", "afq", "roi_of_50")
EVOLVING = replace(
    RUN,
    plan=RoundsPlan("evolution", {}),
    stage=Stage.RUNNING,
    round_count=9,
    rounds=tuple(Round(number, dict.fromkeys(NAMES, number / 10)) for number in (1, 2, 3)),
)


def test_curves_that_belong_together_share_a_panel() -> None:
    assert panels_of(EVOLVING) == (
        ("fitness",), ("ranking", "hands_won", "mean_money"), ("roi",), ("vpip", "pfr", "afq"),
    )  # fmt: skip
    other = replace(EVOLVING, plan=RoundsPlan("blueprint", {}))
    assert panels_of(other) == tuple((name,) for name in NAMES)
    assert panels_of(RUN) == panels_of(replace(EVOLVING, rounds=())) == ()


def test_the_picture_is_replaced_as_the_run_goes_on(tmp_path: Path) -> None:
    picture = tmp_path / "run.svg"
    draw_rounds(replace(EVOLVING, rounds=()), picture)
    first = picture.read_text(encoding="utf-8")
    draw_rounds(EVOLVING, picture)
    assert picture.read_text(encoding="utf-8").count("<path") > first.count("<path")
    assert [path.name for path in tmp_path.iterdir()] == ["run.svg"]
    draw_rounds(EVOLVING, tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
