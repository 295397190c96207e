"""The oracle's settings, from the environment: RIVERBOAT_ORACLE_ADDRESS and so on."""

import os
from typing import Literal

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from riverboat.equity import EXACT_LIMIT
from riverboat.rpc.settings import Address, ServiceSettings


class OracleSettings(ServiceSettings):
    """Defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_ORACLE_", frozen=True)

    address: Address = Field("127.0.0.1:50051", description="where to listen: host:port, or unix:/path")
    workers: int = Field(os.cpu_count() or 1, ge=1, le=256, description="threads that compute long calls")
    calls: int = Field(256, ge=1, le=10_000, description="calls open at a time; more are refused")
    long_calls: int = Field(64, ge=1, le=1024, description="long calls among them; more are refused")
    exact_limit: int = Field(EXACT_LIMIT, ge=1, description="showdowns up to which exact equities are computed")
    grace_seconds: float = Field(10.0, ge=0, description="how long calls may go on after SIGTERM")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="the least that is logged")
    log_format: Literal["auto", "json", "text"] = Field("auto", description="text on a terminal, otherwise JSON")
