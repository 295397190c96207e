"""Whose a call is: a certificate's owner, or a machine."""

from typing import Any
from urllib.parse import unquote

from riverboat.rpc.exposure import is_local


def client_of(context: Any) -> str | None:
    """A name for the client behind a call; None for one on this machine without a certificate."""
    identities = context.peer_identities()
    if identities:
        return "certificate " + ", ".join(sorted(identity.decode(errors="replace") for identity in identities))
    kind, _, rest = unquote(context.peer()).partition(":")  # like ipv4:10.0.0.1:1234
    return None if kind == "unix" or is_local(rest) else rest.rpartition(":")[0]
