"""One way to serve: health, reflection, readiness, graceful stop, structured logs."""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from riverboat.rpc.calls import CallCheck, GuardedServer, Watch
from riverboat.rpc.exposure import note_exposure, server_credentials
from riverboat.rpc.logs import log
from riverboat.rpc.observers import Figure, Observer, observers_for
from riverboat.rpc.settings import CannotStart, ServiceSettings

_OPTIONS = (
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.max_send_message_length", 4 * 1024 * 1024),
    ("grpc.max_concurrent_streams", 1000),  # per connection: a host plays many chairs
    ("grpc.so_reuseport", 0),  # a second server on the same port is a mistake
)


@dataclass(frozen=True, slots=True)
class Service:
    """The services to serve: full names, how to add them to a server, and their warm-up."""

    names: tuple[str, ...]
    register: Callable[[Any], None]  # adds the services to a server
    prepare: Callable[[], Awaitable[None]]
    most_calls: int  # open at a time, of all clients together
    figures: tuple[Figure, ...] = ()  # for metrics
    checks: Mapping[str, CallCheck] = field(default_factory=dict)  # of permission, by the methods' full names

    @property
    def short_name(self) -> str:
        """The last part of the name in lower case: oracle for riverboat.oracle.v1.Oracle."""
        return self.names[0].split(".")[1]


async def serve(service: Service, settings: ServiceSettings) -> None:
    """Serve until SIGTERM or SIGINT, then finish calls under way (up to the grace period) and return.

    The server listens at once; it is healthy, and answers calls, when the service is prepared.
    """
    credentials = server_credentials(settings)
    ready, stop = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_note_exception)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if settings.until_input_ends:
        loop.add_reader(sys.stdin.fileno(), lambda: None if os.read(sys.stdin.fileno(), 1024) else stop.set())
    server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=service.most_calls)
    observers = observers_for(settings, service.short_name, service.figures)
    guarded = GuardedServer(server, ready, _watch(service, settings, observers))
    service.register(guarded)
    vitals = health.aio.HealthServicer()
    names = (*service.names, health.SERVICE_NAME, reflection.SERVICE_NAME)
    _add_to(GuardedServer(server, None, streams=guarded.streams), vitals, reflection.aio.ReflectionServicer(names))
    await _announce(vitals, service, health_pb2.HealthCheckResponse.NOT_SERVING)
    port = _listen(server, settings.address, credentials)
    await server.start()
    log.info("listening", services=service.names, address=settings.address, port=port, tls=credentials is not None)
    note_exposure(settings)
    preparing = asyncio.create_task(_prepare(service, vitals, ready))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((preparing, stopping), return_when=asyncio.FIRST_COMPLETED)
    if preparing.done():
        preparing.result()  # raises if the service cannot be prepared
        await stopping
    if settings.until_input_ends:
        loop.remove_reader(sys.stdin.fileno())
    log.info("draining", grace_seconds=settings.grace_seconds)
    await vitals.enter_graceful_shutdown()
    await server.stop(settings.grace_seconds)
    for observer in observers:
        await asyncio.to_thread(observer.close)
    log.info("stopped")


def _watch(service: Service, settings: ServiceSettings, observers: tuple[Observer, ...]) -> Watch:
    """Return the guard's options for a service."""
    return Watch(
        most_streams=max(1, service.most_calls * 9 // 10),
        client_streams=settings.client_streams or max(1, service.most_calls // 2),
        observers=observers,
        checks=service.checks,
    )


def _listen(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None) -> int:
    """Listen at an address; return the port."""
    try:
        if credentials is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    except RuntimeError as error:
        raise CannotStart("address", f"cannot listen on {address}: is something else running there?") from error
    if port == 0 and not address.startswith("unix:"):
        raise CannotStart("address", f"cannot listen on {address}")
    return port


def leave(code: int) -> NoReturn:
    """End the process now, without waiting for threads whose result nobody needs."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _add_to(server: Any, vitals: Any, mirror: Any) -> None:
    """Add health and reflection, which answer before the service is ready."""
    add_reflection: Any = reflection_pb2_grpc.add_ServerReflectionServicer_to_server
    health_pb2_grpc.add_HealthServicer_to_server(vitals, server)
    add_reflection(mirror, server)


def _note_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception that nobody awaited; calls cut off at the end of the grace period are expected."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        log.error("bug", message=context["message"], exc_info=context.get("exception"))


async def _prepare(service: Service, vitals: health.aio.HealthServicer, ready: asyncio.Event) -> None:
    await service.prepare()
    gc.collect()
    gc.freeze()  # objects loaded so far stay: the garbage collector need not scan them again
    ready.set()
    await _announce(vitals, service, health_pb2.HealthCheckResponse.SERVING)
    log.info("ready", services=service.names)


async def _announce(vitals: health.aio.HealthServicer, service: Service, status: int) -> None:
    for name in ("", *service.names):
        await vitals.set(name, status)
