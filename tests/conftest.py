from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import structlog
from hypothesis import settings

from benchmarks.redis_server import redis_server
from riverboat.protos.gamemanager.v1.state_manager_pb2_grpc import StateManagerStub
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from tests.processes import ServiceProcess, agent_host, free_port, running
from tests.signals import restore_signals

restore_signals()

# No deadline for examples: a busy machine must not fail a test.
settings.register_profile("riverboat", deadline=None)
settings.load_profile("riverboat")

LARGE = (("grpc.max_receive_message_length", 16 * 1024 * 1024), ("grpc.max_send_message_length", 64 * 1024 * 1024))


@pytest.fixture(autouse=True, scope="session")
def own_keyring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep secrets of test servers out of the user's own keyring; processes inherit this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RIVERBOAT_KEYRING", str(tmp_path_factory.mktemp("keyring") / "keyring.json"))
        yield


@pytest.fixture(autouse=True, scope="session")
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep witnesses of test commands out of the user's home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    """Discard this process's logs: an earlier test may have sent them to a file that is closed now."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), cache_logger_on_first_use=False)
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def oracle_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """Yield an oracle that many tests share."""
    folder: Path = tmp_path_factory.mktemp("oracle")
    with running("oracle", folder) as process:
        process.wait_until_healthy()
        yield process


@pytest.fixture
def oracle(oracle_process: ServiceProcess) -> Iterator[OracleStub]:
    """Yield a client of the shared oracle."""
    with grpc.insecure_channel(oracle_process.address, options=LARGE) as channel:
        yield OracleStub(channel)


@pytest.fixture(scope="session")
def gamemanager_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """Yield a game manager that many tests share."""
    folder = tmp_path_factory.mktemp("gamemanager")
    with running("gamemanager", folder, node_limit="200000", journal=str(folder / "journal.jsonl")) as process:
        process.wait_until_healthy()
        yield process


@pytest.fixture(scope="session")
def agents_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a game manager that many tests share, with a host of all agents that need no resolver."""
    folder = tmp_path_factory.mktemp("agents")
    with running("gamemanager", folder, journal=str(folder / "journal.jsonl")) as process:
        process.wait_until_healthy()
        with agent_host(process.address):
            yield process.address


@pytest.fixture
def state_manager(gamemanager_process: ServiceProcess) -> Iterator[StateManagerStub]:
    """Yield a client of the shared state manager."""
    with grpc.insecure_channel(gamemanager_process.address, options=LARGE) as channel:
        yield StateManagerStub(channel)


@pytest.fixture(scope="session")
def resolver_process(
    oracle_process: ServiceProcess, gamemanager_process: ServiceProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """Yield a resolver that many tests share."""
    folder, oracle, states = tmp_path_factory.mktemp("resolver"), oracle_process.address, gamemanager_process.address
    with running("resolver", folder, oracle_server=oracle, gamemanager_server=states) as process:
        process.wait_until_healthy()
        yield process


@pytest.fixture(scope="session")
def trainer_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """Yield a trainer that many tests share, with a Redis of its own and no workers."""
    folder = tmp_path_factory.mktemp("trainer")
    with (
        redis_server(folder / "redis", free_port()) as server,
        running("trainer", folder, redis=server.url, store=str(folder / "data")) as process,
    ):
        process.wait_until_healthy()
        yield process
