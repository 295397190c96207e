"""The resolver's settings, from the environment: RIVERBOAT_RESOLVER_ADDRESS and so on."""

import os
from pathlib import Path

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from riverboat.rpc.settings import Address, ServiceSettings


class ResolverSettings(ServiceSettings):
    """The settings of the resolver; the defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_RESOLVER_", frozen=True)

    address: Address = Field("127.0.0.1:50053", description="address to listen on: host:port, or unix:/path")
    oracle_server: Address = Field("127.0.0.1:50051", description="the oracle to ask about cards")
    gamemanager_server: Address = Field("127.0.0.1:50052", description="the state manager to ask about betting")
    networks: Path | None = Field(None, description="folder with more value networks, checked every few seconds")
    shipped: bool = Field(True, description="use the networks that come with Riverboat")
    calls: int = Field(256, ge=1, le=100_000, description="open calls; more are refused")
    long_calls: int = Field(8, ge=1, le=1024, description="spots being solved; more are refused")
    threads: int = Field(
        min(2, os.cpu_count() or 1), ge=1, le=64, description="threads for one spot with cards to come"
    )
    memory_megabytes: int = Field(
        2_000, ge=1, description="megabytes of memory for all spots together; more are refused"
    )
    answer_megabytes: int = Field(
        200, ge=1, le=100_000, description="megabytes of kept answers, so that a question asked again costs nothing"
    )
    solutions: int = Field(16, ge=1, le=10_000, description="solutions kept for questions; the oldest is dropped first")
    expire_minutes: float = Field(30, gt=0, description="minutes after which an unused solution is dropped")
