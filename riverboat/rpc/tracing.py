"""OpenTelemetry: a span for each call, sent to a collector by OTLP."""

import logging

from grpc import StatusCode
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status
from opentelemetry.trace import StatusCode as SpanStatus
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from riverboat.rpc.logs import log
from riverboat.rpc.observers import Begin, End
from riverboat.rpc.passed_metadata import TRACE_KEY, trace_parent

# Codes that are the server's fault; all others are the caller's.
_FAULTS = frozenset({"UNKNOWN", "INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "DATA_LOSS"})


_EXPORT_SECONDS = 2  # to wait for a collector, also on exit: a service must stop in time without it


class _Notes(logging.Handler):
    """Messages of OpenTelemetry, as lines of our log."""

    def emit(self, record: logging.LogRecord) -> None:
        log.warning("traces_not_sent", reason=record.getMessage())


class Traces:
    """Begins a span for each call, as a child of the span that the caller names."""

    def __init__(self, endpoint: str, service: str) -> None:
        notes = logging.getLogger("opentelemetry")
        notes.handlers, notes.propagate = [_Notes()], False
        self._provider = TracerProvider(resource=Resource.create({"service.name": f"riverboat-{service}"}))
        self._provider.add_span_processor(
            BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=_EXPORT_SECONDS))
        )
        self._tracer = self._provider.get_tracer("riverboat")
        self._propagator = TraceContextTextMapPropagator()

    def observe(self, method: str, is_stream: bool) -> Begin:
        """Return a function that begins a span for a call of the method."""
        name = method.removeprefix("/")
        contract, _, short = name.partition("/")
        known = {"rpc.system": "grpc", "rpc.service": contract, "rpc.method": short}

        def begin(request_id: str, parent: str) -> End:
            parent_context = self._propagator.extract({TRACE_KEY: parent}) if parent else None
            attributes = {**known, "riverboat.request_id": request_id}
            span = self._tracer.start_span(name, parent_context, kind=SpanKind.SERVER, attributes=attributes)
            own = span.get_span_context()
            # Calls that this one makes become its children.
            trace_parent.set(f"00-{own.trace_id:032x}-{own.span_id:016x}-{own.trace_flags:02x}")

            def end(code: str) -> None:
                span.set_attribute("rpc.grpc.status_code", StatusCode[code].value[0])
                if code in _FAULTS:
                    span.set_status(Status(SpanStatus.ERROR, code))
                span.end()

            return end

        return begin

    def close(self) -> None:
        """Send the spans that are left."""
        self._provider.shutdown()
