"""Runs of the kind `evolution`: a run that is killed and continued makes the same bytes."""

from dataclasses import replace
from pathlib import Path

import pytest

from riverboat.errors import InvalidInput
from riverboat.policies.net_files import read_net
from riverboat.services.trainer.artefacts import get_artefact, list_artefacts
from riverboat.services.trainer.evolution.kind import KIND
from riverboat.services.trainer.evolution.plan import EvolutionPlan
from riverboat.services.trainer.evolution.state import read_state_bytes
from riverboat.services.trainer.rounds.checkpoints import put_result, read_state
from riverboat.services.trainer.rounds.kinds import find_kind, list_kinds
from riverboat.services.trainer.rounds.loop import RoundsRun
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.rounds import Round, read_settings, settings_of, write_settings

RUN = "0a1b2c3d"
SMALL = EvolutionPlan(
    generations=3, tournaments=4, series=2, structure="sng-9", entrants=6, hall=2, hidden=2, rollouts=3, elite=0.3
)


class Killed(BaseException):
    """Raised instead of sending SIGKILL: nothing catches it."""


def run_in(store: ObjectStore, rounds: list[Round], kill_at: tuple[int, int] | None = None) -> str:
    """Go through a run, doing each job when it is sent; return the artefact's name. `kill_at` is a round and a job."""

    def send(number: int, job: int) -> None:
        if (number, job) == kill_at:
            raise Killed
        put_result(store, RUN, number, job, KIND.job(SMALL, read_state(store, RUN).state, number, job))

    return RoundsRun(
        run_id=RUN, kind=KIND, plan=SMALL, store=store, send=send, tell=rounds.append, say=print, ahead=4,
        lost_seconds=60.0, threads=1,
    ).finish()  # fmt: skip


@pytest.mark.parametrize("kill_at", [(0, 1), (1, 0), (2, 1)])
def test_a_killed_run_ends_with_the_same_bytes(tmp_path: Path, kill_at: tuple[int, int]) -> None:
    rounds: list[Round] = []
    whole = ObjectStore(str(tmp_path / "whole"))
    name = run_in(whole, rounds)
    broken = ObjectStore(str(tmp_path / "broken"))
    with pytest.raises(Killed):
        run_in(broken, [], kill_at)
    assert run_in(broken, []) == name
    assert get_artefact(broken, name) == get_artefact(whole, name)
    assert read_state(broken, RUN).state == read_state(whole, RUN).state
    assert [each.number for each in rounds] == [1, 2, 3]
    assert set(rounds[0].measures) >= {"fitness", "ranking", "hands_won", "mean_money", "roi", "vpip", "pfr", "afq"}


def test_the_artefact_is_the_best_player_with_its_card(tmp_path: Path) -> None:
    store = ObjectStore(str(tmp_path))
    name = run_in(store, [])
    net = read_net(get_artefact(store, name))
    state = read_state_bytes(read_state(store, RUN).state)
    assert (net.genome == state.generation.group[0]).all()
    assert len(state.records) == state.generation.number == 3
    (answer,) = list_artefacts(store)
    assert answer.kind == "evolution"
    assert '"generations": "3"' in answer.card


def test_a_run_may_start_from_the_net_of_another(tmp_path: Path) -> None:
    store = ObjectStore(str(tmp_path))
    name = run_in(store, [])
    data = get_artefact(store, name)
    plan = replace(SMALL, start=name, first_deviation=0.0)
    state = read_state_bytes(KIND.begin(plan, print, lambda wanted: get_artefact(store, wanted)))
    assert (state.generation.group == read_net(data).genome).all()
    with pytest.raises(InvalidInput, match=r"settings\.start: is a net of 16-2-3, not of 16-3-3"):
        KIND.begin(replace(plan, hidden=3), print, lambda _: data)


def test_every_number_is_a_setting_with_the_published_default() -> None:
    defaults = EvolutionPlan().recipe()
    assert (defaults.generation_count, defaults.tournament_count, defaults.elite_count) == (1000, 200, 5)
    assert (defaults.mutation_rate, defaults.mutation_deviation) == (0.1, 0.6)
    assert defaults.parent_weights == (4, 25, 6, 1, 1, 1, 1)
    weights = defaults.weights
    assert (weights.ranking, weights.hands_won, weights.mean_money) == (0.8, 0.02, 0.18)
    with_hall = EvolutionPlan(hall=13, models=True, hidden=22).recipe()
    assert (with_hall.group_size, with_hall.shape.input_count) == (32, 40)
    deep = EvolutionPlan(chips=5000, level_hands=25).recipe().structure
    assert (deep.starting_chips, deep.level_hands) == (5000, 25)
    assert (defaults.structure.starting_chips, defaults.structure.level_hands) == (1500, 10)
    assert read_settings(EvolutionPlan, write_settings(SMALL)) == SMALL
    assert all(each.help.endswith(".") for each in settings_of(EvolutionPlan))


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"hall": "44"}, "settings.hall: leaves 1 players to evolve"),
        ({"parents": "many"}, "settings.parents:"),
        ({"ranking": "0.9"}, "add up to 1"),
        ({"entrants": "1"}, "entrants: must be between 2"),
        ({"small_below": "0.9"}, "settings.small_below:"),
        ({"structure": "mtt-46"}, "must be one of"),
        ({"chips": "-1"}, "settings.chips: must be between 0"),
        ({"speed": "1"}, "unknown setting"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_in_one_line(texts: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_settings(EvolutionPlan, texts)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_trainer_knows_the_kind() -> None:
    assert find_kind("evolution") is KIND
    assert "evolution" in [kind.name for kind in list_kinds()]
