from collections.abc import Iterator

import pytest

from clients.resolving.link import ResolverLink, open_resolver_channel
from tests.processes import ServiceProcess, running


@pytest.fixture(scope="package")
def link(
    oracle_process: ServiceProcess, gamemanager_process: ServiceProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ResolverLink]:
    """A real resolver, with a real oracle and a real state manager."""
    folder, oracle, states = tmp_path_factory.mktemp("resolver"), oracle_process.address, gamemanager_process.address
    with running("resolver", folder, oracle_server=oracle, gamemanager_server=states) as process:
        process.wait_until_healthy()
        with open_resolver_channel(process.address) as channel:
            yield ResolverLink(channel, process.address)
