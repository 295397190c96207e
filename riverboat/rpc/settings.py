"""What every service reads from the environment."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings

from riverboat.rpc.logs import LogFormat


def _checked_address(text: str) -> str:
    """gRPC takes nearly any text and then listens somewhere: be strict instead."""
    host, _, port = text.rpartition(":")
    listens = host and port.isdecimal() and int(port) <= 65535
    if not listens and not (text.startswith("unix:") and text != "unix:"):
        raise ValueError("must be host:port or unix:/path")
    return text


Address = Annotated[str, AfterValidator(_checked_address)]


class ServiceSettings(BaseSettings):
    """What every service is told."""

    address: Address
    log_level: str
    log_format: LogFormat
    until_input_ends: bool = Field(False, description="stop when standard input is closed, as a child process should")
