"""The settings of every service, from the environment."""

import os
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings

from riverboat.errors import InvalidInput
from riverboat.rpc.logs import LogFormat, LogLevel
from riverboat.rpc.secret_files import SHORTEST_SECRET, is_secret, read_secret


def _checked_address(text: str) -> str:
    """Return the address if it is valid; gRPC accepts nearly any text, and then listens at another address."""
    host, _, port = text.rpartition(":")
    listens = host and port.isdecimal() and int(port) <= 65535
    if not listens and not (text.startswith("unix:") and text != "unix:"):
        raise ValueError("must be host:port or unix:/path")
    return text


def _checked_secret(secret: SecretStr) -> SecretStr:
    """Return a secret that is empty, or unguessable and fit for metadata; raise otherwise."""
    text = secret.get_secret_value()
    if text and not is_secret(text):
        raise ValueError(f"must have {SHORTEST_SECRET} or more plain characters")
    return secret


Secret = Annotated[SecretStr, AfterValidator(_checked_secret)]
Address = Annotated[str, AfterValidator(_checked_address)]


class CannotStart(Exception):
    """A setting that does not work here: its name and the reason."""

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(reason)
        self.setting = setting


def secret_of(secret: SecretStr, setting: str, path: str) -> str:
    """Return the secret itself, or the one in the file that `setting` names; raise CannotStart if the file has none."""
    try:
        return secret.get_secret_value() or (read_secret(setting, path) if path else "")
    except InvalidInput as error:
        raise CannotStart(error.field, error.reason) from None


class ServiceSettings(BaseSettings):
    """The settings of every service; the defaults work on a laptop."""

    address: Address
    workers: int = Field(os.cpu_count() or 1, ge=1, le=256, description="threads that compute long calls")
    grace_seconds: float = Field(10.0, ge=0, description="seconds that calls may continue after SIGTERM")
    log_level: LogLevel = Field("INFO", description="lowest level that is logged")
    log_format: LogFormat = Field("auto", description="json or text; auto: text on a terminal, otherwise JSON")
    tls_certificate: str = Field("", description="PEM file of the server's certificate; encrypts all calls")
    tls_key: str = Field("", description="PEM file of the certificate's key")
    tls_client_authority: str = Field("", description="PEM file: clients need a certificate signed by this authority")
    private_network: bool = Field(
        False, description="the network is private, as between containers: no TLS, no warning"
    )
    client_streams: int = Field(0, ge=0, le=100_000, description="open streams of one client; 0: half of CALLS")
    metrics_address: Address | Literal[""] = Field(
        "", description="address that serves Prometheus metrics, such as 127.0.0.1:9101"
    )
    traces: str = Field("", description="collector of OpenTelemetry spans (OTLP), such as http://127.0.0.1:4317")
    until_input_ends: bool = Field(False, description="stop when standard input is closed, as a child process should")
