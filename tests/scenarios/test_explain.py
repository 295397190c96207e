"""riverboat explain and riverboat review as people and programs run them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from riverboat.cards import find_deck
from riverboat.clients.console.commands import explain as explain_command
from riverboat.clients.console.commands import review as review_command
from riverboat.clients.remote.refusals import EXIT_REFUSED
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit
from tests.commands import run_command
from tests.processes import ServiceProcess

PLURIBUS = Path(__file__).resolve().parent.parent / "golden" / "pluribus-5000.phhs"
HAND = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [2000, 2000]
players = ["Anna", "Bob"]
hand = 7
actions = [
  "d dh p1 AsAd", "d dh p2 KsKh", "p2 cbr 250", "p1 cc",
  "d db AhKd2c", "p1 cc", "p2 cbr 500", "p1 cc",
  "d db 2s", "p1 cc", "p2 cc",
  "d db 9c", "p1 cc", "p2 cbr 1000", "p1 f",
]
"""


@pytest.fixture
def server(resolver_process: ServiceProcess) -> str:
    return resolver_process.address


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    path = tmp_path / "hand.phh"
    path.write_text(HAND)
    return path


def riverboat(*words: str | Path) -> tuple[int, str]:
    return run_command([explain_command, review_command], *words)


def test_the_last_decision_for_people(server: str, hand: Path) -> None:
    code, text = riverboat("explain", hand, "--player", "Anna", "--server", server)
    assert code == 0
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[0] == "hand 7, decision 6 of 6"
    assert lines[1] == "Anna holds As Ad, river Ah Kd 2c 2s 9c, pot 2,500, 1,000 to call, 250 behind"
    assert any(line.split()[0] == "fold" and line.endswith("played") for line in lines if line)
    assert "Anna's range, in %" in text
    said = " ".join(text.split())
    assert "A call of 1,000 needs 29 % of the pot" in said
    assert "Graded against a guess at Bob's range" in said


def test_json(server: str, hand: Path) -> None:
    code, text = riverboat("explain", hand, "--player", "Anna", "--json", "--server", server)
    explanation = json.loads(text)
    assert code == 0
    assert (explanation["player"], explanation["opponent"], explanation["holding"]) == ("Anna", "Bob", "AsAd")
    assert (explanation["street"], explanation["pot"], explanation["played"]) == ("river", 2500, "fold")
    assert sum(action["frequency"] for action in explanation["actions"]) == pytest.approx(1, abs=1e-4)
    fold = explanation["actions"][0]
    assert fold["loss"] == pytest.approx(max(action["ev"] for action in explanation["actions"]))
    assert explanation["equity"] > 0.95
    assert explanation["why"].count(". ") == 1
    assert set(explanation["ranges"]) == {"Anna", "Bob"}
    assert (explanation["exploitability_scope"], explanation["below_cut"]) == ("whole", None)
    assert explanation["opponent_actions_read"] > 0
    assert "heuristic reading" in explanation["graded_against"]


def test_what_the_file_forbids_is_not_advised(server: str, hand: Path) -> None:
    words = ("explain", hand, "--player", "Anna", "--json", "--server", server)

    def explained(*more: str) -> tuple[set[str], str | None]:
        explanation = json.loads(riverboat(*words, *more)[1])
        return {action["action"].split()[0] for action in explanation["actions"]}, explanation["below_cut"]

    assert explained()[0] == {"fold", "call", "raise"}
    assert str(explained("--decision", "3")[1]).startswith("52-turn-")
    hand.write_text(f"{HAND}_pot_cap = 2600\n_no_all_in = true\n")
    assert explained()[0] == {"fold", "call"}
    assert explained("--decision", "3")[1] == "equity", "networks know no cap"
    code, text = riverboat("explain", hand, "--player", "Anna", "--server", server)
    assert code == 0
    assert text.splitlines()[2] == "rules: no bet may take the pot above 2,600, no all-in"


@pytest.mark.parametrize("command", ["explain", "review"])
def test_a_hand_that_breaks_the_rules_of_its_file_is_refused(hand: Path, command: str) -> None:
    hand.write_text(f"{HAND}_pot_cap = 2400\n")
    code, text = riverboat(command, hand, "--player", "Anna")
    assert code == EXIT_REFUSED
    assert "seat 1 cannot raise to 1000" in text


def test_one_decision_of_somebody_else_with_other_cards(server: str, hand: Path) -> None:
    words = ("explain", hand, "--player", "p2", "--decision", "4", "--holding", "QhJh", "--server", server)
    code, text = riverboat(*words)
    assert code == 0
    assert text.startswith("hand 7, decision 4 of 4\nBob holds Qh Jh, river Ah Kd 2c 2s 9c, pot 1,500, 1,250 behind")


@pytest.mark.slow
def test_review(server: str, hand: Path) -> None:
    code, text = riverboat("review", hand, "--player", "Anna", "--server", server)
    assert code == 0
    rows = [line.split() for line in text.splitlines()]
    assert rows[0] == ["hand", "7:", "Anna", "with", "As", "Ad"]
    assert [row[1] for row in rows[2:8]] == ["preflop", "flop", "flop", "turn", "river", "river"]
    assert rows[7][-1] == "blunder"
    said = " ".join(text.split())
    assert "Graded against a guess at Bob's range" in said
    assert "~ preflop: play after the next deal is estimated by the value network 52-preflop-" in said
    assert "~ flop: play after the next deal is estimated by the value network 52-turn-" in said
    grades = json.loads(riverboat("review", hand, "--json", "--server", server)[1])
    assert {name: len(decisions) for name, decisions in grades.items()} == {"Anna": 6, "Bob": 4}
    last = grades["Anna"][-1]
    assert last["mark"] == "blunder"
    assert last["pot_share"] == pytest.approx(last["loss"] / 2500)
    assert [bool(one["below_cut"]) for one in grades["Anna"]] == [True, True, True, False, False, False]
    assert all("a guess at" in one["graded_against"] for decisions in grades.values() for one in decisions)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--player", "Cid"], "--player: nobody is called 'Cid' in this hand; the players are Anna, Bob"),
        (["--player", "Anna", "--decision", "99"], "--decision: Anna makes 6 decisions in this hand, not 99"),
        (["--hand", "2"], "has fewer than 2 hands"),
        (["--holding", "AhKs"], "--holding: Ah is on the board"),
        (["--holding", "AsAs"], "--holding: As appears twice"),
        (["--table", "3f2a91c0d4e5"], "name either a FILE or a live --table"),
    ],
)
def test_refused(hand: Path, words: list[str], said: str) -> None:
    code, text = riverboat("explain", hand, *words)
    assert code == EXIT_REFUSED
    assert said in text


def test_only_hands_of_two(hand: Path) -> None:
    code, text = riverboat("explain", PLURIBUS)
    reason = "it has 6 players; only two-player hands can be explained"
    assert (code, text) == (EXIT_REFUSED, f"{PLURIBUS}: hand 1: {reason}")
    code, text = riverboat("review", PLURIBUS)
    assert code == EXIT_REFUSED
    assert text == f"{PLURIBUS}: no hand can be reviewed: 5,000 hands have more than two players"
    code, text = riverboat("review", PLURIBUS, "--hand", "1")
    assert code == EXIT_REFUSED
    assert "only two-player hands can be reviewed" in text


def test_cards_that_are_not_known(hand: Path) -> None:
    hand.write_text(HAND.replace("AsAd", "????"))
    for command in ("explain", "review"):
        code, text = riverboat(command, hand, "--player", "Anna")
        assert code == EXIT_REFUSED
        assert "the cards of Anna are unknown" in text


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for command in ("explain", "review"):
        code, text = riverboat(command, tmp_path / "nothing.phh")
        assert (code, text) == (EXIT_REFUSED, f"{tmp_path / 'nothing.phh'}: No such file or directory")


@pytest.fixture
def table(gamemanager_process: ServiceProcess) -> Iterator[str]:
    """Yield a table of two players where the small blind is to act."""
    variant = replace(no_limit(50, 100), deck=find_deck("24"))
    config = pb.TableConfig(name="test", variant=encode_variant(variant), chair_count=2, buy_in=10_000, clock_ms=60_000)
    with grpc.insecure_channel(gamemanager_process.address) as channel:
        tables = TablesStub(channel)
        made = tables.CreateTable(pb.CreateTableRequest(config=config))
        for name in ("Anna", "Bob"):
            tables.JoinTable(pb.JoinTableRequest(table_id=made.table.table_id, name=name))
        yield made.table.table_id
        tables.CloseTable(pb.CloseTableRequest(table_id=made.table.table_id, dealer_token=made.dealer_token))


def test_a_live_table(server: str, gamemanager_process: ServiceProcess, table: str) -> None:
    where = ("--table", table, "--game-server", gamemanager_process.address, "--server", server)
    code, text = riverboat("explain", *where, "--holding", "AhKd", "--json")
    assert code == 0
    explanation = json.loads(text)
    assert {explanation["player"], explanation["opponent"]} == {"Anna", "Bob"}
    assert [explanation[name] for name in ("street", "pot", "to_call", "played")] == ["preflop", 150, 50, None]
    code, text = riverboat("explain", *where, "--holding", "2h2d")
    assert code == EXIT_REFUSED
    assert text.startswith("--holding: ")


def test_a_table_that_is_not_there(gamemanager_process: ServiceProcess) -> None:
    where = ("--table", "nowhere", "--game-server", gamemanager_process.address)
    code, text = riverboat("explain", *where, "--holding", "AhKd")
    assert (code, text) == (EXIT_REFUSED, "there is no table 'nowhere'; riverboat tables lists them")


def test_a_live_table_needs_cards() -> None:
    assert riverboat("explain", "--table", "3f2a91c0d4e5")[1].startswith("--holding: type the cards held, like AhKd")
    code, text = riverboat("explain", "--table", "3f2a91c0d4e5", "--hand", "2", "--holding", "AhKd")
    only_files = "--hand: only for files; at a live table the acting player's decision is explained"
    assert (code, text) == (EXIT_REFUSED, only_files)
