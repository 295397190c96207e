"""riverboat tournament: who enters, one line for bad input, and simulations in this process."""

import json

import pytest

from riverboat.clients.console.commands import tournament
from tests.commands import run_command

FIELD = "always-fold*3,always-call*2,always-raise*2,random*2"


def test_a_name_with_a_number_enters_as_often() -> None:
    assert tournament._entries("rollout*3, random,rollout") == (("rollout", 4), ("random", 1))
    assert tournament._entries("hybrid:0.5*2") == (("hybrid:0.5", 2),)
    assert tournament._entries("") == ()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "--agents: a tournament needs at least two entrants"),
        (["--agents", "rollout"], "at least two entrants"),
        (["--agents", "rollout", "--play", "--watch"], "--watch: not with --play"),
        (
            ["--agents", "rollout*0"],
            "'rollout*0' is not an entry; write a name, like rollout, or always-fold*11 for eleven entries",
        ),
        (["--agents", "rollout*x"], "is not an entry"),
        (["--agents", "*3"], "is not an entry"),
        (["--agents", "rollout*2", "--structure", "none"], "no tournament structure is called 'none'"),
        (["--agents", "rollout*9999,random*9999"], "--structure: entrant_count"),
        (["--agents", "rollout*2", "--chips", "999999999999"], "--chips: must be at most 2,000 big blinds"),
        (["--agents", "rollout*2", "--level-hands", "5", "--level-minutes", "3"], "--level-minutes: not with"),
        (["--agents", "random*2", "--simulate", "5", "--level-minutes", "3"], "not for simulated tournaments"),
        (["--id", "t1", "--chips", "500"], "only for a new tournament"),
    ],
)
def test_bad_input_is_one_line(words: list[str], line: str) -> None:
    code, text = run_command([tournament], "tournament", *words)
    assert code == 2
    assert line in text
    assert len(text.strip().splitlines()) == 1


def test_the_structure_depends_on_the_number_of_entrants() -> None:
    assert tournament._structure(None, 9, {}).name == "sng-9"
    assert tournament._structure(None, 10, {}).name == "mtt-45"
    assert tournament._structure("mtt-45", 4, {}).payouts[0] == 310 + 90 + 60 + 35


def test_options_change_chips_and_levels() -> None:
    changed = tournament._structure("sng-9", 6, tournament._changes(5000, 25, None))
    assert (changed.starting_chips, changed.level_hands, changed.level_minutes) == (5000, 25, 0)
    timed = tournament._structure("sng-9", 6, tournament._changes(None, None, 3))
    assert (timed.starting_chips, timed.level_hands, timed.level_minutes) == (1500, 0, 3)


def test_scores_are_listed_by_return() -> None:
    code, printed = run_command(
        [tournament], "tournament", "--agents", FIELD, "--structure", "sng-9", "--simulate", "50", "--threads", "1"
    )
    assert code == 0, printed
    lines = printed.splitlines()
    assert lines[0].split() == ["agent", "entrants", "mean", "rank", "fitness", "ROI", "VPIP", "PFR", "AFq"]
    assert {line.split()[0] for line in lines[1:5]} == {"always-fold", "always-call", "always-raise", "random"}
    returns = [float(line.split(" %")[0].split()[-1]) for line in lines[1:5]]
    assert returns == sorted(returns, reverse=True)
    assert "50 tournaments (sng-9, 9 entrants)" in printed


def test_json_is_the_same_on_any_number_of_threads() -> None:
    words = ("tournament", "--agents", FIELD, "--structure", "sng-9", "--simulate", "60", "--seed", "4", "--json")
    one, two = (run_command([tournament], *words, "--threads", count) for count in ("1", "2"))
    assert one == two
    code, printed = one
    result = json.loads(printed)
    assert code == 0
    assert (result["entrants"], result["tournaments"], result["seed"]) == (9, 60, 4)
    agents = result["agents"]
    counts = {name: score["entrant_count"] for name, score in agents.items()}
    assert counts == {"always-fold": 3, "always-call": 2, "always-raise": 2, "random": 2}
    total = sum(score["roi"] * counts[name] for name, score in agents.items())
    assert total == pytest.approx(0), "prizes are the buy-ins"


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--agents", "rollout*3"], "--agents: 'rollout' cannot be simulated"),
        (["--agents", "random"], "--agents: a tournament needs at least two entrants"),
        (["--agents", "random*"], "is not an entry"),
        (["--agents", "evolved:nobody,random"], "no evolved net is called 'nobody'"),
        (["--agents", "random*9", "--structure", "mtt-46"], "no tournament structure is called 'mtt-46'"),
        (["--agents", "random*9", "--duplicate", "2"], "--duplicate: must divide"),
    ],
)
def test_a_wrong_simulation_is_refused(words: list[str], refusal: str) -> None:
    code, printed = run_command([tournament], "tournament", *words, "--simulate", "10")
    assert code == 2
    assert refusal in printed


def test_options_without_effect_are_refused() -> None:
    code, printed = run_command([tournament], "tournament", "--agents", FIELD, "--simulate", "10", "--play")
    assert (code, "--play: not for simulated tournaments" in printed) == (2, True)
    code, printed = run_command([tournament], "tournament", "--agents", FIELD, "--seed", "3")
    assert (code, "--seed: only with --simulate" in printed) == (2, True)
