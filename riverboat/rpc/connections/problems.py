"""Why a server could not be reached, by what gRPC reports, in a sentence for people."""

from typing import Any

import grpc

from riverboat.rpc.connections.settings import AUTHORITY, CERTIFICATE, KEY, tls_authority

_LOOK_SECONDS = 3
_ANY_CALL = "/grpc.health.v1.Health/Check"
_NEVER_CONNECTED = "failed to connect"


def tls_problem(error: grpc.RpcError, server: str) -> str | None:
    """Return what is wrong with a certificate; None if the error is about something else."""
    details = error.details() or ""
    if error.code() is not grpc.StatusCode.UNAVAILABLE or _NEVER_CONNECTED not in details:
        return None
    if "CERTIFICATE_VERIFY_FAILED" in details:
        if "expired" in details:
            return f"the certificate of {server} has expired"
        return f"the certificate of {server} is not signed by the authority in {tls_authority()} ({AUTHORITY})"
    if "Hostname Verification" in details or "Peer name" in details:
        return f"the certificate of {server} is for another name than the one it is reached by"
    if "WRONG_VERSION_NUMBER" in details:
        return f"{server} does not speak TLS: give it a certificate, or unset {AUTHORITY}"
    if "Socket closed" in details or "Connection reset" in details:
        return _hung_up(server)
    return None


def _hung_up(server: str) -> str:
    """Return why a server may hang up during the handshake; it does not say."""
    if tls_authority():
        return f"{server} hangs up: it may want a certificate from us, in {CERTIFICATE} and {KEY}, that it trusts"
    return f"{server} hangs up: it may speak TLS only; then {AUTHORITY} must name the PEM file of its authority"


def connection_problem(channel: Any, server: str) -> str | None:
    """Return the same for a channel that does not become ready, by one trial call."""
    try:
        channel.unary_unary(_ANY_CALL)(b"", timeout=_LOOK_SECONDS)
    except grpc.RpcError as error:
        return tls_problem(error, server)
    return None
