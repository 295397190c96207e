"""Connections of this machine as Linux lists them: the user at the other end of one of ours."""

import ipaddress
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))  # Linux only
_OWN_FILES = Path("/proc/self/fd")
_LOCAL, _REMOTE, _STATE, _USER, _INODE = 1, 2, 3, 7, 9  # columns
_CONNECTED = "01"
_WORD_DIGITS = 8  # addresses are words of 32 bits in this machine's order of bytes

SocketEnd = tuple[str, int]  # an address and a port


@dataclass(frozen=True, slots=True)
class _Socket:
    local: SocketEnd
    remote: SocketEnd
    user: int
    inode: str


def user_of(address: str) -> int | None:
    """Return the user who is connected to this process from an address like 127.0.0.1:1234; None if unknown.

    Users may share a port, with different addresses or towards different servers, so both ends must match: the user's
    socket is the mirror of one that this process has.
    """
    host, _, port = address.rpartition(":")
    peer = (_plain(ipaddress.ip_address(host.strip("[]"))), int(port))
    sockets = list(_connected(peer[1]))
    towards_peer = [socket for socket in sockets if socket.remote == peer]
    own = _own_inodes() if towards_peer else set()
    servers = {socket.local for socket in towards_peer if socket.inode in own}
    return next((socket.user for socket in sockets if socket.local == peer and socket.remote in servers), None)


def _connected(port: int) -> Iterator[_Socket]:
    """Yield the connections that have this port at either end."""
    sign = f":{port:04X} "
    for path in _TABLES:
        try:
            lines = path.read_text().splitlines()[1:]
        except OSError:
            continue
        for columns in (line.split() for line in lines if sign in line):
            if columns[_STATE] == _CONNECTED:
                yield _Socket(_end(columns[_LOCAL]), _end(columns[_REMOTE]), int(columns[_USER]), columns[_INODE])


def _end(text: str) -> SocketEnd:
    digits, _, port = text.partition(":")
    words = (digits[i : i + _WORD_DIGITS] for i in range(0, len(digits), _WORD_DIGITS))
    packed = b"".join(int(word, 16).to_bytes(4, sys.byteorder) for word in words)
    return _plain(ipaddress.ip_address(packed)), int(port, 16)


def _plain(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """Return an address as text; IPv4 wrapped in IPv6 as IPv4."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _own_inodes() -> set[str]:
    """Return the sockets that this process has open."""
    inodes = set()
    for path in _OWN_FILES.iterdir():
        with suppress(OSError):  # closed meanwhile
            kind, _, rest = str(path.readlink()).partition(":[")
            if kind == "socket":
                inodes.add(rest.rstrip("]"))
    return inodes
