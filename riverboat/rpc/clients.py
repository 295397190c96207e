"""Whose a call is: a certificate's owner, a user of this machine, or another machine."""

import ipaddress
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from riverboat.rpc.exposure import is_local

_IPV6_BITS = 64  # of an address that belong to the network: one client has all the others
_SOCKETS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))  # Linux only
_ADDRESS_FIELD, _STATE_FIELD, _USER_FIELD = 1, 3, 7
_CONNECTED = "01"


def client_of(context: Any) -> str | None:
    """A name for the client behind a call; None for one on this machine without a certificate."""
    if certificate := _certificate(context):
        return certificate
    kind, address = _peer(context)
    return None if kind == "unix" or is_local(address) else _machine(address)


def client_name(context: Any) -> str:
    """A name for the client behind a call; on this machine the user, where the system says who that is."""
    if certificate := _certificate(context):
        return certificate
    kind, address = _peer(context)
    if kind == "unix":
        return "this machine"
    if not is_local(address):
        return _machine(address)
    user = next(_users(int(address.rpartition(":")[2])), None)
    return "this machine" if user is None else f"user {user} of this machine"


def _certificate(context: Any) -> str:
    identities = context.peer_identities() or ()
    names = ", ".join(sorted(identity.decode(errors="replace") for identity in identities))
    return f"certificate {names}" if names else ""


def _peer(context: Any) -> tuple[str, str]:
    """Like ipv4 and 10.0.0.1:1234."""
    kind, _, address = unquote(context.peer()).partition(":")
    return kind, address


def _machine(address: str) -> str:
    """An address without its port; of IPv6 only the network, because a machine has as many addresses as it likes."""
    host = address.rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, _IPV6_BITS), strict=False))


def _users(port: int) -> Iterator[int]:
    """The users of this machine who have a connection open from this port."""
    for path in _SOCKETS:
        try:
            lines = path.read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            own_port = int(fields[_ADDRESS_FIELD].rpartition(":")[2], 16)
            if own_port == port and fields[_STATE_FIELD] == _CONNECTED:
                yield int(fields[_USER_FIELD])
