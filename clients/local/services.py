"""The services as data: the module that each runs, its settings, and the client that knows when it is ready."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

from riverboat.clients.local.settings import server_variable
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import with_article
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.trainer import TrainerClient
from riverboat.compiled.kernels import must_compile
from riverboat.rpc.connections.channels import open_channel

_CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)
_COMPILES = "its first start compiles kernels, which takes a minute or two"
_FOR_NETWORKS = (
    "tls_certificate", "tls_key", "tls_client_authority", "metrics_address", "admin_token", "admin_token_file",
)  # fmt: skip


class Client(Protocol):
    """The calls that the client of every service has."""

    def answers(self, timeout: float) -> bool:
        """Return whether the server answers within `timeout` seconds."""


ClientT = TypeVar("ClientT", bound=Client)
ClientT_co = TypeVar("ClientT_co", bound=Client, covariant=True)


@dataclass(frozen=True, slots=True)
class Program:
    """A module that runs as a process of its own."""

    name: str  # in settings, logs and sockets
    noun: str  # for people
    module: str
    extras: tuple[str, ...]  # that install it

    @property
    def title(self) -> str:
        """The noun with its article: "an oracle"."""
        return with_article(self.noun)

    @property
    def definite(self) -> str:
        """The noun with the definite article: "the oracle"."""
        return f"the {self.noun}"


@dataclass(frozen=True, slots=True)
class ServiceProgram(Program, Generic[ClientT_co]):
    """A server: how it is started, and how it is asked whether it is ready."""

    client: Callable[[Any, str], ClientT_co]  # of a channel and its address
    start_seconds: int = 300  # the first start compiles kernels
    kernels: Callable[[], ModuleType] | None = None  # a module whose kernels are compiled late in its first start
    loading: str = ""  # why every start may take long
    remedy: str = ""  # where no server listens

    @property
    def compiles(self) -> bool:
        """Whether a start compiles kernels first."""
        return self.kernels is not None and must_compile(self.kernels())

    def slow_start(self) -> str:
        """Return why a start takes long; "" if it should not."""
        return _COMPILES if self.compiles else self.loading

    def nobody_at(self, address: str) -> str:
        """Return the refusal for an address where no server listens."""
        remedy = self.remedy or f"without --server and {server_variable(self.name)} this command starts one"
        return f"no {self.noun} answers at {address}; {remedy}"


class OfferedAgents:
    """The client of an agent host, which has no port: it is ready when its game manager has agents on offer."""

    def __init__(self, channel: Any, address: str) -> None:
        self._games = GameManagerClient(channel, address, is_own=False)

    def answers(self, timeout: float) -> bool:
        """Return whether the game manager at the address offers an agent."""
        return self._games.answers(timeout) and bool(self._games.agents())


def _rules() -> ModuleType:
    return import_module("riverboat.rules.betting")


_PLAYING = ("oracle", "gamemanager", "resolver")

ORACLE = ServiceProgram(
    "oracle",
    "oracle",
    "riverboat.services.oracle",
    ("oracle",),
    OracleClient,
    kernels=lambda: import_module("riverboat.utility"),
)
GAMEMANAGER = ServiceProgram(
    "gamemanager",
    "game manager",
    "riverboat.services.gamemanager",
    _PLAYING,
    partial(GameManagerClient, is_own=False),
    kernels=_rules,
    remedy="riverboat up starts one",  # some commands need tables that exist already
)
RESOLVER = ServiceProgram(
    "resolver",
    "resolver",
    "riverboat.services.resolver",
    _PLAYING,
    ResolverClient,
    kernels=lambda: import_module("riverboat.nets.leaf"),
)
TRAINER = ServiceProgram(
    "trainer",
    "trainer",
    "riverboat.services.trainer",
    ("trainer",),
    TrainerClient,
    start_seconds=120,
    loading="it loads torch",
)
AGENT_HOST = ServiceProgram(
    "agents", "agent host", "riverboat.clients.bots.host", _PLAYING, OfferedAgents, kernels=_rules
)
WORKERS = Program("worker", "worker", "riverboat.services.trainer.worker", TRAINER.extras)


def open_service_channel(address: str) -> Any:
    """Return a channel to any of the services."""
    return open_channel(address, _CHANNEL_OPTIONS)


def service_settings(service: str, **settings: str) -> dict[str, str]:
    """Return settings of a service as its environment has them: RIVERBOAT_ORACLE_ADDRESS for `address`."""
    return {f"RIVERBOAT_{service.upper()}_{name.upper()}": value for name, value in settings.items()}


def private_settings(service: str, address: str, **settings: str) -> dict[str, str]:
    """Return settings of a service on a unix socket that ends with us, independent of the environment."""
    others = dict.fromkeys(_FOR_NETWORKS, "")
    own = {"address": address, "log_format": "json", "until_input_ends": "true"}
    return service_settings(service, **others, **own, **settings)
