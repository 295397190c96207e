from collections.abc import Iterator

import pytest

from riverboat.clients.remote.channels import open_resolver_channel
from riverboat.clients.remote.resolver import ResolverClient
from tests.processes import ServiceProcess


@pytest.fixture(scope="package")
def link(resolver_process: ServiceProcess) -> Iterator[ResolverClient]:
    """Yield a client of a real resolver, with a real oracle and a real state manager."""
    with open_resolver_channel(resolver_process.address) as channel:
        yield ResolverClient(channel, resolver_process.address)
