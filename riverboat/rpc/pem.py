"""PEM files: read, and looked at before gRPC gets them, which would only say that something went wrong."""

import ssl
from pathlib import Path

from riverboat.errors import InvalidInput


def read_certificates(setting: str, path: str) -> bytes:
    """The bytes of a file with certificates; InvalidInput names the setting if there are none."""
    data = _read(setting, path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=data.decode("ascii", "replace"))
    except ssl.SSLError:
        raise InvalidInput(setting, f"{path} is no PEM file with certificates") from None
    return data


def read_pair(certificate_setting: str, certificate: str, key_setting: str, key: str) -> tuple[bytes, bytes]:
    """The bytes of a certificate and of its key, which must belong together and need no password."""
    for setting, path, other in ((certificate_setting, certificate, key), (key_setting, key, certificate)):
        if other and not path:
            raise InvalidInput(setting, "is not set: a certificate and its key are given together")
    chain, secret = read_certificates(certificate_setting, certificate), _read(key_setting, key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: b"")
    except ssl.SSLError as error:
        fits = "MISMATCH" not in str(error.reason)
        reason = "is no PEM file of a key without password" if fits else f"is not the key of {certificate}"
        raise InvalidInput(key_setting, f"{key} {reason}") from None
    return chain, secret


def _read(setting: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InvalidInput(setting, f"cannot read {path}: {error.strerror}") from None
