"""A service that runs already, here or on another machine."""

from collections.abc import Iterator
from contextlib import contextmanager

from riverboat.clients.local.readiness import Waiting, check_connection, silently, wait_until_ready
from riverboat.clients.local.services import ClientT, ServiceProgram, open_service_channel


@contextmanager
def running_service(service: ServiceProgram[ClientT], address: str, waiting: Waiting = silently) -> Iterator[ClientT]:
    """Yield a client of the service at `address` as soon as it is ready; refuse at once if no server listens there."""
    with open_service_channel(address) as channel:
        check_connection(channel, address, service.nobody_at(address))
        client = service.client(channel, address)
        with waiting(f"waiting for {service.definite} at {address}…") as say:
            wait_until_ready(
                service.definite,
                client.answers,
                lambda: None,
                say,
                seconds=service.start_seconds,
                slow_start=service.slow_start,
            )
        yield client
