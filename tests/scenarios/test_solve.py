"""riverboat solve as people and programs run it."""

import json
from pathlib import Path
from typing import Any

import pytest

from riverboat.clients.console.commands import solve as solve_command
from riverboat.clients.remote.refusals import EXIT_REFUSED
from tests.commands import run_command
from tests.processes import ServiceProcess
from tests.unit.solving.games import GOLDEN

SPOT = ["--board", "TsTh9sKdAc", "--deck", "24", "--pot", "60", "--stack", "120", "--sizes", "50%,a"]


@pytest.fixture
def server(resolver_process: ServiceProcess) -> str:
    return resolver_process.address


def solve(server: str, *words: str | Path) -> tuple[int, str]:
    return run_command([solve_command], "solve", "--server", server, *words)


def as_json(server: str, *words: str | Path) -> dict[str, Any]:
    code, text = solve(server, *words, "--json")
    assert code == 0, text
    answer: dict[str, Any] = json.loads(text)
    return answer


@pytest.mark.parametrize("name", ["river_srp", "river_uniform"])
def test_a_golden_spot_from_its_file_is_solved_to_the_reference(server: str, name: str) -> None:
    """Root EVs and every holding's EV match another program's solution."""
    answer = as_json(server, "--spot", GOLDEN / f"{name}.json", "--target", "0.01%")
    reference = json.loads((GOLDEN / f"{name}.json").read_text())["reference"]
    pot = sum(answer["root_ev"].values())
    assert answer["exploitability_percent"] <= 0.01
    assert list(answer["root_ev"].values()) == pytest.approx(reference["root_ev_chips"], abs=0.0005 * pot)
    assert answer["iterations"] > 0
    assert answer["seconds_total"] >= answer["seconds_solving"] > 0
    assert answer["tree"]["boards"] == 1
    assert answer["memory_bytes"] > 0
    for holding, chances in answer["strategy"].items():
        assert sum(chances) == pytest.approx(1, abs=1e-4), holding
    for rows in answer["holdings"].values():
        assert all(0 <= row["equity"] <= 1 for row in rows if row["equity"] is not None)


def test_grids_for_people(server: str) -> None:
    code, text = solve(server, *SPOT, "--target", "1%")
    assert code == 0, text
    assert "% of the pot" in text
    assert "b  bets 30" in text
    assert "a  bets 120 (all-in)" in text
    assert "EV of each class, in chips" in text
    code, text = solve(server, *SPOT, "--target", "1%", "--path", "x b30", "--class", "AKs")
    assert "c  calls 30" in text
    assert "weight" in text
    code, text = solve(server, *SPOT, "--target", "1%", "--class", "nothing")
    assert code == EXIT_REFUSED
    assert "--class: 'nothing' names no class or holding" in text
    code, text = solve(server, *SPOT, "--target", "1%", "--path", "x x")
    assert "the line ends here" in text


def test_several_boards_are_one_report_that_goes_on(server: str, tmp_path: Path) -> None:
    words = ("--deck", "24", "--sizes", "a", "--target", "1%", "--report", tmp_path / "r.jsonl")
    code, text = solve(server, *words, "--board", "TsTh9sKdAc,AsKsQdJd9h")
    assert code == 0, text
    rows = [line.split() for line in text.splitlines()]
    assert rows[-4][:5] == ["board", "EV", "oop", "EV", "ip"]
    assert rows[-3][:5] == ["Ts", "Th", "9s", "Kd", "Ac"]
    assert rows[-1][0] == "mean"
    code, text = solve(server, *words, "--board", "TsTh9sKdAc,AsKsQdJd9h,9c9dTcJcQh", "--json")
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 3, "only what was missing was solved"
    assert "(3 of 3)" in text


def test_any_node_for_programs(server: str) -> None:
    root = as_json(server, *SPOT, "--target", "1%")
    assert (root["path"], root["player"], root["pot"], root["board"]) == ("", "oop", 60, "TsTh9sKdAc")
    assert root["steps"] == ["x", "b30", "b120"]
    answer = as_json(server, *SPOT, "--target", "1%", "--path", "x b30")
    assert (answer["path"], answer["player"], answer["pot"]) == ("x b30", "oop", 90)
    assert answer["steps"] == ["f", "c", "r90", "r120"]
    assert answer["stacks"] == {"oop": 120, "ip": 90}
    ended = as_json(server, *SPOT, "--target", "1%", "--path", "x x")
    assert (ended["player"], ended["strategy"], ended["actions"]) == (None, {}, [])


def test_what_is_saved_is_loaded_and_goes_on(server: str, tmp_path: Path) -> None:
    kept = tmp_path / "mine.solution"
    first = as_json(server, *SPOT, "--target", "3%", "--save", kept)
    again = as_json(server, "--load", kept)
    assert again["strategy"] == first["strategy"]
    assert again["root_ev"] == pytest.approx(first["root_ev"])
    better = as_json(server, "--load", kept, "--target", "0.05%")
    assert better["exploitability_percent"] <= 0.05 < first["exploitability_percent"]
    assert better["iterations"] > first["iterations"]
    kept.write_bytes(kept.read_bytes()[:-7])
    code, text = solve(server, "--load", kept)
    assert (code, "damaged" in text) == (EXIT_REFUSED, True)


def test_a_locked_node_does_what_it_was_told_and_the_other_adapts(server: str) -> None:
    free = as_json(server, *SPOT, "--target", "0.1%")
    locked = as_json(server, *SPOT, "--target", "0.1%", "--lock", "b30: f=100")
    assert locked["root_ev"]["oop"] > free["root_ev"]["oop"]  # a player who always folds gets bet at
    bets = [chances[1] for chances in locked["strategy"].values()]
    assert sum(bets) / len(bets) > 0.9
    some = as_json(server, *SPOT, "--target", "0.5%", "--lock", "root: AA,KK: b30=100", "--lock", "root: x=50 a=50")
    assert some["strategy"]["AhAd"] == pytest.approx([0, 1, 0], abs=1e-4)
    assert some["strategy"]["QhJd"] == pytest.approx([0.5, 0, 0.5], abs=1e-4)


def test_the_page_is_written_whole(server: str, tmp_path: Path) -> None:
    page = tmp_path / "mine.html"
    code, text = solve(server, *SPOT, "--target", "1%", "--html", page)
    assert code == 0, text
    assert f"written to {page}" in text.replace("\n", "")
    html = page.read_text()
    assert html.count("<html") == html.count("</html>") == 1
    assert "TsTh9sKdAc, pot 60, stacks 120" in html
    assert "http" not in html.split("<body", 1)[0].replace("http-equiv", "")


def test_a_flop_can_be_cut(server: str) -> None:
    answer = as_json(
        server, "--board", "TsTh9s", "--deck", "24", "--pot", "60", "--stack", "120", "--sizes", "100%", "--cut", "turn"
    )
    assert answer["tree"]["boards"] == 1
    assert answer["below_cut"] == "equity"
    assert answer["exploitability_percent"] <= 0.3
    assert answer["exploitability_scope"] == "above_cut"
    assert "whole game" in answer["exploitability_note"]


@pytest.mark.parametrize(
    ("more", "name"), [((), "exploitability:"), (("--cut", "turn"), "exploitability above the cut:")]
)
def test_the_number_is_called_what_it_is(server: str, tmp_path: Path, more: tuple[str, ...], name: str) -> None:
    """On the terminal, on the page, and in a loaded solution."""
    board = "TsTh9s" if more else "TsTh9sKdAc"
    spot = ["--board", board, "--deck", "24", "--pot", "60", "--stack", "120", "--sizes", "100%", *more]
    page, kept = tmp_path / "mine.html", tmp_path / "mine.solution"
    code, text = solve(server, *spot, "--target", "1%", "--html", page, "--save", kept, "--html-nodes", "3")
    assert code == 0, text
    again = solve(server, "--load", kept)[1]
    for said in (text, again):
        assert any(line.startswith(name) for line in said.splitlines()), said
    assert f'"{name.rstrip(":")}"' in page.read_text()


def test_a_turn_can_be_cut_with_a_network_below(server: str) -> None:
    spot = ["--deck", "24", "--pot", "60", "--stack", "120", "--sizes", "100%", "--below", "network"]
    turn = [*spot, "--board", "TsTh9sKd", "--cut", "river", "--iterations", "40"]
    name = as_json(server, *turn)["below_cut"]
    assert name.startswith("24-river-")
    assert as_json(server, *turn, "--below", name)["below_cut"] == name
    code, text = solve(server, *turn, "--below", "24-river-00000000")
    assert code == EXIT_REFUSED
    assert "--below: no network is called '24-river-00000000'; known networks:" in text
    code, text = solve(server, *turn)
    assert code == 0
    assert "below the cut: 24-river-" in text
    code, text = solve(server, *spot, "--board", "TsTh9s", "--cut", "river")
    assert code == EXIT_REFUSED
    assert "--below: no network fits" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--board", "TsTh9s9"], "--board"),
        (["--board", "TsTh9sKd", "--cut", "turn"], "--cut: the turn is already dealt"),
        (["--board", "TsTs9s"], "--board"),
        (["--board", "Ts"], "--board: must have 3, 4 or 5 cards"),
        (["--board", "TsTh9sKdAc", "--pot", "61"], "--pot: must be an even number"),
        (["--board", "TsTh9sKdAc", "--oop", "ZZ"], "--oop"),
        (["--board", "TsTh9sKdAc", "--ip", "TsTh"], "nothing in this range is possible on this board"),
        (["--board", "TsTh9sKdAc", "--sizes", "huge"], "--sizes"),
        (["--board", "TsTh9sKdAc", "--sizes", "50%/50%/50%/50%"], "sizes begin with the street of the board"),
        (["--board", "TsTh9sKdAc", "--stack", "9,9,9"], "--stack"),
        (["--board", "TsTh9sKdAc", "--report", "r.jsonl"], "--report: is for several boards"),
        (["--pot", "60"], "--pot: only with a --board"),
        (["--open", "/nowhere.solution"], "--open: /nowhere.solution: No such file"),
        (["--board", "TsTh9sKdAc", "--target", "-3%"], "--target"),
        (["--board", "TsTh9sKdAc", "--path", "b7"], "is not in the tree here; these are: x checks"),
        (["--board", "TsTh9sKdAc", "--lock", "x: f=10"], "--lock"),
        (["--board", "TsTh9sKdAc", "--lock", "root: x=10 b50=20"], "add up to 30, not to 100"),
        (["--board", "TsTh9sKdAc", "--lock", "root: AA: x=100"], "other holdings"),
        (["--board", "TsTh9sKdAc", "--html", "/nowhere/at/all.html"], "--html"),
        (["--board", "TsTh9sKdAc", "--save", "mine.txt"], "must end in .solution"),
        (["--spot", "/nowhere.json"], "--spot: /nowhere.json: No such file"),
        (["--load", "/nowhere.solution"], "--load: /nowhere.solution: No such file"),
        (["--load", "x.solution", "--pot", "100"], "--pot: only for a new spot"),
        (["--load", Path(__file__)], "this is not a saved solution"),
        (["--spot", GOLDEN / "river_srp.json", "--pot", "400"], "--pot: the file in --spot has it"),
        (["--board", "3s", "--deck", "leduc"], "--deck: leduc has no boards"),
        (["--board", "TsTh9sKd", "--iterations", "0"], ""),
    ],
)
def test_wrong_input_is_one_line(server: str, words: list[str | Path], said: str) -> None:
    code, text = solve(server, *words)
    assert code == EXIT_REFUSED
    assert said in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "must be an object"),
        ('{"board": "TsTh9sKdAc"}', "'pot' is missing"),
        ('{"board": "TsTh9sKdAc", "pot": 1.5}', "'pot' must be a whole number"),
        ('{"board": "x", "pot": 2, "effective_stack": 2, "range_oop": "", "range_ip": "", "streets": 3}', "'streets'"),
    ],
)
def test_files_that_are_no_spots(server: str, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "spot.json"
    path.write_text(text)
    code, printed = solve(server, "--spot", path)
    assert code == EXIT_REFUSED
    assert said in printed
