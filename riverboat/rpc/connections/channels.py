"""The one place that opens channels: encrypted if the environment names an authority to trust."""

from collections.abc import Sequence
from typing import Any

import grpc

from riverboat.errors import InvalidInput
from riverboat.rpc.connections.forwarding_channel import ForwardingChannel
from riverboat.rpc.connections.settings import AUTHORITY, CERTIFICATE, KEY, tls_authority, tls_certificate, tls_key
from riverboat.rpc.pem import read_certificates, read_pair

Options = Sequence[tuple[str, Any]]


def open_channel(address: str, options: Options = ()) -> Any:
    """Return a channel to a server; raise InvalidInput if the environment has a wrong setting."""
    credentials = _credentials(address)
    if credentials is None:
        return ForwardingChannel(grpc.insecure_channel(address, options=options))
    return ForwardingChannel(grpc.secure_channel(address, credentials, options=options))


def open_aio_channel(address: str, options: Options = ()) -> Any:
    """Return an asyncio channel to a server; raise InvalidInput if the environment has a wrong setting."""
    credentials = _credentials(address)
    if credentials is None:
        return ForwardingChannel(grpc.aio.insecure_channel(address, options=options))
    return ForwardingChannel(grpc.aio.secure_channel(address, credentials, options=options))


def _credentials(address: str) -> grpc.ChannelCredentials | None:
    """Return the certificates to show and to trust; None for a plain channel.

    A channel on a socket that never leaves this machine is plain.
    """
    authority, certificate, key = tls_authority(), tls_certificate(), tls_key()
    if address.startswith("unix:"):
        return None
    if not authority:
        if certificate or key:
            raise InvalidInput(AUTHORITY, f"is not set, but {CERTIFICATE if certificate else KEY} is")
        return None
    trusted = read_certificates(AUTHORITY, authority)
    if not certificate and not key:
        return grpc.ssl_channel_credentials(trusted)
    chain, secret = read_pair(CERTIFICATE, certificate, KEY, key)
    return grpc.ssl_channel_credentials(trusted, secret, chain)
