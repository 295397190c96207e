from collections.abc import Iterator

import pytest

from riverboat.clients.remote.resolver import ResolverClient, open_resolver_channel
from tests.processes import ServiceProcess


@pytest.fixture(scope="package")
def link(resolver_process: ServiceProcess) -> Iterator[ResolverClient]:
    """A real resolver, with a real oracle and a real state manager."""
    with open_resolver_channel(resolver_process.address) as channel:
        yield ResolverClient(channel, resolver_process.address)
