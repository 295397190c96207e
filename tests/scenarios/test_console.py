"""The riverboat command as people and programs run it."""

import csv
import json
import os
import pty
import select
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from tests.launching.launch import run_module, start_module
from tests.processes import ServiceProcess, environ_of, free_port

RIVERBOAT = "riverboat.clients.console.app"
ENDLESS_SHEET = ("cheatsheet", "-n", "9", "--rollouts", "50000000")  # started without a server, it starts an oracle


def riverboat(*words: str, server: ServiceProcess | None = None, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a pipe, against a running oracle or a private one."""
    environment = {**os.environ, **more}
    if server:
        environment["RIVERBOAT_ORACLE_SERVER"] = server.address
    return run_module(RIVERBOAT, *words, env=environment)


def in_terminal(*words: str, server: str, interrupt_at: bytes = b"") -> str:
    """Return a command's output on a terminal of 80 columns; interrupt the command once it has shown `interrupt_at`."""
    main, side = pty.openpty()
    environment = {**os.environ, "RIVERBOAT_ORACLE_SERVER": server, "COLUMNS": "80", "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    process = start_module(RIVERBOAT, *words, env=environment, stdin=side, stdout=side, stderr=side)
    os.close(side)
    seen = b""
    while True:
        readable, _, _ = select.select([main], [], [], 0.1)
        try:
            chunk = os.read(main, 65536) if readable else b""
        except OSError:
            break
        seen += chunk
        if interrupt_at and interrupt_at in seen:
            process.send_signal(signal.SIGINT)
            interrupt_at = b""
        if not readable and process.poll() is not None:
            break
    process.wait(timeout=60)
    os.close(main)
    return seen.decode()


def test_equity_of_a_holding_against_a_range(oracle_process: ServiceProcess) -> None:
    completed = riverboat("equity", "AhKh", "--vs", "QQ+,AKs", "--board", "Td9d2c", server=oracle_process)
    assert completed.returncode == 0, completed.stderr
    assert "20.83 %" in completed.stdout
    assert "exact: all 14,850 deals" in completed.stdout
    assert "\x1b" not in completed.stdout, "no colour in a pipe"
    assert completed.stderr == ""


def test_without_a_server_it_starts_its_own_and_leaves_nothing(tmp_path: Path) -> None:
    completed = riverboat("classify", "KhKdKs4c4d2c7h", TMPDIR=str(tmp_path), RIVERBOAT_ORACLE_SERVER="")
    assert completed.returncode == 0, completed.stderr
    assert "full house, kings over fours" in completed.stdout
    assert list(tmp_path.iterdir()) == []


def test_server_option_wins(oracle_process: ServiceProcess) -> None:
    completed = riverboat("deal", "--server", oracle_process.address, RIVERBOAT_ORACLE_SERVER="127.0.0.1:1")
    assert completed.returncode == 0, completed.stderr


def test_json_is_json(oracle_process: ServiceProcess) -> None:
    completed = riverboat("equity", "AsAh", "--vs", "KsKh", "--json", server=oracle_process)
    answer = json.loads(completed.stdout)
    assert answer["equity"] == 0.826366112559452
    assert answer["exact"] is True
    assert answer["win"] + answer["tie"] + answer["lose"] == pytest.approx(1)
    rolled = json.loads(
        riverboat(
            "equity", "AsAh", "-n", "3", "--rollouts", "5000", "--seed", "9", "--json", server=oracle_process
        ).stdout
    )
    assert rolled["seed"] == 9
    assert rolled["deal_count"] == 5000
    assert 0 < rolled["error"] < 0.02
    dealt = json.loads(riverboat("deal", "--players", "3", "--seed", "7", "--json", server=oracle_process).stdout)
    assert len(dealt["holdings"]) == 3
    assert len(dealt["board"]) == 10
    hands = json.loads(riverboat("classify", "AhKhQhJhTh", "--json", server=oracle_process).stdout)
    assert hands[0]["category"] == "royal_flush"
    winners = json.loads(riverboat("showdown", "Td9d2c5h3s", "AhKh", "Ts9s", "--json", server=oracle_process).stdout)
    assert winners["winners"] == ["Ts9s"]
    decks = json.loads(riverboat("decks", "--json", server=oracle_process).stdout)
    assert [deck["holdings"] for deck in decks] == [1326, 630, 276, 6, 3]


def test_features_as_a_picture_and_as_json(oracle_process: ServiceProcess) -> None:
    words = ("features", "Ac3h", "--board", "Kh3sJc", "--bets", "100,300")
    shown = riverboat(*words, server=oracle_process).stdout
    assert "equity now  61.38 %" in shown
    assert "on the worst three tenths of rivers at most 47.4 %, on the best fifth at least 79.7 %" in shown
    assert "opponent's bets  preflop 100, flop 300, turn 0, river 0" in shown
    answer = json.loads(riverboat(*words, "--json", server=oracle_process).stdout)
    assert answer["street"] == "flop"
    assert [len(answer["deciles"][street]) for street in ("turn", "river")] == [10, 10]
    assert len(answer["features"]) == 25
    assert answer["features"][-4:] == answer["bets"] == [100, 300, 0, 0]
    kings = json.loads(riverboat("features", "KsKh", "--json", server=oracle_process).stdout)
    assert round(kings["equity"], 4) == 0.8240
    assert (len(kings["features"]), kings["bets"]) == (31, None)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["equity", "AhKx"], "HOLDING: 'AhKx' is not a holding or an item of a range"),
        (["equity", "AA", "--vs", "QQ++"], "--vs 1: 'QQ++' is not a holding or an item of a range"),
        (["equity", "AA", "--board", "AhKh"], "--board: a board of the 52 deck has 0, 3, 4 or 5 cards, not 2"),
        (["equity", "AA", "--deck", "tarot"], "--deck: no deck is called 'tarot'"),
        (["equity", "AA", "-n", "5", "--exact"], "deals are too many to enumerate"),
        (["equity", "AA", "--exact", "--rollouts", "5"], "--exact does not go with"),
        (["equity", "AA", "--rollouts", "-5"], "--rollouts"),
        (["equity", "AA", "--error", "2"], "--error: must be above 0 and below 1"),
        (["equity"], "HOLDING"),
        (["equity", "AA", "-n", "0"], "--opponents"),
        (["features"], "HOLDING"),
        (["features", "AcAx"], "HOLDING: 'Ax' is not a card"),
        (["features", "Ac"], "HOLDING: a holding of the 52 deck has 2 cards, not 1"),
        (["features", "Ac3h", "--board", "KhAcJc"], "HOLDING: Ac appears twice"),
        (["features", "Ac3h", "--board", "KhJc"], "--board: a board of the 52 deck has 0, 3, 4 or 5 cards, not 2"),
        (["features", "Ac3h", "--board", "KhJ"], "--board: 'KhJ' is not a list of cards"),
        (["features", "Ac3h", "--deck", "24"], "HOLDING: 3h is not in the 24 deck"),
        (["features", "Ks", "--deck", "leduc"], "--deck: features need a deck with two private cards"),
        (["features", "Ac3h", "--deck", "tarot"], "--deck: no deck is called 'tarot'"),
        (["features", "Ac3h", "--bets", "100,x"], "--bets: '100,x' is not a list of chips"),
        (
            ["features", "Ac3h", "--bets", "100,300"],
            "--bets: must be one number, the chips on each street up to the preflop, not 2",
        ),
        (["classify", "AhKh"], "HAND 1: a hand has 5, 6 or 7 cards, not 2"),
        (["showdown", "Td9d", "AhKh"], "BOARD: a showdown needs a board of 3, 4 or 5 cards, not 2"),
        (["showdown", "Td9d2c", "AhKh", "AhQh"], "HOLDING 2: Ah appears twice"),
        (["deal", "--deck", ""], "--deck: no deck is called ''"),
        (["deal", "--players", "30"], "--players: 30 holdings and 5 board cards need 65 cards"),
        (["utility", "--board", "AhKh"], "--board: a board of the 52 deck"),
        (["utility", "--board", "Td9d2c", "--save", "matrix.txt"], "--save: matrix.txt must end in .npy or .csv"),
        (["utility", "--board", "Td9d2c", "--holding", "AhAh"], "--holding: Ah appears twice"),
        (
            ["utility", "--board", "Td9d2c", "--holding", "TdAh"],
            "--holding: TdAh has a card that is already on the board",
        ),
        (["utility", "--board", "Td9d2c", "--stud", "AhKhQhJh", "2c2d7s8s"], "--stud does not go with --board"),
        (["utility", "--stud", "AhKhQhJh", "2c2d7s8s", "--holding", "AhKd"], "--holding: in five-card stud one card"),
        (["utility", "--deck", "36", "--stud", "AhKhQhJh", "6c6d7s8s", "--holding", "2c"], "--holding: 2c is not in"),
        (["utility", "--stud", "AhKhQhJx", "2c2d7s8s"], "--stud MINE: 'Jx' is not a card"),
        (["utility", "--board", "Td9d2c", "--holding", ""], None),
        (["cheatsheet", "--opponents", "8-1"], "--opponents: '8-1' must be numbers between 1 and 9"),
        (["cheatsheet", "--opponents", "x"], "--opponents: 'x' is not a list of numbers"),
        (["sovle"], "no command is called 'sovle'; did you mean solve?"),
        (["cheatsheet", "--picture", "sheet.bmp"], "--picture: sheet.bmp must end in .png, .svg or .pdf"),
        (["cheatsheet", "--csv", "/no/such/folder/sheet.csv"], "--csv: there is no folder /no/such/folder"),
        (["cheatsheet", "--deck", "kuhn"], "--deck: cheat sheets are for decks with two private cards"),
        (["nonsense"], "nonsense"),
        (["equity", "AA", "--nonsense"], "--nonsense"),
    ],
)
def test_errors_are_one_line_and_exit_code_2(
    oracle_process: ServiceProcess, words: list[str], reason: str | None
) -> None:
    completed = riverboat(*words, server=oracle_process)
    if reason is None:
        assert completed.returncode == 0
        return
    assert completed.returncode == 2
    assert completed.stdout == ""
    assert len(completed.stderr.splitlines()) == 1, completed.stderr
    assert completed.stderr.startswith("riverboat: ")
    assert reason in completed.stderr


def test_nobody_at_the_server() -> None:
    address = f"127.0.0.1:{free_port()}"
    completed = riverboat("deal", "--server", address)
    assert completed.returncode == 2
    assert completed.stderr.startswith(f"riverboat: no oracle answers at {address}; without --server")
    assert len(completed.stderr.splitlines()) == 1


def test_utility_saves_what_it_shows(oracle_process: ServiceProcess, tmp_path: Path) -> None:
    binary, text = tmp_path / "m.npy", tmp_path / "m.csv"
    completed = riverboat("utility", "--board", "Td9dAc", "--deck", "24", "--save", str(binary), server=oracle_process)
    assert f"written to {binary}" in completed.stdout.replace("\n", "")
    matrix = np.load(binary)
    assert matrix.shape == (276, 276)
    riverboat("utility", "--board", "Td9dAc", "--deck", "24", "--save", str(text), server=oracle_process)
    rows = list(csv.reader(text.open()))
    assert len(rows) == 277
    assert float(rows[1][rows[0].index("KhKd")] or "nan") == pytest.approx(
        matrix[0, rows[0].index("KhKd") - 1], nan_ok=True
    )
    stud = riverboat("utility", "--stud", "AhKhQhJh", "2c2d7s8s", server=oracle_process)
    assert "52 × 52" in stud.stdout


def test_cheat_sheet_as_grid_csv_and_picture(oracle_process: ServiceProcess, tmp_path: Path) -> None:
    table, picture, drawing = tmp_path / "s.csv", tmp_path / "s.png", tmp_path / "s.svg"
    words = [
        "cheatsheet",
        "--opponents",
        "1,2",
        "--deck",
        "24",
        "--board",
        "9cTdAh",
        "--rollouts",
        "2000",
        "--seed",
        "1",
    ]
    completed = riverboat(*words, "--csv", str(table), "--picture", str(picture), server=oracle_process)
    assert completed.returncode == 0, completed.stderr
    assert "against 2 opponents on 9cTdAh" in completed.stdout
    assert "2,000 rollouts per hand, standard error at most" in completed.stdout
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == 72
    assert {row["exact"] for row in rows if row["opponents"] == "1"} == {"True"}
    assert picture.read_bytes().startswith(b"\x89PNG")
    riverboat(*words, "--picture", str(drawing), server=oracle_process)
    assert drawing.read_text().startswith("<?xml")
    answer = json.loads(riverboat(*words, "--json", server=oracle_process).stdout)
    assert answer["seed"] == 1
    assert {row["seed"] for row in rows} == {"", "1"}
    assert [cell["equity"] for cell in answer["cells"]] == [float(row["equity"]) for row in rows]


def test_a_terminal_gets_colour_and_progress(oracle_process: ServiceProcess) -> None:
    seen = in_terminal("equity", "AsAh", "-n", "9", "--rollouts", "30000000", server=oracle_process.address)
    assert "\x1b[" in seen
    assert "━" in seen, "a progress bar"
    assert "30,000,000 rollouts" in seen
    grid = in_terminal("cheatsheet", "--opponents", "1", "--board", "Td9d2c", server=oracle_process.address)
    assert "48;5;" in grid, "coloured backgrounds"


def test_grids_fit_80_columns(oracle_process: ServiceProcess) -> None:
    for words in (["cheatsheet", "--opponents", "2", "--rollouts", "100"], ["utility", "--board", "Td9d2c5h"]):
        completed = riverboat(*words, server=oracle_process)
        assert completed.returncode == 0, completed.stderr
        assert max(len(line) for line in completed.stdout.splitlines()[1:15]) <= 80


def test_interrupted_it_stops_and_takes_its_oracle_with_it(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "RIVERBOAT_ORACLE_SERVER": ""}
    pipe = subprocess.PIPE
    process = start_module(RIVERBOAT, *ENDLESS_SHEET, env=environment, stdout=pipe, stderr=pipe, fresh=True)
    give_up = time.monotonic() + 240
    try:
        while not any('"ready"' in log.read_text() for log in tmp_path.glob("*/oracle.log")):
            assert time.monotonic() < give_up
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert stderr.decode() == "riverboat: stopped\n"
    assert list(tmp_path.iterdir()) == []


def test_a_question_answered_in_the_command_itself_can_be_interrupted() -> None:
    words = ("equity", "AA", "-n", "9", "--rollouts", "10000000000")
    assert in_terminal(*words, server="", interrupt_at="━".encode()).endswith("riverboat: stopped\r\n")


def test_help_teaches() -> None:
    for words in (["--help"], ["equity", "--help"], ["cheatsheet", "-h"]):
        completed = riverboat(*words)
        assert completed.returncode == 0
        assert "Usage: " in completed.stdout
    assert "riverboat equity AhKh --vs QQ+,AKs --board Td9d2c" in riverboat("equity", "--help").stdout


def test_without_a_command_it_says_what_to_try_first() -> None:
    completed = riverboat()
    assert completed.returncode == 0
    assert "riverboat demo" in completed.stdout
    assert len(completed.stdout.splitlines()) <= 24


def test_version() -> None:
    completed = riverboat("--version")
    assert completed.returncode == 0
    assert completed.stdout.startswith("riverboat 0.")


def test_a_hand_may_be_written_as_single_cards(oracle_process: ServiceProcess) -> None:
    completed = riverboat("classify", "10♥", "Jh", "Qh", "Kh", "Ah", server=oracle_process)
    assert "royal flush" in completed.stdout


def test_small_decks_are_dealt_their_own_board(oracle_process: ServiceProcess) -> None:
    dealt = json.loads(riverboat("deal", "--deck", "leduc", "--json", server=oracle_process).stdout)
    assert len(dealt["board"]) == 2


def test_where_output_cannot_go_is_said(oracle_process: ServiceProcess) -> None:
    environment = {**os.environ, "RIVERBOAT_ORACLE_SERVER": oracle_process.address}
    with Path("/dev/full").open("w") as full:
        process = start_module(RIVERBOAT, "decks", env=environment, stdout=full, stderr=subprocess.PIPE)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err.decode().splitlines() == ["riverboat: [Errno 28] No space left on device"]


def test_output_in_ascii(oracle_process: ServiceProcess) -> None:
    completed = riverboat("equity", "AsAh", server=oracle_process, PYTHONIOENCODING="ascii")
    assert completed.returncode == 0, completed.stderr
    assert "85.20 %" in completed.stdout


@pytest.mark.parametrize(
    "number",
    [*(pytest.param(number, marks=pytest.mark.slow) for number in (signal.SIGTERM, signal.SIGHUP)), signal.SIGKILL],
)
def test_killed_it_takes_its_oracle_with_it(tmp_path: Path, number: signal.Signals) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "RIVERBOAT_ORACLE_SERVER": ""}
    pipe = subprocess.PIPE
    process = start_module(RIVERBOAT, *ENDLESS_SHEET, env=environment, stdout=pipe, stderr=pipe, fresh=True)
    give_up = time.monotonic() + 240
    try:
        while not list(tmp_path.glob("*/o.sock")):
            assert time.monotonic() < give_up
            time.sleep(0.1)
        process.send_signal(number)
        process.wait(timeout=30)
    finally:
        process.kill()
    while any(str(tmp_path) in environ_of(pid) for pid in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < give_up, "its oracle still runs"
        time.sleep(0.1)


@pytest.mark.parametrize("words", [["deal", "--players", "2147483648"], ["equity", "AA", "--rollouts", "9" * 20]])
def test_huge_numbers_are_refused_in_a_line(oracle_process: ServiceProcess, words: list[str]) -> None:
    completed = riverboat(*words, server=oracle_process)
    assert completed.returncode == 2
    assert len(completed.stderr.splitlines()) == 1
