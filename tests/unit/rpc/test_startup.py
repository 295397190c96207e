"""How services start: help, and invalid settings."""

import os
import subprocess
import sys

import pytest
from pydantic import Field
from pydantic_settings import SettingsConfigDict

from riverboat.rpc.settings import Address, CannotStart, ServiceSettings
from riverboat.rpc.startup import start


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_TEST_")

    address: Address = Field("127.0.0.1:1", description="where")


async def refuse(settings: Settings) -> None:
    raise CannotStart("journal", "it is taken")


async def nothing(settings: Settings) -> None:
    pass


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert start("test", Settings, nothing, ["--help"]) == 0
    assert "RIVERBOAT_TEST_ADDRESS" in capsys.readouterr().out
    assert start("test", Settings, nothing, ["nonsense"]) == 2


def test_a_setting_that_does_not_work_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert start("test", Settings, nothing, []) == 0
    assert start("test", Settings, refuse, []) == 2
    assert capsys.readouterr().err == "RIVERBOAT_TEST_JOURNAL: it is taken\n"


@pytest.mark.parametrize("address", ["", ":", "x", "h:70000", "h:x", "unix:"])
def test_bad_addresses(address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RIVERBOAT_TEST_ADDRESS", address)
    assert start("test", Settings, nothing, []) == 2
    assert capsys.readouterr().err.startswith("RIVERBOAT_TEST_ADDRESS: must be host:port or unix:/path")


def test_the_reader_of_help_may_go_away() -> None:
    """As in `--help | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "riverboat.services.oracle", "--help"]
    try:
        ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, "")
