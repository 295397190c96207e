"""Matches against a local server that speaks Slumbot's interface, with its faults; nothing leaves this machine."""

from pathlib import Path

import pytest

from riverboat.clients.bots.bot_runner import BotRunner
from riverboat.clients.slumbot.answers import read_answer
from riverboat.clients.slumbot.interface import SlumbotInterface, SlumbotRefused
from riverboat.clients.slumbot.match import SlumbotMatch
from riverboat.clients.slumbot.session import SessionSettings, SlumbotSession
from riverboat.errors import InvalidInput, Unavailable
from riverboat.history.hand import outcome
from riverboat.history.phh import read_phh
from tests.slumbot_server import NAMED, SlumbotServer, body, broken, busy, lost, slumbot_server
from tests.unit.arena.bots import RandomBot

PAUSE = 0.25


class Player:
    """A session in a folder, and what plays it; waits are noted, not made."""

    def __init__(self, server: SlumbotServer, folder: Path, agent: str = "random", seed: int = 1) -> None:
        self.waits: list[float] = []
        self.told: list[str] = []
        self.interface = SlumbotInterface(server.url, PAUSE, self.told.append, self.waits.append)
        self.session = SlumbotSession(folder, SessionSettings(agent=agent, url=server.url, seed=seed))
        self.match = SlumbotMatch(self.interface, BotRunner(RandomBot, agent, seed, strict=True), self.session, agent)

    def play(self, hand_count: int) -> None:
        with self.session.opened():
            self.match.play(hand_count, lambda _: None)


def test_a_match_is_scored_and_kept(tmp_path: Path) -> None:
    with slumbot_server() as server:
        player = Player(server, tmp_path)
        player.play(200)
    score = player.session.score
    assert (score.hand_count, score.abandoned_count, score.different_count) == (200, 0, 0)
    assert score.won.total == sum(server.won)
    assert score.has_baseline
    assert score.deviation_saved is not None
    assert {tuple(asked) for path, asked in server.requests if path == "/api/act"} == {("token", "incr")}
    assert server.most_under_way == 1
    assert player.waits == [PAUSE] * len(server.requests)
    histories = list(read_phh((tmp_path / "hands.phhs").read_text()))
    assert [outcome(history).stacks for history in histories] == [history.finishing_stacks for history in histories]
    assert {history.names for history in histories} == {("random", "slumbot"), ("slumbot", "random")}
    assert [history.finishing_stacks for history in histories].count(None) == 0


def test_a_session_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    with slumbot_server() as server:
        Player(server, tmp_path).play(5)
        player = Player(server, tmp_path)
        player.play(12)
        assert server.hand_count == 12
        assert player.session.score.won.total == sum(server.won)
        assert {asked["token"] for _, asked in server.requests[1:]} == {"token-0"}
        with pytest.raises(InvalidInput, match="was played with agent random, and this run has call"):
            Player(server, tmp_path, agent="call").play(20)


def test_a_hand_cut_off_while_it_was_written_is_removed(tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    with slumbot_server() as server:
        Player(server, tmp_path).play(3)
        whole = file.read_text()
        *_, last = whole.split("\n[")
        start = len(whole) - len(last) - 1
        for cut in range(start, len(whole) - 2):
            file.write_text(whole[:cut])
            player = Player(server, tmp_path)
            with player.session.opened():
                assert player.session.score.hand_count == 2, whole[start:cut]
                assert player.session.score.abandoned_count == 1
        player.play(3)
        assert Player(server, tmp_path).session.score.hand_count == 0  # before it is opened
        again = Player(server, tmp_path)
        with again.session.opened():
            assert again.session.score.hand_count == 3
        file.write_text(whole.replace("_complete", "_something", 1))
        with pytest.raises(InvalidInput, match="is not a session against Slumbot"):
            Player(server, tmp_path).play(3)


def test_two_commands_cannot_play_one_session(tmp_path: Path) -> None:
    with slumbot_server() as server:
        player, other = Player(server, tmp_path), Player(server, tmp_path)
        with player.session.opened(), pytest.raises(Unavailable, match="another command is playing the session"):
            other.play(1)


def test_a_busy_server_is_waited_for_as_long_as_it_asks(tmp_path: Path) -> None:
    with slumbot_server(faults=[busy, busy, None, busy]) as server:
        player = Player(server, tmp_path)
        player.play(2)
    assert player.session.score.abandoned_count == 0
    assert [wait for wait in player.waits if wait >= 7] == [7, 7, 7]
    assert player.told[0] == "HTTP 503 Service Unavailable; next attempt in 7 s"


@pytest.mark.parametrize("fault", [lost, broken])
def test_a_hand_whose_answer_is_lost_does_not_count(tmp_path: Path, fault: object) -> None:
    with slumbot_server(faults=[None, None, None, fault]) as server:
        player = Player(server, tmp_path)
        with player.session.opened():
            player.match.play(1, lambda _: None)
            while server.faults:
                player.match.play(player.session.score.hand_count + 1, lambda _: None)
            player.match.play(5, lambda _: None)
    acts = [path for path, _ in server.requests[:5]]
    assert player.session.score.hand_count >= 5
    assert player.session.score.abandoned_count == (1 if acts[3] == "/api/act" else 0)
    assert player.session.score.different_count == 0


def test_a_move_is_never_sent_twice(tmp_path: Path) -> None:
    with slumbot_server(faults=[None, *[lost] * 30]) as server:
        player = Player(server, tmp_path)
        with pytest.raises(Unavailable, match="did not answer 8 times"):
            player.play(3)
    acts = [asked for path, asked in server.requests if path == "/api/act"]
    assert len(acts) == 1  # and then only new hands are asked for
    assert player.session.score.abandoned_count > 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<html>", "the server's answer is not a JSON object: b'<html>'"),
        (b"[1]", "the server's answer is not a JSON object"),
        (b"[" * 50_000, "the server's answer is not a JSON object"),
        (b"x" * 100_000, "the server's answer has more than 65,536 bytes"),
        (b'{"error_msg": "no more hands today"}', "the server refuses: no more hands today"),
        (b'{"client_pos": 2, "hole_cards": ["Ac", "9d"]}', "client_pos: must be a number from -1 to 1, not '2'"),
        (b'{"client_pos": 0, "hole_cards": ["Ac"]}', "hole_cards: must be two cards, not 1"),
        (b'{"client_pos": 0, "hole_cards": ["Ac", "Ac"]}', r"holdings\[0\]: Ac appears twice"),
        (b'{"client_pos": 0, "hole_cards": ["Ac", "9d"], "action": 5}', "action: must be a text"),
        (b'{"client_pos": 0, "hole_cards": ["Ac", "9d"], "action": "b"}', "action: 'b' is not an action"),
        (b'{"client_pos": 0, "hole_cards": ["Ac", "9d"], "action": ""}', "after '' it is not our turn"),
        (b'{"client_pos": 0, "hole_cards": ["Ac", "9d"], "winnings": "a lot"}', "winnings: must be a number"),
    ],
)
def test_answers_that_make_no_sense_end_the_match_in_one_line(tmp_path: Path, content: bytes, reason: str) -> None:
    with slumbot_server(faults=[body(content)] * 10) as server:
        player = Player(server, tmp_path)
        with pytest.raises(Unavailable, match=f"5 hands in a row were abandoned, the last because .*{reason}"):
            player.play(3)
    assert player.session.score.hand_count == 0


def test_an_answer_about_another_hand_is_refused(tmp_path: Path) -> None:
    strange = body(b'{"client_pos": 0, "hole_cards": ["Ac", "9d"], "action": "b200", "winnings": 100}')
    with slumbot_server(faults=[None, strange] * 10) as server:
        player = Player(server, tmp_path)
        with pytest.raises(Unavailable, match="5 hands in a row"):
            player.play(30)


def test_results_that_differ_from_the_rules_are_counted(tmp_path: Path) -> None:
    with slumbot_server(is_wrong=True, has_baseline=False) as server:
        player = Player(server, tmp_path)
        player.play(4)
    assert player.session.score.different_count == 4
    assert not player.session.score.has_baseline
    assert player.session.score.deviation_saved is None


def test_a_token_that_the_server_has_forgotten_is_replaced(tmp_path: Path) -> None:
    with slumbot_server() as server:
        Player(server, tmp_path).play(1)
    with slumbot_server() as other:
        other.next_session = "newer"
        player = Player(server, tmp_path)
        player.interface = SlumbotInterface(other.url, PAUSE, player.told.append, player.waits.append)
        player.match = SlumbotMatch(player.interface, BotRunner(RandomBot, "random", 1), player.session, "random")
        player.play(2)
    assert player.session.score.hand_count == 2
    assert player.session.token == other.next_session


def test_logging_in() -> None:
    with slumbot_server() as server:
        interface = SlumbotInterface(server.url, 0, print, lambda _: None)
        assert interface.log_in("me", "secret") == NAMED
        assert interface.new_hand(NAMED).token == NAMED
        with pytest.raises(SlumbotRefused, match="the server refuses: Login failed"):
            interface.log_in("me", "wrong")


def test_nobody_answers() -> None:
    with slumbot_server() as server:
        url = server.url
    told: list[str] = []
    with pytest.raises(Unavailable, match=r"did not answer 8 times: .*refused"):
        SlumbotInterface(url, 0, told.append, lambda _: None).new_hand("")
    assert len(told) == 7
    with pytest.raises(InvalidInput, match=r"url: 'file:///etc/passwd' is not an address; one looks like https:"):
        SlumbotInterface("file:///etc/passwd", 0, print)


def test_the_bot_s_cards_are_read_at_the_end() -> None:
    answer = read_answer(
        {
            "action": "b200f",
            "client_pos": 1,
            "hole_cards": ["Ac", "9d"],
            "board": [],
            "bot_hole_cards": ["Qs", "Qc"],
            "winnings": 100,
            "baseline_winnings": -100,
        }
    )
    assert (answer.is_over, answer.winnings, answer.baseline, answer.token) == (True, 100, -100, "")
    assert answer.bot_holding is not None
