"""People at tables: in a pipe, in a terminal, and through a restart of the server."""

import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import grpc
import pytest

from riverboat.clients.bots.settings import host_key
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit
from tests.launching.launch import run_module, start_module
from tests.processes import ROOT, ServiceProcess, agent_host, environ_of, free_port, running

GOLDEN = ROOT / "tests" / "golden" / "console" / "terminal"
RIVERBOAT = "riverboat.clients.console.app"
WAIT_SECONDS = 60


def environment(server: str = "", **more: str) -> dict[str, str]:
    clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    return {**clean, "RIVERBOAT_GAMEMANAGER_SERVER": server, **more}


def riverboat(*words: str, stdin: str = "", server: str = "", **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a pipe."""
    return run_module(RIVERBOAT, *words, env=environment(server, **more), stdin=stdin)


class Caller:
    """A player in this process who calls everything, using the contract alone."""

    def __init__(self, server: str, table_id: str, name: str = "caller") -> None:
        self._channel = grpc.insecure_channel(server)
        self._stub = TablesStub(self._channel)
        request = pb.JoinTableRequest(table_id=table_id, name=name)
        self._token = self._stub.JoinTable(request, wait_for_ready=True).token
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._play()
                return
            except (grpc.RpcError, ValueError):
                time.sleep(0.1)

    def _play(self) -> None:
        while not self._stop.is_set():
            view = self._stub.GetView(pb.GetViewRequest(token=self._token), timeout=5).view
            if view.status == pb.TABLE_STATUS_CLOSED:
                return
            if view.is_your_turn:
                decision = pb.Decision(
                    request_id=uuid.uuid4().hex,
                    hand_number=view.hand_number,
                    action_number=view.action_number,
                    action=rules_pb.Action(call=rules_pb.Action.Call()),
                )
                self._stub.TakeAction(pb.TakeActionRequest(token=self._token, decision=decision), timeout=5)
            time.sleep(0.02)

    def close(self) -> None:
        self._stop.set()
        self._thread.join(10)
        self._channel.close()


@contextmanager
def caller_at_new_table(server: str, hand_limit: int = 0, pause_ms: int = 0, clock_ms: int = 60_000) -> Iterator[str]:
    """Yield a table for two with a caller in one chair."""
    config = pb.TableConfig(
        name="test", variant=encode_variant(no_limit(50, 100)), chair_count=2, buy_in=10_000, clock_ms=clock_ms,
        hand_limit=hand_limit, pause_ms=pause_ms,
    )  # fmt: skip
    with grpc.insecure_channel(server) as channel:
        table_id = TablesStub(channel).CreateTable(pb.CreateTableRequest(config=config)).table.table_id
    caller = Caller(server, table_id)
    try:
        yield table_id
    finally:
        caller.close()


def without_escapes(text: str) -> str:
    """Return a terminal's text without escape sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text.replace("\r", ""))


class Terminal:
    """A command in a terminal of 80 columns and 24 lines."""

    def __init__(self, *words: str, server: str = "", **more: str) -> None:
        self._main, side = pty.openpty()
        env = environment(server, COLUMNS="80", LINES="24", TERM="xterm-256color", **more)
        self.process = start_module(
            RIVERBOAT, *words, env=env, terminal=side
        )  # its own session, so that Ctrl-C is a signal
        os.close(side)
        self.seen = ""

    def read(self, seconds: float = 0.05) -> bool:
        """Read new output; return False when the command has ended."""
        readable, _, _ = select.select([self._main], [], [], seconds)
        if readable:
            try:
                self.seen += os.read(self._main, 65536).decode(errors="replace")
            except OSError:
                return False
        return True

    @property
    def frame(self) -> str:
        """Return the current screen without colours."""
        return without_escapes(self.seen.rpartition("\x1b[H")[2])

    def wait_for(self, *texts: str) -> str:
        """Wait until all these texts are on a complete screen; return it."""
        give_up = time.monotonic() + WAIT_SECONDS
        while not all(text in self.frame for text in texts):
            assert time.monotonic() < give_up, f"{texts} did not appear:\n{self.frame}"
            assert self.read() or all(text in self.frame for text in texts), self.seen
        settled = time.monotonic() + 1  # the latest moment: a progress bar never settles
        while select.select([self._main], [], [], 0.15)[0] and self.read() and time.monotonic() < settled:
            pass
        return self.frame

    def press(self, keys: str) -> None:
        time.sleep(0.4)  # like a person: the command ignores keys typed right after a change
        os.write(self._main, keys.encode())

    def finish(self) -> str:
        """Wait until the command ends; return the end of its output."""
        give_up = time.monotonic() + WAIT_SECONDS
        while self.read() and (self.process.poll() is None or self.read(0.2)):
            if self.process.poll() is not None and not select.select([self._main], [], [], 0.2)[0]:
                break
            assert time.monotonic() < give_up, self.frame
        self.returncode = self.process.wait(10)
        os.close(self._main)
        return without_escapes(self.seen.rpartition("\x1b[?1049l")[2])

    def close(self) -> None:
        """Kill the command if the test failed before its end."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Tmux:
    """The same in tmux, which interprets the screen."""

    def __init__(self, *words: str, server: str = "") -> None:
        self._folder = tempfile.mkdtemp()
        self._tmux = ["tmux", "-S", f"{self._folder}/socket", "-f", "/dev/null"]
        command = [sys.executable, "-m", RIVERBOAT, *words]
        shell = f"{shlex.join(command)}; echo exit code $?; sleep 600"
        new = [*self._tmux, "new-session", "-d", "-x", "80", "-y", "24", shell]
        subprocess.run(new, cwd=ROOT, env=environment(server), check=True, timeout=30)

    @property
    def frame(self) -> str:
        """Return the current screen."""
        words = [*self._tmux, "capture-pane", "-p"]
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=30).stdout

    def wait_for(self, *texts: str) -> str:
        """Wait until all these texts are on the screen; return it."""
        give_up = time.monotonic() + WAIT_SECONDS
        while not all(text in (frame := self.frame) for text in texts):
            assert time.monotonic() < give_up, f"{texts} did not appear:\n{frame}"
            time.sleep(0.05)
        time.sleep(0.2)
        return self.frame

    def press(self, keys: str) -> None:
        time.sleep(0.4)
        subprocess.run([*self._tmux, "send-keys", "-l", "--", keys], check=True, timeout=30)

    def finish(self) -> str:
        """Wait until the command ends; return the screen."""
        left, _, code = self.wait_for("exit code").partition("exit code")
        self.returncode = int(code.split()[0])
        return left

    def close(self) -> None:
        """Kill tmux and everything in it."""
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True, timeout=30)
        shutil.rmtree(self._folder)


def normal(frame: str) -> str:
    """Return a screen without cards, ids and seconds, which differ in every run."""
    frame = re.sub(r"table [0-9a-f]{12}", "table ############", frame)
    frame = re.sub(r"\((\d+ min )?\d+ s left\)", "(## s left)", frame)
    return re.sub(r"\b[2-9TJQKA](?:[cdhs]\b|[♣♦♥♠])", "##", frame).rstrip() + "\n"


def check_golden(name: str, frame: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(normal(frame))
        pytest.fail(f"{path} is new: look at it, then run this test again")
    assert normal(frame) == path.read_text()


def test_a_hand_in_a_pipe(gamemanager_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with caller_at_new_table(server) as table:
        words = ("play", "--table", table, "--name", "Anna", "--hands", "1")
        completed = riverboat(*words, stdin="c\nxyz\nf\nr300\nk\nhalf\nall-in\n", server=server)
    assert completed.returncode == 0, completed.stderr
    assert completed.stderr == ""
    assert "\x1b" not in completed.stdout
    lines = completed.stdout.splitlines()
    assert "* not understood: type f, c, r and an amount (100 … 9,900), or k for the keys" in lines
    assert "* there is nothing to call: c checks" in lines
    for words_of_hand in ("Anna bets 300", "caller calls 300", "Anna bets 400", "Anna bets 9,200 (all-in)"):
        assert f"  {words_of_hand}" in lines
    assert sum(line.startswith("> you hold ") for line in lines) == 4
    assert re.fullmatch(r"1 hand, [+-](10,000|0) chips, [+-][0-9.,]+ bb/100", lines[-1])


def test_when_input_ends_the_chair_is_left(gamemanager_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with caller_at_new_table(server) as table:
        completed = riverboat("play", "--table", table, "--name", "Anna", stdin="r300\n", server=server)
        assert completed.returncode == 0, completed.stderr
        assert completed.stdout.splitlines()[-1].startswith("1 hand, ")
        listed = json.loads(riverboat("tables", "--json", server=server).stdout)
        mine = next(info for info in listed if info["table_id"] == table)
        assert [chair["name"] for chair in mine["chairs"]] == ["caller"]


@pytest.mark.parametrize("kind", [Terminal, Tmux])
def test_a_hand_by_keys_in_a_terminal(gamemanager_process: ServiceProcess, kind: type[Terminal] | type[Tmux]) -> None:
    if kind is Tmux and not shutil.which("tmux"):
        pytest.skip("tmux is not installed")
    server = gamemanager_process.address
    with (
        caller_at_new_table(server, pause_ms=2000) as table,
        closing(kind("play", "--table", table, "--name", "Anna", server=server)) as terminal,
    ):
        check_golden("1_preflop", terminal.wait_for("your turn"))
        terminal.press("c")
        check_golden("2_flop", terminal.wait_for("flop     ["))
        terminal.press("f")
        terminal.wait_for("there is nothing to call: c checks")
        terminal.press("r")
        check_golden("3_amount", terminal.wait_for("bet (like 300"))
        terminal.press("30\x7f00")
        terminal.wait_for("Esc cancels): 300")
        terminal.press("\n")
        check_golden("4_turn", terminal.wait_for("turn     ["))
        terminal.press("k")
        terminal.wait_for("f fold, c check or call")
        terminal.press("q")
        check_golden("5_leaving", terminal.wait_for("you will leave after this hand", "you, leaving"))
        terminal.press("c")
        terminal.wait_for("river    [")
        terminal.press("c")
        end = terminal.finish()
    assert terminal.returncode == 0
    assert re.search(r"^result   (Anna|caller) wins (400|800) with ", end, re.MULTILINE), "the whole hand stays"
    assert re.fullmatch(r"1 hand, ([+-]400|\+0) chips, [+-][0-9.,]+ bb/100", end.rstrip().splitlines()[-1])
    if isinstance(terminal, Terminal):
        assert re.search(r"\x1b\[3[124]m", terminal.seen), "cards have colours"


def test_a_terminal_without_colour(gamemanager_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with (
        caller_at_new_table(server) as table,
        closing(Terminal("play", "--table", table, "--name", "Anna", server=server, NO_COLOR="1")) as terminal,
    ):
        terminal.wait_for("your turn")
        terminal.press("qq")
        end = terminal.finish()
    assert "bb/100" in end or "no hand was finished" in end
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", terminal.seen)


def test_interrupted_the_terminal_is_as_before_and_the_chair_free(gamemanager_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with (
        caller_at_new_table(server) as table,
        closing(Terminal("play", "--table", table, "--name", "Anna", server=server)) as terminal,
    ):
        terminal.wait_for("your turn")
        terminal.press("\x03")
        end = terminal.finish()
        assert "riverboat: stopped" in end
        assert terminal.returncode == 130
        listed = json.loads(riverboat("tables", "--json", server=server).stdout)
        mine = next(info for info in listed if info["table_id"] == table)
        assert all(chair["name"] != "Anna" or chair.get("is_leaving") for chair in mine["chairs"])


def test_who_has_no_chips_is_told_and_has_to_get_up(gamemanager_process: ServiceProcess) -> None:
    """All-in in every hand until one of the two players is bust."""
    server = gamemanager_process.address
    with caller_at_new_table(server, clock_ms=2000) as table:
        words = ("play", "--table", table, "--name", "Anna")
        completed = riverboat(*words, stdin="all-in\n" * 1000, server=server)
    assert completed.returncode == 0, completed.stderr
    told = [line for line in completed.stdout.splitlines() if line.startswith("* ")]
    lost = r"\* you have no chips left: b buys 10,000, q leaves; in [12] s you lose your chair"
    assert re.fullmatch(rf"{lost}|\* nobody else has chips left: q leaves", told[-1])


def play_one_hand(server: str, table: str) -> None:
    """Let Anna join, check a hand down and leave."""
    words = ("play", "--table", table, "--name", "Anna", "--hands", "1")
    assert riverboat(*words, stdin="c\n" * 9, server=server).returncode == 0


def test_a_spectator_in_a_pipe(gamemanager_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with caller_at_new_table(server, hand_limit=1) as table:
        watcher = start_module(RIVERBOAT, "watch", table, env=environment(server), stdout=subprocess.PIPE)
        assert watcher.stdout
        assert watcher.stdout.readline() == b"caller sits down with 10,000\n", (
            "it watches; it can miss nothing from now on"
        )
        play_one_hand(server, table)
        out, _ = watcher.communicate(timeout=WAIT_SECONDS)
    assert watcher.returncode == 0
    lines = out.decode().splitlines()
    assert lines[:2] == ["Anna sits down with 10,000", "hand 1: Anna 10,000, caller 10,000 (button)"]
    assert [line.split(":")[0] for line in lines if "pot" in line] == ["  flop", "  turn", "  river"]
    assert lines[-1] == "the table is closed"
    assert not [line for line in lines if " holds " in line]


def test_a_spectator_at_a_terminal(gamemanager_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with (
        caller_at_new_table(server, hand_limit=1) as table,
        closing(Terminal("watch", table, "--pace", "0.1", server=server)) as terminal,
    ):
        terminal.wait_for("waiting for players", "caller", "space pause   q leave")
        terminal.press(" ")
        terminal.wait_for("paused, 0 more to come: space resumes, n shows the next")
        play_one_hand(server, table)
        terminal.press("n")
        terminal.wait_for("Anna", "waiting for players")
        terminal.press("\x1b[C")
        terminal.wait_for("hand 1 ", "preflop  Anna posts 100, caller posts 50", "caller to act")
        terminal.press(" ")
        last = terminal.wait_for("the table is closed", "result  ")
        assert "paused" not in last
        assert "??" not in last, "both have shown their cards"
        terminal.press("q")
        end = terminal.finish()
    assert terminal.returncode == 0
    assert "result  " in end


def test_a_restart_in_the_middle_of_a_hand(tmp_path: Path) -> None:
    address, journal = f"127.0.0.1:{free_port()}", str(tmp_path / "journal.jsonl")
    with running("gamemanager", tmp_path, address=address, journal=journal) as process:
        process.wait_until_healthy()
        with (
            caller_at_new_table(address, pause_ms=2000) as table,
            closing(Terminal("play", "--table", table, "--name", "Anna", server=address)) as terminal,
        ):
            terminal.wait_for("your turn")
            terminal.press("c")
            before = terminal.wait_for("flop     [")
            process.process.kill()
            process.process.wait()
            terminal.wait_for("connection lost; trying again")
            terminal.press("r300\n")  # sent when the server is back
            with running("gamemanager", tmp_path, address=address, journal=journal) as again:
                again.wait_until_healthy()
                after = terminal.wait_for("turn     [")
                assert "Anna bets 300" in after
                assert before.splitlines()[3].split()[:4] == after.splitlines()[3].split()[:4], "the same cards"
                terminal.press("qq")
                terminal.finish()
    assert terminal.returncode == 0


def test_hint_asks_an_oracle(gamemanager_process: ServiceProcess, oracle_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with caller_at_new_table(server) as table:
        words = ("play", "--table", table, "--name", "Anna")
        more = {"RIVERBOAT_ORACLE_SERVER": oracle_process.address}
        completed = riverboat(*words, stdin="h\nc\nh\nc\n", server=server, **more)
    said = [line for line in completed.stdout.splitlines() if "of the pot against 1 opponent with random cards" in line]
    assert len(said) == 2, completed.stdout
    assert all(0 < float(line.split()[1]) < 100 for line in said)


def test_hands_are_saved_and_verified(gamemanager_process: ServiceProcess, tmp_path: Path) -> None:
    server, state = gamemanager_process.address, {"XDG_STATE_HOME": str(tmp_path / "state")}
    with caller_at_new_table(server) as table:
        words = ("play", "--table", table, "--name", "Anna", "--hands", "3")
        played = riverboat(*words, stdin="c\n" * 20, server=server, **state)
    assert played.stdout.count("  deal verified\n") == 3
    assert "deals: 3 verified" in played.stdout
    kept = tmp_path / "state" / "riverboat" / "witness" / f"{table}.jsonl"
    assert kept.stat().st_mode & 0o777 == 0o600
    file, listed = tmp_path / "hands.phhs", tmp_path / "hands.json"
    saved = riverboat("hands", table, "--phhs", str(file), server=server)
    assert saved.returncode == 0, saved.stderr
    assert "3 hands written to" in saved.stdout
    assert "+" in riverboat("hands", table, server=server).stdout
    listed.write_text(riverboat("hands", table, "--json", server=server).stdout)
    assert riverboat("replay", "--check", str(file)).stdout == "3 hands, 0 differences\n"
    good = riverboat("verify", str(file), str(listed), **state)
    assert (good.returncode, good.stdout) == (0, "6 hands, 0 problems; 6 compared with what you saw before the hand\n")
    there = riverboat("verify", "--table", table, server=server, **state)
    assert there.stdout == "3 hands, 0 problems; 3 compared with what you saw before the hand\n"
    alone = riverboat("verify", "--table", table, server=server)
    assert "0 compared with what you saw before the hand\n3 not proved: its commitment was not seen" in alone.stdout
    assert "the records agree with themselves, and no more is proved" in alone.stdout
    kept.write_text(re.sub(r'"commitment":"[0-9a-f]{64}"', f'"commitment":"{"0" * 64}"', kept.read_text()))
    swapped = riverboat("verify", "--table", table, server=server, **state)
    assert swapped.returncode == 1
    assert "was announced before it" in swapped.stdout


def test_a_changed_file_is_not_verified(gamemanager_process: ServiceProcess, tmp_path: Path) -> None:
    server = gamemanager_process.address
    with caller_at_new_table(server) as table:
        riverboat("play", "--table", table, "--name", "Anna", "--hands", "2", stdin="c\n" * 20, server=server)
    file, tampered = tmp_path / "hands.phhs", tmp_path / "tampered.phhs"
    riverboat("hands", table, "--phhs", str(file), server=server)
    seed = re.findall(r'other_seed = ["\']([0-9a-f]{64})["\']', file.read_text())[1]
    tampered.write_text(file.read_text().replace(seed, "0" * 64))
    bad = riverboat("verify", str(tampered))
    assert bad.returncode == 1
    pattern = r"tampered.phhs: line \d+: hand 2: pre-deck \d, which was opened, is not the one that was committed to"
    assert re.search(pattern, bad.stdout)
    assert bad.stdout.splitlines()[-1].startswith("2 hands, 1 problem;")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["play", "--blinds", "x"], "--blinds: 'x' must be two numbers, like 50,100"),
        (["play", "--blinds", "100,50"], "--blinds: the big blind must be at least the small blind"),
        (["play", "--deck", "tarot"], "--deck: no deck is called 'tarot'"),
        (["play", "--seats", "2", "--agents", "random,random"], "--seats: only 1 chair for 2 agents"),
        (["play", "--agents", "", "--free", "0"], "--agents: name at least one"),
        (["play", "--agents", "nobody"], "nobody"),
        (["play", "--table", "nonsense"], "there is no table 'nonsense'"),
        (["play", "--agents", "", "--free", "1", "--name", "x" * 31], "--name: must have 1 to 30"),
        (["watch"], "nothing to watch: give a table's id, or --agents"),
        (["watch", "nonsense"], "there is no table 'nonsense'"),
        (["hands", "nonsense"], "there is no table 'nonsense'"),
        (["watch", "nonsense", "--hands", "3"], "--hands: only for a new table, not for an existing one"),
        (["watch", "--agents", "random"], "--agents: name at least two, like rollout,random"),
        (["play", "--table", "nonsense", "--seats", "3"], "--seats: only for a new table, not for one in --table"),
        (["play", "--stack", "9" * 30], "--stack: "),
        (["play", "--name", "a\nb"], "--name: must have 1 to 30 printable characters"),
        (["match", "--id", "nonsense"], "--id: there is no match 'nonsense'"),
        (["match", "--id", "nonsense", "-n", "5"], "--hands: only for a new match, not for one in --id"),
        (["match", "random", "--id", "nonsense"], "AGENT: only a new match takes agents"),
        (["match", "random"], "AGENT: a match needs 2 to 10 agents, not 1"),
        (["match", "random", "nobody"], "nobody"),
        (["play", "--limit", "fixed", "--sizes", "50%"], "--sizes: fixed limit has one size on each street already"),
        (["play", "--table", "nonsense", "--no-all-in"], "--no-all-in: only for a new table"),
        (["match", "random", "random", "--pot-cap", "99"], "--pot-cap: must be at least 300"),
        (["verify"], "nothing to check: name files, or a --table"),
        (["verify", "/no/such/file.phhs"], "/no/such/file.phhs: No such file"),
        (["verify", "README.md"], "README.md: must end in .phh, .phhs or .json"),
        (["down", "--folder", "/no/such/folder"], "nothing to stop: there is no folder"),
    ],
)
def test_errors_are_one_line(gamemanager_process: ServiceProcess, words: list[str], reason: str) -> None:
    completed = riverboat(*words, server=gamemanager_process.address)
    assert completed.returncode == 2, completed.stdout
    assert completed.stdout == ""
    assert len(completed.stderr.splitlines()) == 1, completed.stderr
    assert reason in completed.stderr


def test_nobody_at_the_server() -> None:
    completed = riverboat("tables", "--server", f"127.0.0.1:{free_port()}")
    assert completed.returncode == 2
    assert "no game manager answers at" in completed.stderr


def agents_with_a_parameter_play(manager: str) -> None:
    """Check names as in docs/bots.md, and restrictions; a refusal by the host is one line, and no table opens."""
    names = ("hybrid:0.5", "hybrid:flop+river", "resolver:equity", "hybrid:0.5")
    for pair in (names[:2], names[2:]):
        words = ("-n", "2", "--deck", "24", "--sizes", "50%,100%", "--raises-per-street", "2", "--json")
        completed = riverboat("match", *pair, *words, server=manager)
        assert completed.returncode == 0, completed.stderr
        result = json.loads(completed.stdout)
        assert ({score["name"] for score in result["scores"]}, result["timed_out"]) == (set(pair), 0)
    before = riverboat("tables", "--all", server=manager).stdout
    assert before.count("2 raises a street, bets of 50% 100%") == 2
    for wrong, reason in (
        ("hybrid:nonsense", "AGENT: 'hybrid:nonsense': 'nonsense' is an unknown parameter; write hybrid:0.5"),
        ("resolver:xyz", "AGENT: 'resolver:xyz': 'xyz' is not a network, a number of iterations or a time such as 2s"),
        ("rollout:3", "AGENT: 'rollout:3': rollout takes no parameter"),
    ):
        refused = riverboat("match", wrong, "rollout", "-n", "2", "--deck", "24", server=manager)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
        assert reason in refused.stderr
    assert riverboat("tables", "--all", server=manager).stdout == before


def test_up_status_down(tmp_path: Path) -> None:
    folder = tmp_path / "boat"
    ports = [word for name in ("oracle", "gamemanager", "resolver") for word in (f"--{name}-port", "0")]
    up = riverboat("up", "--folder", str(folder), *ports, "--json")
    try:
        assert up.returncode == 0, up.stderr
        rows = {row["service"]: row for row in json.loads(up.stdout)}
        assert {row["status"] for row in rows.values()} == {"running"}
        manager = rows["gamemanager"]["address"]
        check_that_hosts_need_the_key(manager, folder)
        again = riverboat("up", "--folder", str(folder))
        assert again.returncode == 2
        assert "already up in" in again.stderr
        port = manager.rpartition(":")[2]
        taken = riverboat("up", "--folder", str(tmp_path / "other"), "--oracle-port", "0", "--gamemanager-port", port)
        assert taken.returncode == 2
        assert f"--gamemanager-port: something else listens at 127.0.0.1:{port}" in taken.stderr
        played = riverboat("play", "--agents", "always-call", "--hands", "1", stdin="c\n" * 9, server=manager)
        assert played.returncode == 0, played.stderr
        assert played.stdout.splitlines()[-1].startswith("1 hand, ")
        agents_with_a_parameter_play(manager)
        os.kill(rows["oracle"]["pid"], signal.SIGKILL)  # a process that died is noticed
        while "ended" not in riverboat("status", "--folder", str(folder)).stdout:
            time.sleep(0.1)
        assert riverboat("status", "--folder", str(folder)).returncode == 1
        back = riverboat("up", "--folder", str(folder), "--json")
        assert back.returncode == 0, back.stderr
        restarted = {row["service"]: row for row in json.loads(back.stdout)}
        assert restarted["oracle"]["address"] == rows["oracle"]["address"]
        assert restarted["oracle"]["pid"] != rows["oracle"]["pid"]
        assert restarted["gamemanager"]["pid"] == rows["gamemanager"]["pid"]
        assert {row["status"] for row in restarted.values()} == {"running"}
    finally:
        down = riverboat("down", "--folder", str(folder))
    assert down.returncode == 0
    assert "stopped agents, resolver, gamemanager, oracle" in down.stdout
    assert (folder / "journal.jsonl").stat().st_size > 0
    assert riverboat("down", "--folder", str(folder)).stdout.startswith("nothing was running")
    assert not [pid for pid in Path("/proc").glob("[0-9]*") if str(folder) in environ_of(pid)]


def check_that_hosts_need_the_key(manager: str, folder: Path) -> None:
    """Check that other users of this machine reach the port, but not the key, which only its owner can read."""
    key = host_key(manager)  # an agent host of this user finds it from any folder
    assert stat.S_IMODE((folder / "keyring.json").stat().st_mode) == 0o600
    assert attending(manager, "") == attending(manager, "guess" * 5) == grpc.StatusCode.PERMISSION_DENIED
    assert attending(manager, key) is None
    words = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    logs = [path.read_bytes() for path in (*folder.glob("*.log"), folder / "state.json")]
    assert not [text for text in (*words, *logs) if key.encode() in text]


def attending(manager: str, key: str) -> grpc.StatusCode | None:
    """Return how an attending host is refused; None if it is accepted."""
    with grpc.insecure_channel(manager) as channel:
        call = AgentHostsStub(channel).Attend(iter([hosts_pb.AttendRequest(agents=["thief"], key=key)]))
        stub = AgentHostsStub(channel)
        try:
            while call.is_active():
                if "thief" in stub.ListAgents(hosts_pb.ListAgentsRequest()).agents:
                    call.cancel()
                    return None
            return call.code()
        finally:
            call.cancel()


def test_without_a_server_it_starts_its_own_and_leaves_nothing(tmp_path: Path) -> None:
    words = ("play", "--seats", "3", "--agents", "random,always-call", "--hands", "2", "--name", "Anna")
    completed = riverboat(*words, stdin="c\n" * 30, TMPDIR=str(tmp_path))
    assert completed.returncode == 0, completed.stderr
    assert re.search(r"^[12] hands?, ", completed.stdout.splitlines()[-1])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGKILL])
def test_killed_it_takes_everything_with_it(tmp_path: Path, number: signal.Signals) -> None:
    words, env = ("play", "--agents", "random", "--name", "Anna"), environment(TMPDIR=str(tmp_path))
    pipe = subprocess.PIPE
    process = start_module(RIVERBOAT, *words, env=env, stdin=pipe, stdout=pipe, fresh=True)
    assert process.stdout
    assert process.stdout.readline(), "a hand has begun"
    process.send_signal(number)
    process.wait(30)
    give_up = time.monotonic() + 30
    while any(str(tmp_path) in environ_of(pid) for pid in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < give_up, "a process still runs"
        time.sleep(0.1)


@pytest.mark.slow
def test_a_match() -> None:
    completed = riverboat("match", "always-call", "always-fold", "-n", "40", "--duplicate", "--json")
    assert completed.returncode == 0, completed.stderr
    answer = json.loads(completed.stdout)
    assert answer["hands"] == answer["wanted"] == 40
    assert answer["complete"]
    scores = {score["name"]: score["mbb"] for score in answer["scores"]}
    assert scores["always-call"] > 0 > scores["always-fold"]
    assert scores["always-call"] == pytest.approx(-scores["always-fold"])


def test_the_result_of_a_match_says_what_was_played(agents_server: str) -> None:
    words = ("match", "always-call", "always-fold", "-n", "4", "--deck", "24", "--stack", "900", "--no-all-in")
    game = "no-limit hold'em, 24 cards, blinds 50/100, stacks of 900, no all-in"
    assert riverboat(*words, server=agents_server).stdout.splitlines()[0] == game
    answer = json.loads(riverboat(*words, "--json", server=agents_server).stdout)
    assert (answer["game"], answer["stack"], answer["variant"]["deck"]) == (game, 900, "24")
    followed = riverboat("match", "--id", answer["match"], server=agents_server)
    assert followed.stdout.splitlines()[0] == game


def test_a_match_goes_on_when_a_stack_is_lost(agents_server: str) -> None:
    completed = riverboat("match", "always-raise", "always-call", "-n", "20", "--json", server=agents_server)
    assert completed.returncode == 0, completed.stderr
    answer = json.loads(completed.stdout)
    assert (answer["hands"], answer["complete"]) == (20, True)


def test_an_interrupted_match_prints_what_was_played(agents_server: str) -> None:
    with closing(Terminal("match", "always-call", "always-fold", "-n", "1000000", server=agents_server)) as terminal:
        terminal.wait_for("mbb/hand, ")
        terminal.press("\x03")
        end = terminal.finish()
    assert terminal.returncode == 130
    assert end.splitlines()[-1] == "riverboat: stopped"
    assert re.search(r"[1-9][0-9,]* of 1,000,000 hands", end)


def wait_for_a_hand(server: str, table_id: str) -> None:
    """Wait until a hand has been dealt at the table."""
    give_up = time.monotonic() + WAIT_SECONDS
    with grpc.insecure_channel(server) as channel:
        while not [
            info
            for info in TablesStub(channel).ListTables(pb.ListTablesRequest()).tables
            if info.table_id == table_id and info.hand_count
        ]:
            assert time.monotonic() < give_up, "no hand was dealt"
            time.sleep(0.02)


def test_a_match_goes_on_without_us_and_is_followed_again(gamemanager_process: ServiceProcess) -> None:
    server = gamemanager_process.address
    with agent_host(server):
        command = ["match", "always-call", "always-fold", "-n", "1000000", "--json"]
        first = start_module(RIVERBOAT, *command, env=environment(server), stderr=subprocess.PIPE)
        assert first.stderr
        assert first.stderr.readline().startswith(b"to watch it: riverboat watch ")
        again = first.stderr.readline().decode().removeprefix("to follow it again: riverboat ").split()
        first.kill()
        first.wait(30)
        only_look = again[: again.index("--dealer")]
        for words, goes_on in ((only_look, True), (again, False)):
            with closing(Terminal(*words)) as terminal:
                terminal.wait_for("always-call +", "mbb/hand, ")
                terminal.press("\x03")
                end = terminal.finish()
            assert terminal.returncode == 130
            assert ("the match goes on; to follow it again: riverboat match --server" in end) == goes_on
            assert re.search(r"[1-9][0-9,]* of 1,000,000 hands", end)
        late = riverboat(*only_look, "--json")
    assert late.returncode == 1
    assert late.stderr == "riverboat: the match ended before its last hand\n"
    assert json.loads(late.stdout)["complete"] is False


@pytest.mark.slow
def test_a_match_through_a_restart_of_the_server(tmp_path: Path) -> None:
    address, journal = f"127.0.0.1:{free_port()}", str(tmp_path / "journal.jsonl")
    words = ["match", "always-call", "always-fold", "-n", "1000", "--duplicate", "--json"]
    with running("gamemanager", tmp_path, address=address, journal=journal) as process, agent_host(address):
        process.wait_until_healthy()
        pipe = subprocess.PIPE
        match = start_module(RIVERBOAT, *words, env=environment(address), stdout=pipe, stderr=pipe)
        assert match.stderr
        match_id = match.stderr.readline().decode().split()[5]
        wait_for_a_hand(address, match_id)
        process.process.kill()
        process.process.wait()
        time.sleep(1)  # long enough to be noticed
        with running("gamemanager", tmp_path, address=address, journal=journal) as again:
            again.wait_until_healthy()
            out, _ = match.communicate(timeout=3 * WAIT_SECONDS)
    assert match.returncode == 0
    answer = json.loads(out)
    assert (answer["match"], answer["hands"], answer["wanted"], answer["complete"]) == (match_id, 1000, 1000, True)


def test_the_dealer_s_eye(agents_server: str) -> None:
    completed = riverboat("watch", "--agents", "always-call,random", "--hands", "1", server=agents_server)
    assert completed.returncode == 0, completed.stderr
    assert sum(" holds " in line for line in completed.stdout.splitlines()) == 2
