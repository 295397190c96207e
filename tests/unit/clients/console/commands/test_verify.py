"""riverboat verify --table against a server that lists false hands."""

import json
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from riverboat.clients.console.app import app
from riverboat.clients.console.commands import verify as verify_command
from riverboat.clients.console.hands.witnesses import WitnessFile
from riverboat.dealing.memory import DealMemory
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit
from tests.unit.clients.console.table.tables import typed
from tests.unit.dealing.sitting import Sitting

HANDS = 4
Change = Callable[[list[pb.HandRecord]], list[pb.HandRecord]]


class Witnessed(Sitting):
    """Some hands, and Ann's witness of them."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.memories: dict[int, DealMemory] = {}
        for _ in range(HANDS):
            self.start()
            self.play()
            self.memories |= self.ann.witness.memories


@pytest.fixture(scope="module")
def sitting() -> Witnessed:
    return Witnessed(1)


def verified(sitting: Witnessed, change: Change, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, Any]:
    """Return the exit code and the answer for the hands that a server lists."""
    listed = change([sitting.record(number) for number in range(1, HANDS + 1)])

    def list_hands(request: pb.ListHandsRequest, timeout: float) -> pb.ListHandsResponse:
        assert timeout
        return pb.ListHandsResponse(hands=listed if request.first_hand == 1 else [])

    @contextmanager
    def link(*_: Any) -> Any:
        yield SimpleNamespace(tables=typed(SimpleNamespace(ListHands=list_hands)))

    monkeypatch.setattr(verify_command, "running_game_manager", link)
    file = WitnessFile(folder, sitting.table.id)
    file.prepare()
    file.keep(sitting.memories)
    words = ["verify", "--table", sitting.table.id, "--witness", str(folder), "--json"]
    result = CliRunner().invoke(app, words)
    return result.exit_code, json.loads(result.stdout)


def made_up(records: list[pb.HandRecord]) -> list[pb.HandRecord]:
    """Return hands under the id of a table without a witness."""
    return [renamed(record) for record in records]


def renamed(record: pb.HandRecord) -> pb.HandRecord:
    record.table_id = "000000000000"
    return record


def renumbered(records: list[pb.HandRecord]) -> list[pb.HandRecord]:
    records[-1].hand_number = 99
    return records


CHANGES: dict[str, tuple[Change, str]] = {
    "another table's id": (made_up, "the server lists a hand of table '000000000000' here"),
    "a hand of another number": (renumbered, f"it started as hand {HANDS}"),
    "a hand less": (lambda records: [records[0], *records[2:]], "the server does not list it"),
    "a hand twice": (lambda records: [*records, records[-1]], "the server lists it 2 times"),
}


def test_an_honest_list(sitting: Witnessed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, answer = verified(sitting, list, tmp_path, monkeypatch)
    assert (code, answer["problems"], answer["unproved"]) == (0, [], {})
    assert answer["witnessed"] == HANDS


@pytest.mark.parametrize("name", CHANGES)
def test_a_false_list(name: str, sitting: Witnessed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change, text = CHANGES[name]
    code, answer = verified(sitting, change, tmp_path, monkeypatch)
    assert code == 1
    assert any(text in problem["problem"] for problem in answer["problems"])


def test_hands_of_another_deal_under_another_id(
    sitting: Witnessed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such hands are consistent, but verify compares them with the witness of the requested table."""
    other = Witnessed(2)
    others = [renamed(other.record(number)) for number in range(1, HANDS + 1)]
    code, answer = verified(sitting, lambda _: others, tmp_path, monkeypatch)
    assert code == 1
    assert answer["witnessed"] == HANDS
    assert any("was announced before it" in problem["problem"] for problem in answer["problems"])


def test_the_oldest_and_newest_hands_may_be_withheld(
    sitting: Witnessed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, answer = verified(sitting, lambda records: records[1:-1], tmp_path, monkeypatch)
    assert (code, answer["problems"]) == (0, [])
    assert list(answer["unproved"].values()) == [2]


def test_a_server_that_lists_the_same_hand_for_ever_is_left() -> None:
    record = pb.HandRecord(hand_number=0, variant=encode_variant(no_limit(50, 100)))
    tables = typed(SimpleNamespace(ListHands=lambda _, timeout: pb.ListHandsResponse(hands=[record] * bool(timeout))))
    assert [hand.hand_number for hand in tables.hands("t")] == [0]
