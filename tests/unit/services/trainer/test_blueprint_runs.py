"""The kind of run `blueprint`: from settings to a file in the store, the same bytes after a kill."""

import json
from pathlib import Path

import pytest

from riverboat.blueprint.file_format import read_blueprint
from riverboat.errors import InvalidInput
from riverboat.services.trainer.artefacts import get_artefact, list_artefacts
from riverboat.services.trainer.blueprint.kind import BlueprintRuns
from riverboat.services.trainer.blueprint.plan import BlueprintPlan
from riverboat.services.trainer.rounds.loop import RoundsRun
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.rounds import Round, read_settings, write_settings

SETTINGS = {
    "deck": "24", "stack": "1000", "sizes": "all-in", "raise_cap": "1", "flop_groups": "4", "turn_groups": "4",
    "river_groups": "4", "epochs": "5", "boards": "10", "round_epochs": "2", "seed": "2",
}  # fmt: skip
PLAN = read_settings(BlueprintPlan, SETTINGS)


class Killed(BaseException):
    """Stands for SIGKILL: nothing catches it."""


def run_in(store: ObjectStore, rounds: list[Round], messages: list[str], kill_after: int = 0) -> str:
    """Return what a run makes, or stop it where it tells of a round."""

    def tell(each: Round) -> None:
        rounds.append(each)
        if each.number == kill_after:
            raise Killed

    return RoundsRun(
        run_id="0a1b2c3d", kind=BlueprintRuns(), plan=PLAN, store=store, send=lambda number, job: None, tell=tell,
        say=messages.append, ahead=1, lost_seconds=60.0, threads=1,
    ).finish()  # fmt: skip


def test_a_run_that_is_killed_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole, broken = ObjectStore(str(tmp_path / "a")), ObjectStore(str(tmp_path / "b"))
    rounds: list[Round] = []
    messages: list[str] = []
    name = run_in(whole, rounds, messages)
    assert [each.measures["epochs"] for each in rounds] == [2, 4, 5]
    assert messages[0].startswith("grouping holdings")
    with pytest.raises(Killed):
        run_in(broken, [], [], kill_after=2)
    assert run_in(broken, [], []) == name  # which has the hash of the file
    data = get_artefact(whole, name)
    assert data == get_artefact(broken, name)
    assert read_blueprint(data).game == PLAN.game()
    (answer,) = list_artefacts(whole)
    card = json.loads(answer.card)
    assert (answer.kind, card["epochs"], card["boards"]) == ("blueprint", 5, 50)


def test_settings_come_back_as_they_were_written() -> None:
    assert read_settings(BlueprintPlan, write_settings(PLAN)) == PLAN


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"deck": "53"}, "deck"),
        ({"stack": "0"}, "stack"),
        ({"sizes": "half"}, "sizes"),
        ({"flop_groups": "0"}, "flop_groups"),
        ({"epochs": "0"}, "epochs"),
        ({"boards": "0"}, "boards"),
        ({"threads": "65"}, "threads"),
        ({"sizes": "0.1p 0.2p 0.3p 0.4p 0.5p 1p", "raise_cap": "0", "stack": "100000"}, "sizes"),
        (
            {"flop_groups": "5000", "turn_groups": "5000", "river_groups": "5000", "sizes": "0.5p 1p", "raise_cap": "0",
             "stack": "20000"},
            "sizes",
        ),
    ],
)  # fmt: skip
def test_nonsense_is_refused_before_anything_is_taken(change: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_settings(BlueprintPlan, {**SETTINGS, **change})
    assert caught.value.field.startswith(f"settings.{field}")
