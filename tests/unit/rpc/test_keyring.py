"""Secrets in files: clients find them, others cannot read them, and each goes to its own server only."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest
from pydantic import SecretStr

from riverboat.clients.bots.settings import host_key
from riverboat.errors import InvalidInput
from riverboat.rpc.connections.forwarding_channel import admin_metadata
from riverboat.rpc.connections.keyring import change_keyring, find_secret, read_keyring
from riverboat.rpc.connections.settings import user_keyring
from riverboat.rpc.provision import main as provision
from riverboat.rpc.secret_files import is_secret, new_secret, read_secret, write_private
from riverboat.rpc.settings import CannotStart, secret_of

MANAGER, TRAINER = "127.0.0.1:50052", "127.0.0.1:50054"
KEY, OTHER = "k" * 20, "o" * 20


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a user's home, and another current folder."""
    for name in ("home", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.delenv("RIVERBOAT_KEYRING")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_secrets_are_secrets_and_never_the_same() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert is_secret(new_secret())


def test_a_keyring_is_for_its_owner_only(home: Path) -> None:
    before = os.umask(0)
    try:
        change_keyring(user_keyring(), {MANAGER: KEY})
    finally:
        os.umask(before)
    assert user_keyring() == home / ".riverboat" / "keyring.json"
    assert (mode(user_keyring()), mode(user_keyring().parent)) == (0o600, 0o700)
    assert sorted(path.name for path in user_keyring().parent.iterdir()) == ["keyring.json"]


def test_a_secret_goes_to_its_own_server_only() -> None:
    change_keyring(user_keyring(), {MANAGER: KEY, TRAINER: OTHER})
    assert host_key(MANAGER) == KEY == host_key("localhost:50052")
    assert admin_metadata(TRAINER) == (("x-admin-token", OTHER),)
    for address in ("127.0.0.1:50055", "10.0.0.1:50052", "evil.example.org:50052", "unix:/tmp/a"):
        assert host_key(address) == ""
        assert admin_metadata(address) == ()


def test_the_folder_comes_before_the_home_and_the_environment_before_both(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    change_keyring(user_keyring(), {MANAGER: KEY})
    change_keyring(Path(".riverboat/keyring.json"), {MANAGER: OTHER})
    assert host_key(MANAGER) == OTHER
    write_private(tmp_path / "file", "f" * 20 + "\n")
    monkeypatch.setenv("RIVERBOAT_GAMEMANAGER_HOST_KEY_FILE", str(tmp_path / "file"))
    assert host_key(MANAGER) == "f" * 20
    monkeypatch.setenv("RIVERBOAT_GAMEMANAGER_HOST_KEY", "e" * 20)
    assert host_key(MANAGER) == "e" * 20


def test_secrets_are_forgotten_when_told() -> None:
    change_keyring(user_keyring(), {MANAGER: KEY, TRAINER: OTHER})
    change_keyring(user_keyring(), {MANAGER: None})
    assert read_keyring(user_keyring()) == {TRAINER: OTHER}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"127.0.0.1:50052": 7}', '{"127.0.0.1:50052": "short"}', "\x00"])
def test_a_file_that_is_no_keyring_has_no_secrets(text: str) -> None:
    user_keyring().parent.mkdir()
    user_keyring().write_text(text)
    assert find_secret(MANAGER) == ""
    change_keyring(user_keyring(), {TRAINER: OTHER})
    assert read_keyring(user_keyring()) == {TRAINER: OTHER}


def test_many_may_change_it_at_once() -> None:
    changes = [{f"127.0.0.1:{port}": KEY} for port in range(1, 21)]
    threads = [threading.Thread(target=change_keyring, args=(user_keyring(), change)) for change in changes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read_keyring(user_keyring())) == 20


def test_a_file_must_have_a_secret_in_it(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"X_FILE: cannot read .*: No such file"):
        read_secret("X_FILE", str(tmp_path / "none"))
    (tmp_path / "short").write_text("short\n")
    with pytest.raises(InvalidInput, match=r"X_FILE: .* must have 16 or more plain characters") as caught:
        read_secret("X_FILE", str(tmp_path / "short"))
    assert "'short'" not in str(caught.value)
    (tmp_path / "good").write_text(KEY + "\n")
    assert read_secret("X_FILE", str(tmp_path / "good")) == KEY


def test_a_service_takes_what_was_set_before_what_is_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY)
    assert secret_of(SecretStr(OTHER), "host_key_file", str(tmp_path / "none")) == OTHER
    assert secret_of(SecretStr(""), "host_key_file", str(tmp_path / "key")) == KEY
    assert secret_of(SecretStr(""), "host_key_file", "") == ""
    with pytest.raises(CannotStart) as caught:  # a missing file must not open the server to everybody
        secret_of(SecretStr(""), "host_key_file", str(tmp_path / "none"))
    assert caught.value.setting == "host_key_file"


def provisioned(tmp_path: Path) -> dict[str, str]:
    """Return a stack's secrets after another start."""
    (tmp_path / "secrets").mkdir(exist_ok=True)
    (tmp_path / "docker-compose.yml").touch()
    options = {"folder": "secrets", "keyring": "owner/keyring.json", "owner": "docker-compose.yml"}
    words = [word for name, value in options.items() for word in (f"--{name}", str(tmp_path / value))]
    secrets = [
        f"RIVERBOAT_GAMEMANAGER_HOST_KEY=host-key={MANAGER}",
        f"RIVERBOAT_TRAINER_ADMIN_TOKEN=admin-token={TRAINER}",
    ]
    assert provision([*words, "--user", str(os.getuid()), *secrets]) == 0
    return {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}


def test_a_stack_makes_its_secrets_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secrets = provisioned(tmp_path)
    assert sorted(secrets) == ["admin-token", "host-key"]
    assert secrets["admin-token"] != secrets["host-key"]
    assert all(map(is_secret, secrets.values()))
    assert {mode(path) for path in (tmp_path / "secrets").iterdir()} == {0o400}
    keyring = tmp_path / "owner" / "keyring.json"
    assert json.loads(keyring.read_text()) == {MANAGER: secrets["host-key"], TRAINER: secrets["admin-token"]}
    assert mode(keyring) == 0o600
    assert provisioned(tmp_path) == secrets
    printed = "".join(capsys.readouterr())
    assert not [secret for secret in secrets.values() if secret in printed]


def test_what_is_no_secret_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIVERBOAT_TRAINER_ADMIN_TOKEN", "short")
    with pytest.raises(AssertionError):
        provisioned(tmp_path)
    assert capsys.readouterr().err == "RIVERBOAT_TRAINER_ADMIN_TOKEN: must have 16 or more plain characters\n"


def test_what_the_owner_sets_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = provisioned(tmp_path)
    monkeypatch.setenv("RIVERBOAT_TRAINER_ADMIN_TOKEN", OTHER)
    assert provisioned(tmp_path) == {**before, "admin-token": OTHER}
    assert read_keyring(tmp_path / "owner" / "keyring.json")[TRAINER] == OTHER


def test_a_keyring_that_cannot_be_written_keeps_no_stack_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "owner").write_text("a file, not a folder")
    secrets = provisioned(tmp_path)
    assert len(secrets) == 2
    assert "cannot be written" in capsys.readouterr().err
