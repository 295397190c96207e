"""The reach of a server: only this machine, a private network, or anybody; and how the server listens."""

import ipaddress

import grpc

from riverboat.errors import InvalidInput
from riverboat.rpc.logs import log
from riverboat.rpc.pem import read_certificates, read_pair
from riverboat.rpc.settings import CannotStart, ServiceSettings


def is_local(address: str) -> bool:
    """Return whether only this machine can reach a listening address."""
    host = address.rpartition(":")[0].strip("[]")
    if address.startswith("unix:") or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_trusted(settings: ServiceSettings) -> bool:
    """Return whether every client that can reach a server may do everything."""
    return settings.private_network or is_local(settings.address)


def server_credentials(settings: ServiceSettings) -> grpc.ServerCredentials | None:
    """Return a server's certificate and the clients it trusts; None without TLS. Raise CannotStart, which names the
    setting.
    """
    certificate, key, authority = settings.tls_certificate, settings.tls_key, settings.tls_client_authority
    if not (certificate or key or authority):
        return None
    if settings.address.startswith("unix:"):
        raise CannotStart("tls_certificate", f"{settings.address} never leaves this machine and is not encrypted")
    try:
        if not certificate and not key:
            raise InvalidInput(
                "tls_certificate", "is not set; a server that asks clients for certificates needs one of its own"
            )
        chain, secret = read_pair("tls_certificate", certificate, "tls_key", key)
        trusted = read_certificates("tls_client_authority", authority) if authority else None
    except InvalidInput as error:
        raise CannotStart(error.field, error.reason) from None
    return grpc.ssl_server_credentials([(secret, chain)], trusted, require_client_auth=trusted is not None)


def note_exposure(settings: ServiceSettings) -> None:
    """Log an unencrypted network listener, as an error so that it is seen at every log level."""
    prefix = settings.model_config.get("env_prefix", "")
    if settings.metrics_address and not (is_local(settings.metrics_address) or settings.private_network):
        log.warning("metrics_exposed", address=settings.metrics_address)
    if settings.tls_certificate or is_local(settings.address):
        return
    if settings.private_network:
        log.info("not_encrypted", address=settings.address, reason="the network is said to be private")
        return
    log.error(
        "not_encrypted",
        address=settings.address,
        danger="everybody on the network can read along, tokens and cards too",
        advice=f"set {prefix}TLS_CERTIFICATE and {prefix}TLS_KEY, "
        f"or {prefix}PRIVATE_NETWORK=true if the network is private, as between containers",
    )
