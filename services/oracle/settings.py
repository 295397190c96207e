"""The oracle's settings, from the environment: RIVERBOAT_ORACLE_ADDRESS and so on."""

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from riverboat.equity import EXACT_LIMIT
from riverboat.rpc.settings import Address, ServiceSettings


class OracleSettings(ServiceSettings):
    """The settings of the oracle; the defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_ORACLE_", frozen=True)

    address: Address = Field("127.0.0.1:50051", description="address to listen on: host:port, or unix:/path")
    calls: int = Field(256, ge=1, le=10_000, description="open calls; more are refused")
    long_calls: int = Field(
        64, ge=1, le=1024, description="open long calls (equities, utilities, cheat sheets); more are refused"
    )
    exact_limit: int = Field(EXACT_LIMIT, ge=1, description="showdowns up to which an equity may be computed exactly")
