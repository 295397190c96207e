"""Metrics and traces of a server in this process."""

import asyncio
import re
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from pydantic_settings import SettingsConfigDict

from riverboat.errors import NotYours, Unavailable
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.rpc.calls import Watch
from riverboat.rpc.connections.channels import open_aio_channel
from riverboat.rpc.exposure import server_credentials
from riverboat.rpc.metrics import Metrics
from riverboat.rpc.observers import Figure, observers_for
from riverboat.rpc.passed_metadata import REQUEST_ID_KEY, TRACE_KEY
from riverboat.rpc.settings import CannotStart, ServiceSettings
from riverboat.rpc.tracing import Traces
from tests.certificates import Authority
from tests.processes import free_port
from tests.unit.rpc.servers import guarded

LIST, EQUITY = "/riverboat.oracle.v1.Oracle/ListDecks", "/riverboat.oracle.v1.Oracle/Equity"


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_TEST_")


async def decks(context: Any) -> pb.ListDecksResponse:
    if dict(context.invocation_metadata()).get("fail"):
        raise NotYours("no")
    return pb.ListDecksResponse()


def metrics_of(text: str) -> dict[str, float]:
    return {
        name: float(value)
        for name, value in re.findall(r"^(riverboat_\S+(?: [^#\s]+=\S+)?) (\S+)$", text, re.MULTILINE)
    }


async def scrape(address: str) -> dict[str, float]:
    def read() -> str:
        with urllib.request.urlopen(f"http://{address}/metrics") as answer:
            return str(answer.read().decode())

    return metrics_of(await asyncio.to_thread(read))


def away() -> float:
    raise Unavailable("Redis is away")


async def test_calls_are_counted_and_figures_read() -> None:
    address = f"127.0.0.1:{free_port()}"
    figures = (
        Figure("riverboat_tables_open", "gauge", "tables", lambda: 3),
        Figure("riverboat_hands_finished", "counter", "hands", lambda: 7),
        Figure("riverboat_jobs", "gauge", "jobs", lambda: {"done": 1, "dead": 2}, "state"),
        Figure("riverboat_lost", "gauge", "unknown", away),
    )
    metrics = Metrics(address, figures)
    with pytest.raises(CannotStart, match="cannot listen on"):
        Metrics(address, ())
    async with guarded(decks, Watch(observers=(metrics,))) as server, open_aio_channel(server) as channel:
        stub: Any = OracleStub(channel)
        for _ in range(3):
            await stub.ListDecks(pb.ListDecksRequest())
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.ListDecks(pb.ListDecksRequest(), metadata=(("fail", "yes"),))
        stream = stub.Equity(pb.EquityRequest())
        await stream.read()
        scraped = await scrape(address)
        assert scraped[f'riverboat_calls_total{{code="OK",method="{LIST}"}}'] == 3
        assert scraped[f'riverboat_calls_total{{code="PERMISSION_DENIED",method="{LIST}"}}'] == 1
        assert scraped[f'riverboat_calls_refused_total{{method="{LIST}"}}'] == 1
        assert scraped[f'riverboat_call_seconds_count{{method="{LIST}"}}'] == 4
        assert scraped[f'riverboat_calls_open{{method="{LIST}"}}'] == 0
        assert scraped[f'riverboat_calls_open{{method="{EQUITY}"}}'] == 1 == scraped["riverboat_streams_open"]
        assert (scraped["riverboat_tables_open"], scraped["riverboat_hands_finished_total"]) == (3, 7)
        assert (scraped['riverboat_jobs{state="done"}'], scraped['riverboat_jobs{state="dead"}']) == (1, 2)
        assert "riverboat_lost" not in scraped
        stream.cancel()
        for _ in range(1000):  # until the server has heard of it
            if not (await scrape(address))["riverboat_streams_open"]:
                break
        else:
            raise AssertionError("a stream that was hung up is still open")
    metrics.close()
    with pytest.raises(OSError, match="refused"):
        await scrape(address)


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Takes spans."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.names: set[str] = set()

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802
        for resource in request.resource_spans:
            self.names |= {
                item.value.string_value for item in resource.resource.attributes if item.key == "service.name"
            }
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        return trace_service_pb2.ExportTraceServiceResponse()


async def test_spans_go_to_a_collector_and_places_to_the_next_server() -> None:
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(2))
    add: Any = trace_service_pb2_grpc.add_TraceServiceServicer_to_server
    add(collector, server)
    endpoint = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    near, far = Traces(endpoint, "near"), Traces(endpoint, "far")
    async with guarded(decks, Watch(observers=(far,))) as far_address:

        async def ask(context: Any) -> pb.ListDecksResponse:
            async with open_aio_channel(far_address) as channel:
                stub: Any = OracleStub(channel)
                return await stub.ListDecks(pb.ListDecksRequest())  # type: ignore[no-any-return]

        async with guarded(ask, Watch(observers=(near,))) as address, open_aio_channel(address) as channel:
            stub: Any = OracleStub(channel)
            parent = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"
            await stub.ListDecks(pb.ListDecksRequest(), metadata=((REQUEST_ID_KEY, "mine"), (TRACE_KEY, parent)))
    for traces in (near, far):
        await asyncio.to_thread(traces.close)
    server.stop(None)
    assert collector.names == {"riverboat-near", "riverboat-far"}
    first, second = sorted(collector.spans, key=lambda span: span.start_time_unix_nano)
    assert first.trace_id == second.trace_id == bytes.fromhex("ab" * 16)
    assert first.parent_span_id == bytes.fromhex("cd" * 8)
    assert second.parent_span_id == first.span_id
    for span in (first, second):
        assert span.name == LIST[1:]
        assert {item.key: item.value.string_value for item in span.attributes}["riverboat.request_id"] == "mine"


@pytest.mark.parametrize(
    ("setting", "value", "package", "module"),
    [
        ("metrics_address", "127.0.0.1:1", "prometheus_client", "riverboat.rpc.metrics"),
        ("traces", "http://127.0.0.1:1", "opentelemetry", "riverboat.rpc.tracing"),
    ],
)
def test_what_is_not_installed_is_named(
    setting: str, value: str, package: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, module)
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    assert observers_for(Settings(address="127.0.0.1:1"), "test", ()) == ()
    with pytest.raises(CannotStart, match=r"pip install .*'\.\[observing\]'") as caught:
        observers_for(Settings.model_validate({"address": "127.0.0.1:1", setting: value}), "test", ())
    assert caught.value.setting == setting


async def test_one_client_does_not_take_all_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path, "authority")
    pair = authority.sign("server")
    settings = Settings(
        address="127.0.0.1:1", tls_certificate=pair.certificate, tls_key=pair.key, tls_client_authority=authority.file
    )
    watch = Watch(most_streams=5, client_streams=2)
    monkeypatch.setenv("RIVERBOAT_TLS_AUTHORITY", authority.file)

    def dial(name: str, address: str, host: str) -> Any:
        client = authority.sign(name, host)
        monkeypatch.setenv("RIVERBOAT_TLS_CERTIFICATE", client.certificate)
        monkeypatch.setenv("RIVERBOAT_TLS_KEY", client.key)
        return open_aio_channel(address)

    async with (
        guarded(decks, watch, server_credentials(settings)) as address,
        dial("greedy", address, "10.0.0.1") as greedy,
        dial("modest", address, "10.0.0.2") as modest,
    ):
        stubs: list[Any] = [OracleStub(greedy), OracleStub(modest)]
        kept = [stubs[0].Equity(pb.EquityRequest()) for _ in range(2)]
        for stream in kept:
            await stream.read()
        with pytest.raises(grpc.aio.AioRpcError, match="2 streams of one client are open"):
            await stubs[0].Equity(pb.EquityRequest()).read()
        other = stubs[1].Equity(pb.EquityRequest())
        await other.read()
        kept[0].cancel()
        while True:
            again = stubs[0].Equity(pb.EquityRequest())
            try:
                await again.read()
                break
            except grpc.aio.AioRpcError:  # the server has not heard yet that one was hung up
                await asyncio.sleep(0.01)
