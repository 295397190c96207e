"""The trainer's and its workers' settings, from the environment: RIVERBOAT_TRAINER_ADDRESS and so on."""

import os

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from riverboat.rpc.logs import LogFormat, LogLevel
from riverboat.rpc.settings import Address, Secret, ServiceSettings

_REDIS = "redis://127.0.0.1:6379/0"
_STORE = "riverboat-data"


class TrainerSettings(ServiceSettings):
    """Defaults work on a laptop."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_TRAINER_", frozen=True)

    address: Address = Field("127.0.0.1:50054", description="where to listen: host:port, or unix:/path")
    redis: str = Field(_REDIS, description="the queue and the book of runs: redis://host:port/number")
    store: str = Field(_STORE, description="where shards and networks are kept: a folder, or s3://… and the like")
    conducts: bool = Field(True, description="whether it goes on with runs; otherwise it only answers questions")
    runs: int = Field(32, ge=1, le=10_000, description="runs under way at a time; more are refused")
    ahead: int = Field(16, ge=1, le=100_000, description="jobs of a run in the queue at a time")
    lost_seconds: float = Field(600, gt=0, description="after which a job that nobody has finished is sent again")
    learning_threads: int = Field(os.cpu_count() or 1, ge=1, le=256, description="for training a network")
    admin_token: Secret = Field(
        SecretStr(""), description="what clients must know to plan, pause, resume, cancel and drop runs"
    )
    admin_token_file: str = Field("", description="a file that has this token in it")
    calls: int = Field(256, ge=1, le=100_000, description="calls open at a time; more are refused")


class WorkerSettings(BaseSettings):
    """What a worker is told."""

    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_WORKER_", frozen=True)

    redis: str = Field(_REDIS, description="the queue and the book of runs: redis://host:port/number")
    store: str = Field(_STORE, description="where shards and networks are kept: a folder, or s3://… and the like")
    processes: int = Field(os.cpu_count() or 1, ge=1, le=1024, description="jobs that are done at a time")
    lost_seconds: float = Field(600, gt=0, description="after which a job whose worker was killed goes to another")
    until_input_ends: bool = Field(False, description="stop when standard input is closed, as a child process should")
    log_level: LogLevel = Field("INFO", description="the least that is logged")
    log_format: LogFormat = Field("auto", description="json or text; auto is text on a terminal, otherwise JSON")
