"""The client behind a call: a certificate's owner, a user of this machine, or another machine."""

import asyncio
import ipaddress
from typing import Any
from urllib.parse import unquote

from riverboat.rpc.exposure import is_local
from riverboat.rpc.sockets import user_of

_IPV6_BITS = 64  # of an address that name its network: one client may use every address in it


def client_of(context: Any) -> str | None:
    """Return a name for the client behind a call; None for one on this machine without a certificate."""
    if certificate := _certificate(context):
        return certificate
    kind, address = _peer(context)
    return None if kind == "unix" or is_local(address) else _machine(address)


async def client_name(context: Any) -> str:
    """Return a name for the client behind a call; on this machine the user, where the system says who that is."""
    if certificate := _certificate(context):
        return certificate
    kind, address = _peer(context)
    if kind == "unix":
        return "this machine"
    if not is_local(address):
        return _machine(address)
    user = await asyncio.to_thread(user_of, address)  # there may be thousands of connections to look through
    return "this machine" if user is None else f"user {user} of this machine"


def _certificate(context: Any) -> str:
    identities = context.peer_identities() or ()
    names = ", ".join(sorted(identity.decode(errors="replace") for identity in identities))
    return f"certificate {names}" if names else ""


def _peer(context: Any) -> tuple[str, str]:
    """Return the kind and the address of the peer, like ipv4 and 10.0.0.1:1234."""
    kind, _, address = unquote(context.peer()).partition(":")
    return kind, address


def _machine(address: str) -> str:
    """Return an address without its port.

    Of IPv6 only the network counts, because one machine can use any number of addresses in it.
    """
    host = address.rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, _IPV6_BITS), strict=False))
