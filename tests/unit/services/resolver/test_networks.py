"""Networks that come and go while a resolver runs, and the choice among them."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest

from riverboat.errors import InvalidInput
from riverboat.nets.network import Interrupt, Network
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.scoring import SHIPPED_YARDSTICKS, Scored, Yardsticks
from tests.processes import ROOT
from tests.unit.nets.faulty import endless, failing, laborious, perturbed, renamed, wrong_shape
from tests.unit.nets.tiny import about, tiny_network, write_network

SHIPPED = ROOT / "services" / "resolver" / "trained"
TURN = SHIPPED / "24-turn-96ef5c20.onnx"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        self.now += 100  # check the folder at every look
        return self.now


def networks_in(*folders: Path, yardsticks: Yardsticks | None = None, scoring_seconds: float = 60.0) -> Networks:
    return Networks(folders, 1, yardsticks or Yardsticks(SHIPPED_YARDSTICKS), Clock(), scoring_seconds)


def write_shipped_turn(folder: Path) -> None:
    """Copy the shipped network for the 24-card turn into a folder, alone."""
    write_network(folder, "turn", TURN.read_bytes())


def test_networks_are_found_by_deck_and_street(tmp_path: Path) -> None:
    write_shipped_turn(tmp_path)
    networks = networks_in(tmp_path)
    network = networks.find("24", "turn")
    assert network is not None
    assert network.name == TURN.stem
    assert networks.best("24", "turn") is networks.named(TURN.stem) is network
    assert networks.find("24", "river") is None
    assert networks.find("52", "turn") is None


def test_a_new_one_is_loaded_and_a_bad_one_leaves_the_old_in_use(tmp_path: Path) -> None:
    file = write_network(tmp_path, "turn", tiny_network(factor=1.0))
    networks = networks_in(tmp_path)
    first = networks.best("24", "turn")
    file.write_bytes(file.read_bytes() + b"x")
    assert networks.best("24", "turn") is first
    ((name, reason),) = networks.shelf().refused
    assert name == str(file)
    assert "its hash is" in reason
    write_network(tmp_path, "turn", tiny_network(factor=2.0))
    second = networks.best("24", "turn")
    assert second is not None
    assert first is not None
    assert second.hash != first.hash
    assert networks.shelf().refused == ()
    file.unlink()
    assert networks.best("24", "turn") is None


@pytest.mark.parametrize(
    ("card", "reason"),
    [(None, "it has no card"), ("{}", "has no hash"), ("[]", "has no hash"), ("nonsense", "has no hash")],
)
def test_a_network_without_a_good_card_is_refused(tmp_path: Path, card: str | None, reason: str) -> None:
    file = write_network(tmp_path, "turn", tiny_network())
    file.with_suffix(".json").unlink()
    if card is not None:
        file.with_suffix(".json").write_text(card)
    ((_, said),) = networks_in(tmp_path).shelf().refused
    assert reason in said


def test_another_layout_is_refused(tmp_path: Path) -> None:
    write_network(tmp_path, "turn", tiny_network(about(layout=99)))
    networks = networks_in(tmp_path)
    assert networks.shelf().every == ()
    assert "layout: is 99" in networks.shelf().refused[0][1]


@pytest.mark.parametrize("claimed", [0.9, 0.0])
def test_what_a_file_claims_does_not_replace_a_better_one(tmp_path: Path, claimed: float) -> None:
    """Neither its claimed loss, nor renamed labels, nor its folder count."""
    bad = tiny_network(replace(about("24", "turn"), samples=100, held_out_loss=claimed, train_loss=claimed))
    file = write_network(tmp_path / "own", "turn", bad)
    card = json.loads(file.with_suffix(".json").read_text())
    file.with_suffix(".json").write_text(json.dumps({**card, "labels": "others", "held_out_loss": claimed}))
    write_shipped_turn(tmp_path / "shipped")
    networks = networks_in(tmp_path / "shipped", tmp_path / "own")
    used = networks.find("24", "turn")
    assert used is not None
    assert used.name == TURN.stem
    ((other, reason),) = networks.shelf().by_name
    assert other.file == str(file)
    assert f"{TURN.stem} 0.0085" in reason
    assert networks.named(other.name) is other


@pytest.mark.parametrize("own_is_better", [True, False])
def test_a_file_that_scores_better_is_used_whatever_it_claims(tmp_path: Path, own_is_better: bool) -> None:
    good = renamed(TURN.read_bytes(), replace(about("24", "turn"), samples=0, held_out_loss=1.0))
    worse = perturbed(TURN.read_bytes(), 0.05)
    write_network(tmp_path / "shipped", "turn", worse if own_is_better else good)
    networks = networks_in(tmp_path / "shipped", tmp_path / "own")
    before = networks.find("24", "turn")
    write_network(tmp_path / "own", "turn", good if own_is_better else worse)
    used = networks.find("24", "turn")
    assert before is not None
    assert used is not None
    assert (used is not before) is own_is_better
    assert used.about.samples == 0
    ((other, _),) = networks.shelf().by_name
    assert used.scored is not None
    assert other.scored is not None
    assert used.scored.score.huber < other.scored.score.huber < used.scored.equity.huber


def test_of_equal_ones_the_first_stays_in_use(tmp_path: Path) -> None:
    write_network(tmp_path / "own", "turn", renamed(TURN.read_bytes(), about("24", "turn")))
    write_shipped_turn(tmp_path / "shipped")
    write_shipped_turn(tmp_path / "own" / "copies")
    networks = networks_in(tmp_path / "shipped", tmp_path / "own", tmp_path / "own" / "copies")
    assert [network.file for network in networks.shelf().networks] == [str(tmp_path / "shipped" / "turn.onnx")]
    assert [network.about.samples for network, _ in networks.shelf().by_name] == [100]  # a copy is the same network


def test_one_that_equity_beats_is_used_only_where_a_network_is_asked_for(tmp_path: Path) -> None:
    write_network(tmp_path, "turn", tiny_network(factor=2.0))
    write_network(tmp_path, "worse", tiny_network(factor=-100.0))
    networks = networks_in(tmp_path)
    assert networks.find("24", "turn") is None
    best = networks.best("24", "turn")
    assert best is not None
    assert best.file == str(tmp_path / "turn.onnx")
    assert "equity 0.0684" in dict(networks.shelf().by_name)[best]


def test_without_a_yardstick_it_is_used_by_name_only(tmp_path: Path) -> None:
    write_network(tmp_path, "flop", tiny_network(about("36", "flop"), holdings=630))
    networks = networks_in(tmp_path)
    assert networks.find("36", "flop") is networks.best("36", "flop") is None
    ((network, reason),) = networks.shelf().by_name
    assert "no yardstick for the flop with 36 cards" in reason
    assert network.answer().huber is network.answer().error is None
    assert networks.named(network.name) is network


def test_a_name_that_is_not_there(tmp_path: Path) -> None:
    write_shipped_turn(tmp_path)
    with pytest.raises(InvalidInput, match=f"no network is called '24-turn-00000000'; known networks: {TURN.stem}"):
        networks_in(tmp_path).named("24-turn-00000000")


def test_answers_are_others_with_other_networks(tmp_path: Path) -> None:
    networks = networks_in(tmp_path)
    before = networks.version
    write_network(tmp_path, "turn", tiny_network())
    assert networks.version != before


@pytest.mark.parametrize(
    ("network", "reason"),
    [
        (tiny_network(holdings=1326), "a deck of 24 cards has 276 holdings, but the network has 1,326"),
        (tiny_network(replace(about(), held_out_loss=float("nan"))), "its losses are not numbers"),
        (tiny_network(factor=float("inf")), "finite"),
        (wrong_shape(), "returns [2, 1, 2, 276] of float32, not [1, 1, 2, 276] of float32"),
        (failing(), "the network fails"),
    ],
)
def test_a_network_that_would_fail_later_is_refused_now(tmp_path: Path, network: bytes, reason: str) -> None:
    write_network(tmp_path, "turn", network)
    networks = networks_in(tmp_path)
    assert networks.shelf().every == ()
    ((_, said),) = networks.shelf().refused
    assert reason in said


@pytest.mark.parametrize("network", [endless, laborious])
def test_a_network_that_takes_too_long_is_refused(tmp_path: Path, network: Callable[[], bytes]) -> None:
    """Also if it only computes constants: loading must not fold them, because loading cannot be stopped."""
    write_network(tmp_path, "turn", network())
    ((_, reason),) = networks_in(tmp_path, scoring_seconds=0.2).shelf().refused
    assert "takes more than 0.2 seconds" in reason


class Waiting(Yardsticks):
    """A scorer that waits for the test."""

    def __init__(self) -> None:
        super().__init__(SHIPPED_YARDSTICKS)
        self.begun, self.go_on = Event(), Event()

    def scored(self, network: Network, digest: str, interrupt: Interrupt | None = None) -> Scored | None:
        self.begun.set()
        assert self.go_on.wait(60)
        return super().scored(network, digest, interrupt)


def test_nobody_else_waits_while_a_new_file_is_scored(tmp_path: Path) -> None:
    yardsticks = Waiting()
    networks = networks_in(tmp_path, yardsticks=yardsticks)
    assert networks.shelf().every == ()
    write_network(tmp_path, "turn", tiny_network())
    reader = Thread(target=networks.shelf)
    reader.start()
    assert yardsticks.begun.wait(60)
    assert networks.shelf().every == ()  # the same as before
    assert networks.used_count == 0
    yardsticks.go_on.set()
    reader.join()
    assert len(networks.shelf().every) == 1


def test_all_networks_that_come_with_riverboat_are_used() -> None:
    shelf = networks_in(SHIPPED).shelf()
    assert (shelf.refused, shelf.by_name) == ((), ())
    assert len(shelf.networks) == len(list(SHIPPED.glob("*.onnx"))) >= 6
    for network in shelf.networks:
        data = Path(network.file).read_bytes()
        assert b".py" not in data, "no file says where it was made"
        assert Path(network.file).stem == network.name
