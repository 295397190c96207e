"""Measurements by local best response: any number of processes, files that a second run continues, and a memory."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from riverboat.arena.bot import F64
from riverboat.arena.local_best_response import LocalResponse, respond_steps
from riverboat.clients.bots.response_run import MeasuredAgent, ResponseFile, ResponseStep, measure, play_part
from riverboat.clients.bots.shared_resolver import lend_resolver
from riverboat.clients.remote.channels import open_resolver_channel
from riverboat.clients.remote.remembering_resolver import RememberingResolver
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.errors import InvalidInput
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import start
from riverboat.rules.variant import no_limit
from riverboat.solving.loop import Limits
from tests.processes import ServiceProcess

RESPONSE = LocalResponse(no_limit(50, 100, deck="24"), 10_000)
RANDOM = MeasuredAgent(name="random", seed=3)
QUICK = "resolver:equity+cut+3"  # three iterations: what is asked matters here, not how good it is
BOT = """
from riverboat.clients.bots import CALL, FOLD, Bot, View

class Shy(Bot):
    def act(self, view: View) -> int:
        return FOLD if view.public.to_call and self.rng.random() < 0.8 else CALL
"""


def last(steps: Iterator[ResponseStep]) -> F64:
    *_, step = steps
    return step.score.chips


def test_processes_and_parts_give_the_same_deals(tmp_path: Path) -> None:
    whole = last(measure(RANDOM, RESPONSE, 5))
    np.testing.assert_array_equal(last(measure(RANDOM, RESPONSE, 5, processes=2)), whole)
    first = last(measure(RANDOM, RESPONSE, 2, file=ResponseFile(tmp_path, RANDOM, RESPONSE)))
    np.testing.assert_array_equal(first, whole[:2])
    np.testing.assert_array_equal(
        last(measure(RANDOM, RESPONSE, 5, file=ResponseFile(tmp_path, RANDOM, RESPONSE))), whole
    )


def test_an_estimated_bot_goes_on_with_the_same_numbers(tmp_path: Path) -> None:
    bot = tmp_path / "shy.py"
    bot.write_text(BOT)
    agent, response = (
        MeasuredAgent(name=str(bot), answer_count=2, seed=3),
        LocalResponse(RESPONSE.variant, 1000, parse_bet_sizes("all-in")),
    )
    whole = last(measure(agent, response, 3))
    last(measure(agent, response, 1, file=ResponseFile(tmp_path, agent, response)))
    np.testing.assert_array_equal(
        last(measure(agent, response, 3, file=ResponseFile(tmp_path, agent, response))), whole
    )
    bot.write_text(BOT.replace("0.8", "0.7"))
    with pytest.raises(InvalidInput, match="was played with code"):
        ResponseFile(tmp_path, agent, response)


def test_deals_of_other_settings_are_refused(tmp_path: Path) -> None:
    last(measure(RANDOM, RESPONSE, 2, file=ResponseFile(tmp_path, RANDOM, RESPONSE)))
    bets = LocalResponse(RESPONSE.variant, 10_000, parse_bet_sizes("2p"))
    with pytest.raises(InvalidInput, match="was played with bets"):
        ResponseFile(tmp_path, RANDOM, bets)
    with pytest.raises(InvalidInput, match="was played with seed 3, and this run has 4"):
        ResponseFile(tmp_path, MeasuredAgent(name="random", seed=4), RESPONSE)
    assert not ResponseFile(tmp_path, RANDOM, LocalResponse(RESPONSE.variant, 10_000, first_street=2)).deals
    (tmp_path / "random.json").write_text(json.dumps({"settings": {}}))
    with pytest.raises(InvalidInput, match="is not a measurement by local best response"):
        ResponseFile(tmp_path, RANDOM, RESPONSE)


def test_time_left_is_told() -> None:
    *_, before, end = measure(RANDOM, RESPONSE, 3)
    assert before.seconds_left is not None
    assert (end.seconds_left, end.done) == (0, 1)


@pytest.fixture
def channel(resolver_process: ServiceProcess) -> Iterator[tuple[object, str]]:
    with open_resolver_channel(resolver_process.address) as opened:
        yield opened, resolver_process.address


def test_what_is_remembered_changes_no_bit(channel: tuple[object, str]) -> None:
    """The same deals with a client that remembers, one that remembers little, and one that asks every time."""
    agent, won = MeasuredAgent(name=QUICK, seed=3), []
    clients = RememberingResolver(*channel), RememberingResolver(*channel, most_bytes=60_000), ResolverClient(*channel)
    for client in clients:
        with lend_resolver(client):
            steps = respond_steps(RESPONSE, agent.ask, range(3), np.random.default_rng(3))
            won.append(list(steps))
    np.testing.assert_array_equal(won[0], won[2])
    np.testing.assert_array_equal(won[1], won[2])
    much, little = clients[0], clients[1]
    assert isinstance(much, RememberingResolver)
    assert isinstance(little, RememberingResolver)
    assert much.remembered_count > little.remembered_count > 0
    assert much.asked_count < little.asked_count


def test_a_run_remembers_by_itself(channel: tuple[object, str]) -> None:
    agent = MeasuredAgent(name=QUICK, seed=3)
    with lend_resolver(ResolverClient(*channel)):
        first = play_part(agent, RESPONSE, range(2))
        again = play_part(agent, RESPONSE, range(2))
    np.testing.assert_array_equal(first, again)


def test_what_seconds_have_ended_is_not_remembered(channel: tuple[object, str]) -> None:
    client = RememberingResolver(*channel)
    weights, public = np.ones(276), start(RESPONSE.variant, [10_000, 10_000])
    for limits, count in ((Limits(2), 1), (Limits(2), 1), (Limits(2, seconds=5.0), 2), (Limits(2, seconds=5.0), 3)):
        client.resolve(public, "1p", (weights, weights), limits, leaf="equity")
        assert client.asked_count == count
    client.resolve(public, "1p", (np.nextafter(weights, 2), weights), Limits(2), leaf="equity")
    assert client.asked_count == 4
