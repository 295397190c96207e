"""The game manager's settings, from the environment: RIVERBOAT_GAMEMANAGER_ADDRESS and so on."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from riverboat.rpc.settings import Address, Secret, ServiceSettings
from riverboat.rules.tree import MOST_NODES
from riverboat.tables.log import MOST_HANDS


class GameManagerSettings(ServiceSettings):
    """The settings of the game manager; the defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_GAMEMANAGER_", frozen=True)

    address: Address = Field("127.0.0.1:50052", description="address to listen on: host:port, or unix:/path")
    grace_seconds: float = Field(
        2.0, ge=0, description="seconds that streams may continue after SIGTERM; clients can resume them"
    )
    calls: int = Field(2048, ge=1, le=100_000, description="open calls; more are refused")
    long_calls: int = Field(4, ge=1, le=1024, description="trees being expanded; more are refused")
    node_limit: int = Field(MOST_NODES, ge=1, le=20_000_000, description="nodes of a tree; larger trees are refused")
    tables: int = Field(200, ge=1, le=100_000, description="open tables; more are refused")
    client_tables: int = Field(
        0, ge=0, le=100_000, description="open tables of one client, matches included; 0: a quarter of TABLES"
    )
    idle_minutes: float = Field(60, gt=0, le=100_000, description="minutes after which an idle table closes")
    hands: int = Field(
        MOST_HANDS,
        ge=1,
        le=10_000_000,
        description="finished hands of all tables kept in memory for ListHands; the journal has all",
    )
    journal: Path = Field(
        Path("riverboat-data/journal.jsonl"), description="file of the journal, in which tables are kept"
    )
    journal_sync: bool = Field(False, description="wait for the disk at every change, against power failures")
    host_key: Secret = Field(
        SecretStr(""),
        description="key that agent hosts need; without one, any host on this machine or a private network may attend",
    )
    host_key_file: str = Field("", description="file that contains the host key")
    redis_url: str = Field(
        "", description="Redis to keep the journal in instead of the file, such as redis://localhost:6379"
    )
