"""The user at the other end of a connection."""

import os
import socket
from pathlib import Path

import pytest

from riverboat.rpc import sockets
from riverboat.rpc.sockets import user_of

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
GAME_MANAGER, OTHER = "0100007F:C384", "0100007F:1F90"  # ports 50052 and 8080
on_linux = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists the users of connections")


def line(local: str, remote: str, user: int, inode: int, state: str = "01") -> str:
    return f"   1: {local} {remote} {state} 00000000:00000000 00:00000000 00000000  {user}        0 {inode} 1\n"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a list of connections; those with the inodes 1 to 3 are ours."""
    (tmp_path / "fd").mkdir()
    for inode in (1, 2, 3):
        (tmp_path / "fd" / str(inode)).symlink_to(f"socket:[{inode}]")
    (tmp_path / "fd" / "9").symlink_to("/dev/null")
    monkeypatch.setattr(sockets, "_OWN_FILES", tmp_path / "fd")
    monkeypatch.setattr(sockets, "_TABLES", (tmp_path / "none", tmp_path / "tcp"))
    return tmp_path / "tcp"


def test_the_whole_address_counts(table: Path) -> None:
    """The port alone is not enough: 127.0.0.2 with another user's port is not that user."""
    table.write_text(
        HEAD
        + line("0100007F:04D2", GAME_MANAGER, 1007, 81)
        + line("0200007F:04D2", GAME_MANAGER, 1008, 82)
        + line(GAME_MANAGER, "0100007F:04D2", 0, 1)
        + line(GAME_MANAGER, "0200007F:04D2", 0, 2)
    )
    assert (user_of("127.0.0.1:1234"), user_of("127.0.0.2:1234")) == (1007, 1008)
    assert user_of("127.0.0.3:1234") is None
    assert user_of("127.0.0.1:1235") is None


def test_a_connection_to_another_server_does_not_count(table: Path) -> None:
    table.write_text(
        HEAD
        + line("0100007F:04D2", OTHER, 1007, 81)
        + line(OTHER, "0100007F:04D2", 0, 70)  # of another server process
        + line("0100007F:04D2", GAME_MANAGER, 1008, 82)
        + line(GAME_MANAGER, "0100007F:04D2", 0, 1)
    )
    assert user_of("127.0.0.1:1234") == 1008


def test_a_connection_that_has_ended_does_not_count(table: Path) -> None:
    ended, ours = line("0100007F:04D2", GAME_MANAGER, 0, 0, "06"), line(GAME_MANAGER, "0100007F:04D2", 0, 1)
    table.write_text(HEAD + ended + ours)
    assert user_of("127.0.0.1:1234") is None


def test_ipv4_within_ipv6(table: Path) -> None:
    """A server that listens on all addresses has IPv6 sockets, even for IPv4 clients."""
    inside = "0000000000000000FFFF0000"
    table.write_text(
        HEAD
        + line("0100007F:04D2", GAME_MANAGER, 1007, 81)
        + line(inside + GAME_MANAGER, inside + "0100007F:04D2", 0, 1)
    )
    assert user_of("127.0.0.1:1234") == 1007


@on_linux
@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_sockets_as_linux_lists_them(family: socket.AddressFamily, host: str) -> None:
    with socket.socket(family) as server, socket.socket(family) as client:
        try:
            server.bind((host, 0))
        except OSError:
            pytest.skip(f"there is no {host} here")
        server.listen()
        client.connect(server.getsockname())
        accepted, peer = server.accept()
        with accepted:
            assert user_of(f"[{host}]:{peer[1]}" if ":" in host else f"{host}:{peer[1]}") == os.getuid()
            assert user_of(f"127.0.0.77:{peer[1]}") is None
