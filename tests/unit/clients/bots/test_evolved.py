"""The agent `evolved`, its nets, and its twin in the compiled loop."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from riverboat.arena.bots import CallBot
from riverboat.arena.match import Match, play_match
from riverboat.cards import parse_cards
from riverboat.clients.bots.agents.evolved import Evolved
from riverboat.clients.bots.agents.names import OFFERED_NAMES
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.compiled_policies import compiled_policy
from riverboat.clients.bots.evolved_nets.shelf import BEST, net_at, net_names, shelved_net
from riverboat.errors import InvalidInput, NotFound
from riverboat.policies.evolved_nets import PLAIN, WITH_MODELS, Net
from riverboat.policies.net_files import read_net, write_net
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, start
from riverboat.rules.variant import KUHN, LEDUC, Variant, fixed_limit, no_limit
from riverboat.tables.agent_names import entered_agents
from riverboat.tournaments.field import PolicyKind


def decided(net: Net, variant: Variant, holding: str, count: int = 2) -> list[int]:
    """Return twenty first actions of a net."""
    public = start(variant, [1000] * count)
    assert public.actor is not None
    view = View(public.actor, public, parse_cards(holding))
    return [Evolved(np.random.default_rng(seed), net).act(view) for seed in range(20)]


def certain(output: int) -> Net:
    """Return a net that always has one output."""
    genome = np.zeros(PLAIN.genome_length)
    genome[-3 + output] = 50.0
    return Net(PLAIN, genome)


def test_a_net_draws_fold_call_and_raise() -> None:
    game = no_limit(5, 10)
    assert set(decided(certain(0), game, "AhKh")) == {FOLD}
    assert set(decided(certain(1), game, "AhKh")) == {CALL}
    raises = decided(certain(2), game, "AhKh")
    assert min(raises) > 600, "a certain raise is a large one: 0.8 of the stack"
    assert len(set(raises)) > 10, "sizes are drawn"


def test_cards_decide_through_the_hand_strength() -> None:
    genome = np.zeros(PLAIN.genome_length)
    genome[0] = 40.0  # the first unit reads the strength: above a half it says yes
    genome[16 * 12] = -20.0
    genome[16 * 12 + 12] = -60.0  # which speaks against folding
    genome[-3] = 30.0
    net = Net(PLAIN, genome)
    assert FOLD not in decided(net, no_limit(5, 10), "AhAs")
    assert set(decided(net, no_limit(5, 10), "2h7s")) == {FOLD}


@pytest.mark.parametrize(
    ("variant", "holding", "count"),
    [
        (no_limit(5, 10), "AhKh", 10), (no_limit(5, 10, deck="36", name="short"), "AhKh", 3), (KUHN, "Ks", 2),
        (fixed_limit(10), "AhKh", 2), (LEDUC, "Ks", 2), (no_limit(5, 10, ante=2), "2c2d", 9),
    ],
)  # fmt: skip
def test_it_sits_at_any_table(variant: Variant, holding: str, count: int) -> None:
    rng = np.random.default_rng(1)
    for shape in (PLAIN, WITH_MODELS):
        net = Net(shape, rng.standard_normal(shape.genome_length))
        assert all(start(variant, [1000] * count).can_play(each) for each in decided(net, variant, holding, count))


def test_it_plays_whole_hands() -> None:
    bots = {"evolved": Evolved, "caller": CallBot}
    result = play_match(Match(no_limit(5, 10), [1000, 1000], bots, np.random.default_rng(3)), 20)
    assert result.deal_count == 20


def test_nets_that_ship_fit_their_cards() -> None:
    assert {BEST, "control", "hof", "models"} <= set(net_names())
    for name in net_names():
        assert np.isfinite(shelved_net(name).genome).all()
        assert f"evolved:{name}" in OFFERED_NAMES
    assert shelved_net("models").shape == WITH_MODELS
    assert shelved_net("hof").shape == PLAIN
    with pytest.raises(InvalidInput, match="is not an evolved net; choose evolved:best, evolved:control"):
        find_agent("evolved:nobody")
    with pytest.raises(NotFound, match="no evolved net is called 'nobody'"):
        shelved_net("nobody")


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    data = write_net(certain(1))
    card = {"hash": hashlib.sha256(data).hexdigest()}
    (tmp_path / "mine.card.json").write_text(json.dumps(card))
    (tmp_path / "mine.json").write_bytes(data)
    assert (net_at(tmp_path, "mine").genome == certain(1).genome).all()
    (tmp_path / "other.card.json").write_text(json.dumps(card))
    (tmp_path / "other.json").write_bytes(write_net(certain(2)))
    with pytest.raises(InvalidInput, match="the hash on its card"):
        net_at(tmp_path, "other")


def test_nets_of_a_folder_play_beside_those_that_ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_net(certain(1))
    (tmp_path / "control-1a2b.card.json").write_text(json.dumps({"hash": hashlib.sha256(data).hexdigest()}))
    (tmp_path / "control-1a2b.json").write_bytes(data)
    (tmp_path / "lone.card.json").write_text("{}")  # of a file that was removed, or that is no net
    with pytest.raises(InvalidInput, match="is not an evolved net"):
        find_agent("evolved:control-1a2b")
    monkeypatch.setenv("RIVERBOAT_EVOLVED_NETS", str(tmp_path))
    assert net_names()[-1] == "control-1a2b"
    find_agent("evolved:control-1a2b")
    policy = compiled_policy("evolved:control-1a2b")
    assert isinstance(policy, Net)
    assert (policy.genome == certain(1).genome).all()
    (tmp_path / "broken.card.json").write_text("[]")
    (tmp_path / "broken.json").write_bytes(data)
    with pytest.raises(InvalidInput, match="card is damaged"):
        shelved_net("broken")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"format": "x"}', b"9" * 2_000_000])
def test_a_file_that_is_no_net_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_net(data)


def test_a_net_survives_its_file() -> None:
    net = Net(WITH_MODELS, np.random.default_rng(2).standard_normal(WITH_MODELS.genome_length))
    again = read_net(write_net(net))
    assert (again.genome == net.genome).all()
    assert (again.shape, again.sizes) == (net.shape, net.sizes)
    assert write_net(again) == write_net(net)


def test_entries_of_a_tournament() -> None:
    assert entered_agents(["evolved", " random*11", "evolved*2"]) == (("evolved", 3), ("random", 11))
    for text in ("", "random*", "random*0", "random*1*2", "*3", "random*99999"):
        with pytest.raises(InvalidInput, match="is not an entry"):
            entered_agents([text])
    assert compiled_policy("random") is PolicyKind.RANDOM
    assert compiled_policy("evolved") is shelved_net(BEST)
    assert compiled_policy("evolved:hof") is shelved_net("hof")
    for name in ("rollout", "random:1", "evolved:"):
        with pytest.raises(InvalidInput, match="cannot be simulated"):
            compiled_policy(name)
