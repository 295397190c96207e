"""Permission for admin calls, and secrecy of tokens."""

import sys
from io import StringIO
from typing import Any

import grpc
import pytest
import structlog
from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.rpc.admin import admin_check
from riverboat.rpc.calls import Watch
from riverboat.rpc.connections.channels import open_aio_channel
from riverboat.rpc.connections.forwarding_channel import admin_metadata
from riverboat.rpc.logs import configure_logs
from riverboat.rpc.settings import Address, Secret, ServiceSettings
from riverboat.rpc.startup import start
from tests.unit.rpc.servers import guarded

LIST = "/riverboat.oracle.v1.Oracle/ListDecks"
TOKEN = "a-token-that-nobody-guesses"  # noqa: S105


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_TEST_")

    address: Address = Field("127.0.0.1:1")
    admin_token: Secret = Field(SecretStr(""))


async def decks(context: Any) -> pb.ListDecksResponse:
    return pb.ListDecksResponse()


async def answer(settings: Settings, given: tuple[tuple[str, str], ...] = ()) -> str:
    """Return the result of an admin call."""
    check = admin_check(settings, settings.admin_token.get_secret_value())
    async with guarded(decks, Watch(checks={LIST: check})) as server, open_aio_channel(server) as channel:
        stub: Any = OracleStub(channel)
        stream = stub.Equity(pb.EquityRequest())  # not an admin call
        await stream.read()
        stream.cancel()
        try:
            await stub.ListDecks(pb.ListDecksRequest(), metadata=given)
        except grpc.aio.AioRpcError as error:
            return f"{error.code().name}: {error.details()}"
    return "OK"


async def test_a_token_is_needed_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(admin_token=SecretStr(TOKEN))
    assert (await answer(settings)).startswith("PERMISSION_DENIED: this is an admin call: set RIVERBOAT_ADMIN_TOKEN")
    assert (await answer(settings, (("x-admin-token", TOKEN + "x"),))).startswith("PERMISSION_DENIED")
    assert admin_metadata("127.0.0.1:1") == ()
    monkeypatch.setenv("RIVERBOAT_ADMIN_TOKEN", TOKEN)
    assert await answer(settings, admin_metadata("127.0.0.1:1")) == "OK"
    assert TOKEN not in repr(settings)


async def test_without_a_token_they_are_open_to_those_who_are_trusted() -> None:
    assert await answer(Settings()) == "OK"
    assert await answer(Settings(address="0.0.0.0:1", private_network=True)) == "OK"
    refused = await answer(Settings(address="0.0.0.0:1"))
    assert refused.startswith("PERMISSION_DENIED")
    assert "RIVERBOAT_TEST_ADMIN_TOKEN is set" in refused


def test_a_secret_that_is_refused_is_not_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def nothing(settings: Settings) -> None:
        raise AssertionError("it must not start")

    monkeypatch.setenv("RIVERBOAT_TEST_ADMIN_TOKEN", "short")
    assert start("test", Settings, nothing, []) == 2
    assert capsys.readouterr().err == "RIVERBOAT_TEST_ADMIN_TOKEN: must have 16 or more plain characters\n"


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_bugs_are_logged_without_what_was_in_the_variables(log_format: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sink = StringIO()
    monkeypatch.setattr(sys, "stderr", sink)
    configure_logs("DEBUG", log_format)

    def fail(token: str) -> None:
        raise RuntimeError("a bug")

    try:
        fail(TOKEN)
    except RuntimeError:
        structlog.get_logger().exception("bug")
    assert "a bug" in sink.getvalue()
    assert TOKEN not in sink.getvalue()
