"""Networks that come and go while a resolver runs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from services.resolver.networks import Networks
from tests.processes import ROOT
from tests.unit.nets.tiny import about, tiny_network, write_network


class Clock:
    now = 0.0

    def __call__(self) -> float:
        self.now += 100  # every look is a new one
        return self.now


def test_networks_are_found_by_deck_and_street(tmp_path: Path) -> None:
    write_network(tmp_path, "turn", tiny_network())
    networks = Networks([tmp_path], 1, Clock())
    found = networks.find("24", "turn")
    assert found is not None
    assert found.name == f"24-turn-{found.hash[:8]}"
    assert networks.find("24", "river") is None
    assert networks.find("52", "turn") is None


def test_a_new_one_is_loaded_and_a_bad_one_leaves_the_old_in_use(tmp_path: Path) -> None:
    file = write_network(tmp_path, "turn", tiny_network(factor=1.0))
    networks = Networks([tmp_path], 1, Clock())
    first = networks.find("24", "turn")
    file.write_bytes(file.read_bytes() + b"x")
    assert networks.find("24", "turn") is first
    ((name, reason),) = networks.shelf().refused
    assert name == str(file)
    assert "its hash is" in reason
    write_network(tmp_path, "turn", tiny_network(factor=2.0))
    second = networks.find("24", "turn")
    assert second is not None
    assert first is not None
    assert second.hash != first.hash
    assert networks.shelf().refused == ()
    file.unlink()
    assert networks.find("24", "turn") is None


@pytest.mark.parametrize(
    ("card", "reason"),
    [(None, "it has no card"), ("{}", "has no hash"), ("[]", "has no hash"), ("nonsense", "has no hash")],
)
def test_a_network_without_a_good_card_is_refused(tmp_path: Path, card: str | None, reason: str) -> None:
    file = write_network(tmp_path, "turn", tiny_network())
    file.with_suffix(".json").unlink()
    if card is not None:
        file.with_suffix(".json").write_text(card)
    ((_, said),) = Networks([tmp_path], 1, Clock()).shelf().refused
    assert reason in said


def test_another_layout_is_refused(tmp_path: Path) -> None:
    write_network(tmp_path, "turn", tiny_network(about(layout=99)))
    networks = Networks([tmp_path], 1, Clock())
    assert networks.find("24", "turn") is None
    assert "layout: is 99" in networks.shelf().refused[0][1]


@pytest.mark.parametrize(("losses", "used"), [((0.02, 0.01), "own"), ((0.01, 0.02), "shipped"), ((0.01, 0.01), "own")])
def test_the_lowest_held_out_loss_counts_then_the_later_folder(
    tmp_path: Path, losses: tuple[float, float], used: str
) -> None:
    folders = [tmp_path / "shipped", tmp_path / "own"]
    for place, (folder, loss) in enumerate(zip(folders, losses, strict=True)):
        network = tiny_network(replace(about("24", "turn"), held_out_loss=loss), factor=place + 1.0)
        write_network(folder, "turn", network)
    networks = Networks(folders, 1, Clock())
    found = networks.find("24", "turn")
    assert found is not None
    assert used in found.file
    assert networks.shelf().networks == (found,)
    ((file, reason),) = networks.shelf().refused
    assert used not in file
    assert f"{found.name} is used instead" in reason


def test_answers_are_others_with_other_networks(tmp_path: Path) -> None:
    networks = Networks([tmp_path], 1, Clock())
    before = networks.version
    write_network(tmp_path, "turn", tiny_network())
    assert networks.version != before


def test_losses_by_other_labels_are_not_compared(tmp_path: Path) -> None:
    folders = [tmp_path / "shipped", tmp_path / "own"]
    for folder, loss in zip(folders, (0.0003, 0.02), strict=True):
        file = write_network(folder, "turn", tiny_network(replace(about("24", "turn"), held_out_loss=loss)))
        card = json.loads(file.with_suffix(".json").read_text())
        file.with_suffix(".json").write_text(json.dumps({**card, "labels": f"24-river-of-{folder.name}"}))
    networks = Networks(folders, 1, Clock())
    found = networks.find("24", "turn")
    assert found is not None
    assert "own" in found.file
    ((_, reason),) = networks.shelf().refused
    assert "labelled by 24-river-of-own" in reason


@pytest.mark.parametrize(
    ("network", "reason"),
    [
        (tiny_network(holdings=1326), "24 cards make 276 holdings, and it has 1,326"),
        (tiny_network(replace(about(), held_out_loss=float("nan"))), "its losses are no numbers"),
        (tiny_network(factor=float("inf")), "finite"),
    ],
)
def test_a_network_that_would_fail_later_is_refused_now(tmp_path: Path, network: bytes, reason: str) -> None:
    write_network(tmp_path, "turn", network)
    networks = Networks([tmp_path], 1, Clock())
    assert networks.find("24", "turn") is None
    ((_, said),) = networks.shelf().refused
    assert reason in said


def test_all_networks_that_come_with_riverboat_are_used() -> None:
    folder = ROOT / "services" / "resolver" / "trained"
    shelf = Networks([folder], 1, Clock()).shelf()
    assert shelf.refused == ()
    assert len(shelf.networks) == len(list(folder.glob("*.onnx"))) >= 6
    for network in shelf.networks:
        data = Path(network.file).read_bytes()
        assert b".py" not in data, "no file says where it was made"
        assert Path(network.file).stem == network.name
