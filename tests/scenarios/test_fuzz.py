"""A few thousand random requests to all services: a short run of python -m tests.fuzz."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from tests.fuzz.__main__ import growth
from tests.fuzz.corpus import Pool, corpus, filled
from tests.fuzz.findings import Findings, Request, load
from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.methods import all_methods
from tests.fuzz.mutations import mutated, random_message
from tests.fuzz.outcomes import OPTIONS, send
from tests.fuzz.servers import Server, own_servers, watched

CALLS = 2_000
MOST_BYTES = 600 << 20


@pytest.mark.slow
def test_nothing_random_breaks_a_service(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with own_servers(tmp_path) as servers:
        fuzzer = Fuzzer(servers, 1, Findings(tmp_path))
        with watched(servers):
            fuzzer.run(CALLS, thread_count=16)
        bugs = {name: dict(server.bugs()) for name, server in servers.items()}
        assert not fuzzer.findings.counts, f"{capfd.readouterr().out}\n{bugs}"
        assert {name: server.problems for name, server in servers.items()} == {name: [] for name in servers}
        assert bugs == {name: {} for name in servers}
        assert max(growth(server.memory) for server in servers.values()) < MOST_BYTES
        answered = Counter({name: fuzzer.codes[name, "OK"] for name in servers})
        assert min(answered.values()) > 0, "some requests are right"
        assert sum(fuzzer.codes.values()) == CALLS


def test_a_finding_is_told_once_and_can_be_sent_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The fuzzer finds the bug of a server that fails on every request."""
    method = next(method for method in all_methods() if method.name == "Oracle.Deal")
    findings = Findings(tmp_path)
    with _broken_server(method.path) as server, grpc.insecure_channel(server.address, options=OPTIONS) as channel:
        for number in range(3):
            request = Request(method, (method.request(deck="24").SerializeToString(),), 5.0, 7, number)
            outcome = send(channel, method, request.messages, request.seconds)
            assert outcome.code is grpc.StatusCode.UNKNOWN
            findings.add(request, outcome.problem)
        said = capfd.readouterr().out
        assert said.count("Oracle.Deal") == 1 + 1  # its line, and the name of the file
        assert 'deck: "24"' in said
        [path] = tmp_path.glob("*.json")
        again = load(path)
        assert (again.method, again.messages, again.seed, again.number) == (method, request.messages, 7, 0)
        assert send(channel, again.method, again.messages, 5.0).code is grpc.StatusCode.UNKNOWN


@contextmanager
def _broken_server(path: str) -> Iterator[Server]:
    """Yield a server with one method, which raises."""

    def fail(_request: bytes, _context: Any) -> bytes:
        raise RuntimeError("a bug")

    service, _, name = path[1:].partition("/")
    handler = grpc.method_handlers_generic_handler(service, {name: grpc.unary_unary_rpc_method_handler(fail)})
    server = grpc.server(ThreadPoolExecutor(1))
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield Server("oracle", f"127.0.0.1:{port}")
    finally:
        server.stop(None)


def test_there_is_a_right_request_for_every_method() -> None:
    assert set(corpus()) == {method.name for method in all_methods()}


@pytest.mark.parametrize("method", all_methods(), ids=lambda method: method.name)
def test_requests_are_the_same_for_the_same_seed_and_differ_otherwise(method: Any) -> None:
    known = corpus()[method.name][0][0]

    def made(seed: int) -> list[bytes]:
        rng = Random(seed)  # noqa: S311
        messages = [mutated(known, rng), random_message(method.request, rng)]
        return [message.SerializeToString(deterministic=True) for message in messages]

    assert made(1) == made(1)
    if known.DESCRIPTOR.fields:
        assert len({tuple(made(seed)) for seed in range(20)}) > 5


def test_ids_and_tokens_are_learnt_from_answers() -> None:
    pool, rng = Pool(), Random(1)  # noqa: S311
    request = next(messages[0] for messages in corpus()["Tables.GetView"])
    assert filled(request, pool, rng) == request
    pool.learn(next(m for m in all_methods() if m.name == "Tables.JoinTable").response(token="secret", chair=1))
    assert filled(request, pool, rng).token == "secret"  # noqa: S105


def test_growth_counts_from_where_memory_has_settled() -> None:
    assert growth([]) == 0
    assert growth([1, 50, 52, 51, 50]) == 2
    assert growth([1, 50, 60, 70, 80]) == 30


def test_a_server_that_is_gone_is_a_problem() -> None:
    server = Server("oracle", "127.0.0.1:1")
    server.look(seconds=0.2)
    assert server.problems
