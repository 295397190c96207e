"""Notices before the first hand of a table."""

from types import SimpleNamespace
from typing import Any

import pytest

from riverboat.clients.console.table.table_setup import note_missing_networks, note_rollouts
from riverboat.rules.variant import no_limit

RARE = no_limit(50, 100, deck="36")


def link(*networks: tuple[str, str]) -> Any:
    """Return a game manager whose agents ask a resolver with these networks."""
    return SimpleNamespace(resolver=SimpleNamespace(has_network=lambda *place: place in networks))


def test_agents_without_a_network_are_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    note_missing_networks(link(), ["resolver", "rollout"], RARE, 2)
    printed = capsys.readouterr()
    assert printed.err.count("resolver: no value network fits no-limit hold'em with 36 cards") == 1
    assert printed.out == ""


@pytest.mark.parametrize(
    ("game_manager", "player_count"),
    [(link(("36", "preflop"), ("36", "turn")), 2), (SimpleNamespace(resolver=None), 2), (link(), 3)],
    ids=["networks fit", "agents of another host", "rollouts decide"],
)
def test_nothing_is_said_otherwise(game_manager: Any, player_count: int, capsys: pytest.CaptureFixture[str]) -> None:
    note_missing_networks(game_manager, ["resolver", "rollout"], RARE, player_count)
    assert capsys.readouterr().err == ""


def test_rollouts_are_announced_beside_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output may be JSON."""
    note_rollouts(["resolver", "rollout", "random"], 3)
    printed = capsys.readouterr()
    assert "resolver decides by rollouts" in printed.err
    assert printed.out == ""
