"""Prometheus: counts of calls, and a service's own figures, served over HTTP."""

import time
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from riverboat.errors import RiverboatError
from riverboat.rpc.observers import Begin, End, Figure
from riverboat.rpc.settings import CannotStart

# Seconds: from a card look-up to a solved spot.
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_REFUSALS = frozenset({"RESOURCE_EXHAUSTED", "PERMISSION_DENIED"})


class Metrics:
    """Counts calls, and serves the counts over HTTP from a thread of its own."""

    def __init__(self, address: str, figures: Iterable[Figure]) -> None:
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._calls = Counter("riverboat_calls", "calls that are over", ["method", "code"], registry=registry)
        self._seconds = Histogram(
            "riverboat_call_seconds", "how long calls took", ["method"], buckets=_SECONDS, registry=registry
        )
        self._open = Gauge("riverboat_calls_open", "calls under way", ["method"], registry=registry)
        self._streams = Gauge("riverboat_streams_open", "calls under way that are streams", registry=registry)
        self._refused = Counter(
            "riverboat_calls_refused", "calls over a limit, or not allowed", ["method"], registry=registry
        )
        registry.register(_Figures(tuple(figures)))
        host, _, port = address.rpartition(":")
        try:
            self._server, _ = start_http_server(int(port), host.strip("[]"), registry)
        except OSError as error:
            raise CannotStart("metrics_address", f"cannot listen on {address}: {error.strerror}") from None

    def observe(self, method: str, is_stream: bool) -> Begin:
        """Return the counters of a method; all look-ups happen now."""
        codes: dict[str, Counter] = {}
        seconds, is_open = self._seconds.labels(method), self._open.labels(method)
        refused, streams = self._refused.labels(method), self._streams

        def begin(request_id: str, parent: str) -> End:
            start = time.perf_counter()
            is_open.inc()
            if is_stream:
                streams.inc()

            def end(code: str) -> None:
                seconds.observe(time.perf_counter() - start)
                is_open.dec()
                if is_stream:
                    streams.dec()
                if code not in codes:
                    codes[code] = self._calls.labels(method, code)
                codes[code].inc()
                if code in _REFUSALS:
                    refused.inc()

            return end

        return begin

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


class _Figures(Collector):
    """A service's own figures, read at every scrape."""

    def __init__(self, figures: tuple[Figure, ...]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        for figure in self._figures:
            try:
                reading = figure.read()
            except (
                RiverboatError
            ):  # unknown now, for instance because Redis is down: no value is better than a wrong one
                continue
            family = GaugeMetricFamily if figure.kind == "gauge" else CounterMetricFamily
            made = family(figure.name, figure.meaning, labels=[figure.label] if figure.label else [])
            values = reading if isinstance(reading, Mapping) else {"": reading}
            for key, value in values.items():
                made.add_metric([key] if figure.label else [], value)
            yield made
