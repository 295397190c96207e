"""The game manager's settings, from the environment: RIVERBOAT_GAMEMANAGER_ADDRESS and so on."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from riverboat.rpc.settings import Address, Secret, ServiceSettings
from riverboat.rules.tree import MOST_NODES
from riverboat.tables.log import MOST_HANDS


class GameManagerSettings(ServiceSettings):
    """Defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_GAMEMANAGER_", frozen=True)

    address: Address = Field("127.0.0.1:50052", description="where to listen: host:port, or unix:/path")
    grace_seconds: float = Field(2.0, ge=0, description="how long streams may go on after SIGTERM; they can be resumed")
    calls: int = Field(2048, ge=1, le=100_000, description="calls open at a time; more are refused")
    long_calls: int = Field(4, ge=1, le=1024, description="trees under way among them; more are refused")
    node_limit: int = Field(MOST_NODES, ge=1, le=20_000_000, description="nodes of a tree; larger ones are refused")
    tables: int = Field(200, ge=1, le=100_000, description="tables open at a time; more are refused")
    client_tables: int = Field(
        0, ge=0, le=100_000, description="tables of one client among them, matches included; 0: a quarter of all"
    )
    idle_minutes: float = Field(60, gt=0, le=100_000, description="after which a table where nothing happens ends")
    hands: int = Field(
        MOST_HANDS, ge=1, le=10_000_000, description="hands of all tables in memory, to list; the journal has all"
    )
    journal: Path = Field(Path("riverboat-data/journal.jsonl"), description="the file that tables are kept in")
    journal_sync: bool = Field(False, description="wait for the disk at every event, against power failures")
    host_key: Secret = Field(
        SecretStr(""), description="what agent hosts must know; without one any may attend, if only this machine can"
    )
    host_key_file: str = Field("", description="a file that has this key in it")
    redis_url: str = Field("", description="keep tables in this Redis instead, like redis://localhost:6379")
