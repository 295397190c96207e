"""The resolver's settings, from the environment: RIVERBOAT_RESOLVER_ADDRESS and so on."""

import os
from pathlib import Path

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from riverboat.rpc.settings import Address, ServiceSettings


class ResolverSettings(ServiceSettings):
    """Defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_RESOLVER_", frozen=True)

    address: Address = Field("127.0.0.1:50053", description="where to listen: host:port, or unix:/path")
    oracle_server: Address = Field("127.0.0.1:50051", description="the oracle to ask about cards")
    gamemanager_server: Address = Field("127.0.0.1:50052", description="the state manager to ask about betting")
    networks: Path | None = Field(None, description="a folder with more value networks, looked at again and again")
    shipped: bool = Field(True, description="whether networks that come with Riverboat are used as well")
    calls: int = Field(256, ge=1, le=100_000, description="calls open at a time; more are refused")
    long_calls: int = Field(8, ge=1, le=1024, description="spots being solved among them; more are refused")
    threads: int = Field(min(2, os.cpu_count() or 1), ge=1, le=64, description="for one spot that has deals ahead")
    memory_megabytes: int = Field(2_000, ge=1, description="of all spots together; more are refused")
    solutions: int = Field(16, ge=1, le=10_000, description="kept to be asked about; the oldest goes first")
    expire_minutes: float = Field(30, gt=0, description="after which a solution that nobody asks about is forgotten")
