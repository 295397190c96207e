"""Exposure of a server: bad certificates are refused at the start, and open networks cause a warning."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from pydantic_settings import SettingsConfigDict

from riverboat.errors import InvalidInput
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.connections.problems import connection_problem
from riverboat.rpc.exposure import is_local, note_exposure, server_credentials
from riverboat.rpc.settings import CannotStart, ServiceSettings
from tests.certificates import Authority


class Settings(ServiceSettings):
    model_config = SettingsConfigDict(env_prefix="RIVERBOAT_TEST_")


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1:1", True), ("127.8.0.1:1", True), ("[::1]:1", True), ("localhost:1", True), ("unix:/tmp/x", True),
        ("0.0.0.0:1", False), ("[::]:1", False), ("10.0.0.1:1", False), ("example.org:1", False), ("*:1", False),
    ],
)  # fmt: skip
def test_what_is_local(address: str, local: bool) -> None:
    assert is_local(address) is local


def refusal(**settings: str) -> tuple[str, str]:
    with pytest.raises(CannotStart) as caught:
        server_credentials(Settings(**{"address": "127.0.0.1:1", **settings}))  # type: ignore[arg-type]  # all text
    return caught.value.setting, str(caught.value)


def test_settings_that_do_not_work_are_named(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    one, two = authority.sign("one"), authority.sign("two")
    garbage = tmp_path / "garbage.pem"
    garbage.write_text("hello")
    cases = [
        ({"tls_certificate": one.certificate}, "tls_key", "is not set"),
        ({"tls_key": one.key}, "tls_certificate", "is not set"),
        ({"tls_client_authority": authority.file}, "tls_certificate", "is not set"),
        ({"tls_certificate": str(tmp_path / "none.pem"), "tls_key": one.key}, "tls_certificate", "No such file"),
        ({"tls_certificate": one.certificate, "tls_key": str(tmp_path)}, "tls_key", "cannot read"),
        ({"tls_certificate": str(garbage), "tls_key": one.key}, "tls_certificate", "not a PEM file"),
        ({"tls_certificate": one.certificate, "tls_key": str(garbage)}, "tls_key", "not a PEM file"),
        ({"tls_certificate": one.certificate, "tls_key": two.key}, "tls_key", "is not the key of"),
    ]
    for settings, name, words in cases:
        setting, reason = refusal(**settings)
        assert (setting, words in reason) == (name, True), (settings, setting, reason)
    good = {"tls_certificate": one.certificate, "tls_key": one.key}
    assert refusal(**good, tls_client_authority=str(garbage))[0] == "tls_client_authority"
    assert refusal(**good, address="unix:/tmp/x")[0] == "tls_certificate"
    assert server_credentials(Settings(address="127.0.0.1:1")) is None
    assert server_credentials(Settings(address="127.0.0.1:1", **good)) is not None  # type: ignore[arg-type]  # all text


def test_an_open_network_is_warned_of(tmp_path: Path) -> None:
    pair = Authority(tmp_path, "authority").sign("one")
    with structlog.testing.capture_logs() as lines:
        note_exposure(Settings(address="127.0.0.1:1"))
        note_exposure(Settings(address="0.0.0.0:1", tls_certificate=pair.certificate, tls_key=pair.key))
        assert lines == []
        note_exposure(Settings(address="0.0.0.0:1"))
        note_exposure(Settings(address="0.0.0.0:1", private_network=True))
    assert [line["log_level"] for line in lines] == ["error", "info"]
    assert "RIVERBOAT_TEST_TLS_CERTIFICATE" in lines[0]["advice"]
    assert "read along" in lines[0]["danger"]


def test_whoever_dials_is_told_what_is_wrong_with_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path, "authority")
    pair = authority.sign("one")
    monkeypatch.setenv("RIVERBOAT_TLS_KEY", pair.key)
    with pytest.raises(InvalidInput, match="RIVERBOAT_TLS_AUTHORITY: is not set, but RIVERBOAT_TLS_KEY is"):
        open_channel("127.0.0.1:1")
    open_channel("unix:/tmp/x").close()  # stays unencrypted
    monkeypatch.setenv("RIVERBOAT_TLS_AUTHORITY", authority.file)
    with pytest.raises(InvalidInput, match="RIVERBOAT_TLS_CERTIFICATE: is not set"):
        open_channel("127.0.0.1:1")
    monkeypatch.setenv("RIVERBOAT_TLS_CERTIFICATE", pair.certificate)
    open_channel("127.0.0.1:1").close()
    monkeypatch.setenv("RIVERBOAT_TLS_AUTHORITY", str(tmp_path / "none"))
    with pytest.raises(InvalidInput, match="RIVERBOAT_TLS_AUTHORITY: cannot read"):
        open_channel("127.0.0.1:1")


@pytest.mark.parametrize(
    ("signed", "words"),
    [
        ({"host": "10.1.2.3"}, "is for another host name: connect by a name that it lists"),
        ({"lasts": timedelta(days=-1)}, "has expired: its owner must renew it"),
    ],
)
def test_servers_whose_certificate_is_no_good(
    tmp_path: Path, signed: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path, "authority")
    pair = authority.sign("server", **signed)
    monkeypatch.setenv("RIVERBOAT_TLS_AUTHORITY", authority.file)
    credentials = server_credentials(
        Settings(address="127.0.0.1:1", tls_certificate=pair.certificate, tls_key=pair.key)
    )
    server = grpc.server(ThreadPoolExecutor(1))
    assert credentials is not None
    address = f"127.0.0.1:{server.add_secure_port('127.0.0.1:0', credentials)}"
    server.start()
    with open_channel(address) as channel:
        assert connection_problem(channel, address) == f"the certificate of {address} {words}"
    server.stop(None)
