"""The trainer's and its workers' settings, from the environment: RIVERBOAT_TRAINER_ADDRESS and so on."""

import os

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from riverboat.rpc.logs import LogFormat, LogLevel
from riverboat.rpc.settings import Address, Secret, ServiceSettings

_REDIS = "redis://127.0.0.1:6379/0"
_STORE = "riverboat-data"


class TrainerSettings(ServiceSettings):
    """The settings of the trainer; the defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_TRAINER_", frozen=True)

    address: Address = Field("127.0.0.1:50054", description="address to listen on: host:port, or unix:/path")
    redis: str = Field(_REDIS, description="Redis with the queue and the ledger of runs: redis://host:port/number")
    store: str = Field(_STORE, description="store of shards and networks: a folder, or a URL such as s3://bucket/path")
    conducts: bool = Field(True, description="continue runs; otherwise only answer questions about them")
    runs: int = Field(32, ge=1, le=10_000, description="runs under way, paused ones included; more are refused")
    ahead: int = Field(16, ge=1, le=100_000, description="jobs of a run that are queued or under way at a time")
    lost_seconds: float = Field(600, gt=0, description="seconds after which an unfinished job is sent again")
    learning_threads: int = Field(os.cpu_count() or 1, ge=1, le=256, description="threads that train a network")
    admin_token: Secret = Field(
        SecretStr(""), description="token that clients need to plan, pause, resume, cancel and drop runs"
    )
    admin_token_file: str = Field("", description="file that contains the admin token")
    calls: int = Field(256, ge=1, le=100_000, description="open calls; more are refused")


class WorkerSettings(BaseSettings):
    """The settings of a worker."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_WORKER_", frozen=True)

    redis: str = Field(_REDIS, description="Redis with the queue and the ledger of runs: redis://host:port/number")
    store: str = Field(_STORE, description="store of shards and networks: a folder, or a URL such as s3://bucket/path")
    processes: int = Field(os.cpu_count() or 1, ge=1, le=1024, description="jobs done at the same time")
    lost_seconds: float = Field(
        600, gt=0, description="seconds after which a killed worker's job goes to another worker"
    )
    until_input_ends: bool = Field(False, description="stop when standard input is closed, as a child process should")
    log_level: LogLevel = Field("INFO", description="lowest level that is logged")
    log_format: LogFormat = Field("auto", description="json or text; auto: text on a terminal, otherwise JSON")
