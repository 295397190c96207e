"""What whoever dials takes from the environment."""

import os

AUTHORITY, CERTIFICATE, KEY = "RIVERBOAT_TLS_AUTHORITY", "RIVERBOAT_TLS_CERTIFICATE", "RIVERBOAT_TLS_KEY"


def admin_token() -> str:
    """RIVERBOAT_ADMIN_TOKEN: what a server wants to hear with admin calls; empty if nothing."""
    return os.environ.get("RIVERBOAT_ADMIN_TOKEN", "")


def tls_authority() -> str:
    """RIVERBOAT_TLS_AUTHORITY: the PEM file of who signs servers' certificates; without it calls are not encrypted."""
    return os.environ.get(AUTHORITY, "")


def tls_certificate() -> str:
    """RIVERBOAT_TLS_CERTIFICATE: the PEM file of our own certificate, for servers that want to know who dials."""
    return os.environ.get(CERTIFICATE, "")


def tls_key() -> str:
    """RIVERBOAT_TLS_KEY: the PEM file of the key to that certificate."""
    return os.environ.get(KEY, "")
