"""Connection problems: turns gRPC's errors into a sentence that says why a server could not be reached."""

from typing import Any

import grpc

from riverboat.rpc.connections.settings import AUTHORITY, CERTIFICATE, KEY, tls_authority

_TRIAL_SECONDS = 3
_TRIAL_CALL = "/grpc.health.v1.Health/Check"
_NEVER_CONNECTED = "failed to connect"


def tls_problem(error: grpc.RpcError, server: str) -> str | None:
    """Return the problem with TLS or a certificate; None if the error has another cause."""
    details = error.details() or ""
    if error.code() is not grpc.StatusCode.UNAVAILABLE or _NEVER_CONNECTED not in details:
        return None
    if "CERTIFICATE_VERIFY_FAILED" in details:
        if "expired" in details:
            return f"the certificate of {server} has expired: its owner must renew it"
        return f"the certificate of {server} is not signed by the authority in {tls_authority()} ({AUTHORITY})"
    if "Hostname Verification" in details or "Peer name" in details:
        return f"the certificate of {server} is for another host name: connect by a name that it lists"
    if "WRONG_VERSION_NUMBER" in details:
        return f"{server} does not speak TLS: give it a certificate, or unset {AUTHORITY}"
    if "Socket closed" in details or "Connection reset" in details:
        return _hung_up(server)
    return None


def _hung_up(server: str) -> str:
    """Return the likely reason why a server hung up during the handshake; gRPC does not report one."""
    if tls_authority():
        return f"{server} hangs up: it may require a client certificate that it trusts; set {CERTIFICATE} and {KEY}"
    return f"{server} hangs up: it may require TLS; set {AUTHORITY} to its authority's PEM file"


def connection_problem(channel: Any, server: str) -> str | None:
    """Make a trial call on a channel that does not become ready; return its `tls_problem`, or None."""
    try:
        channel.unary_unary(_TRIAL_CALL)(b"", timeout=_TRIAL_SECONDS)
    except grpc.RpcError as error:
        return tls_problem(error, server)
    return None
