"""riverboat conformance as people and programs run it."""

# mypy: disable-error-code="abstract"
# Test servers implement only some methods: the others answer UNIMPLEMENTED.

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from riverboat.clients.console.commands import conformance as conformance_command
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1 import oracle_pb2_grpc
from tests.commands import run_command


class Wrong(oracle_pb2_grpc.OracleServicer):
    """An oracle with a single method, which is wrong."""

    def ListDecks(self, request: pb.ListDecksRequest, context: Any) -> pb.ListDecksResponse:  # noqa: N802
        return pb.ListDecksResponse()


@pytest.fixture
def address() -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(2))
    wrong: Any = Wrong  # an abstract class: it implements a part of the contract
    oracle_pb2_grpc.add_OracleServicer_to_server(wrong(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None)


def test_what_is_wrong_is_said_with_exit_code_1(address: str) -> None:
    code, text = run_command([conformance_command], "conformance", "oracle", "--server", address, "--only", "ListDecks")
    assert code == 1
    assert "ListDecks, the names: got [], expected [" in text
    assert "passed 0 of 3" in text


def test_what_is_missing_is_one_line(address: str) -> None:
    code, text = run_command([conformance_command], "conformance", "oracle", "--server", address, "--only", "Deal")
    assert code == 1
    assert text.splitlines()[1].split() == ["Deal", "not", "implemented"]
    assert len(text.splitlines()) == 3


def test_json(address: str) -> None:
    words = ["conformance", "oracle", "--server", address, "--only", "GetDeck", "--json"]
    code, text = run_command([conformance_command], *words)
    answer = json.loads(text)
    assert (code, answer["passed"], answer["count"]) == (1, 0, 4)
    verdicts = [check["verdict"] for check in answer["checks"] if "not a request" not in check["name"]]
    assert verdicts == ["not implemented"] * 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["oracle", "--server", "127.0.0.1:1"], "no oracle answers at 127.0.0.1:1"),
        (["tarot", "--server", "127.0.0.1:1"], "no contract is called 'tarot'"),
        (["oracle", "--server", "127.0.0.1:1", "--only", "Shuffle"], "the contract has no method 'Shuffle'"),
    ],
)
@pytest.mark.slow
def test_refusals_have_exit_code_2(words: list[str], sentence: str) -> None:
    code, text = run_command([conformance_command], "conformance", *words)
    assert code == 2
    assert sentence in text
