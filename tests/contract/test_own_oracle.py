"""What this process answers about cards is what an oracle answers, errors included."""

from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from riverboat.clients.local.own_oracle import OwnOracle, own_oracle
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import Refused, refusal_of
from riverboat.contracts.oracle import EquityText
from tests.processes import ServiceProcess

NAMES = {"hero": "HOLDING", "opponents[]": "--vs {}", "hands": "HAND {}", "holdings": "HOLDING {}"}
Ask = Callable[[Any], Any]


@pytest.fixture(scope="module")
def client(oracle_process: ServiceProcess) -> Iterator[OracleClient]:
    """Yield a client of a running oracle."""
    with grpc.insecure_channel(oracle_process.address) as channel:
        yield OracleClient(channel, oracle_process.address)


def equity(hero: str, *others: str, board: str = "", deck: str = "52", **method: Any) -> Ask:
    """Return a question about an equity, answered by its last step."""
    question = EquityText(deck=deck, board=board, hero=hero, opponents=others, **method)
    return lambda oracle: list(oracle.equity(question))[-1][0]


GOOD: dict[str, Ask] = {
    "decks": lambda oracle: oracle.decks(),
    "deal": lambda oracle: oracle.deal(deck="36", holding_count=3, board_size=4, seed=11),
    "classify": lambda oracle: oracle.classify("52", ["AhKhQhJhTh2c3d", "KhKdKs4c4d"]),
    "classify small": lambda oracle: oracle.classify("leduc", ["Kh", "KhQh"]),
    "showdown": lambda oracle: oracle.showdown(deck="52", board="Td9d2c5h3s", holdings=["AhAs", "Ts9s", "QdJd"]),
    "exact": equity("AhKh", "QQ+,AKs", board="Td9d2c", exact=True),
    "chosen": equity("AhKh", "random", board="Td9d2c"),
    "small": equity("Kh", "random", deck="leduc"),
    "rollouts": equity("AhKh", "random", "QQ+", seed=3, rollout_count=20_000),
}
BAD: dict[str, Ask] = {
    "deck": lambda oracle: oracle.classify("53", ["AhKhQhJhTh"]),
    "card": lambda oracle: oracle.classify("52", ["AhKhQhJhTh", "AhAx"]),
    "four cards": lambda oracle: oracle.classify("52", ["AhKhQhJh"]),
    "twice": lambda oracle: oracle.classify("52", ["AhAhQhJhTh"]),
    "too many": lambda oracle: oracle.deal(deck="kuhn", holding_count=9, board_size=0, seed=1),
    "board": lambda oracle: oracle.showdown(deck="52", board="Td9d", holdings=["AhAs"]),
    "nobody": lambda oracle: oracle.showdown(deck="52", board="Td9d2c", holdings=[]),
    "holding": lambda oracle: oracle.showdown(deck="52", board="Td9d2c", holdings=["AhAs", "Td9s"]),
    "range": equity("AhKh", "QQ+,AKx"),
    "hero": equity("Ah", "QQ+"),
    "hero on board": equity("AhKh", "QQ+", board="Ah9d2c"),
    "flop of two": equity("AhKh", "QQ+", board="9d2c"),
    "ten opponents": equity("AhKh", *["random"] * 10),
    "no opponents": equity("AhKh"),
    "error of 2": equity("AhKh", "QQ+", target_error=2.0),
    "no way": equity("AhKh", *["random"] * 5, exact=True),
}


@pytest.mark.parametrize("name", GOOD)
def test_answers(client: OracleClient, name: str) -> None:
    assert GOOD[name](OwnOracle()) == GOOD[name](client)


@pytest.mark.parametrize("name", BAD)
def test_refusals(client: OracleClient, name: str) -> None:
    with pytest.raises(grpc.RpcError) as asked:
        BAD[name](client)
    expected = refusal_of(asked.value, service="oracle", address=client.address, names=NAMES)
    with pytest.raises(Refused) as refused, own_oracle(NAMES) as own:
        BAD[name](own)
    assert str(refused.value) == str(expected)
