"""PEM files, checked before gRPC gets them, because its errors do not say what is wrong."""

import ssl
from pathlib import Path

from riverboat.errors import InvalidInput


def read_certificates(setting: str, path: str) -> bytes:
    """Return the bytes of a file with certificates; raise InvalidInput, which names the setting, if it has none."""
    data = _read(setting, path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=data.decode("ascii", "replace"))
    except ssl.SSLError:
        raise InvalidInput(setting, f"{path} is not a PEM file with certificates") from None
    return data


def read_pair(certificate_setting: str, certificate: str, key_setting: str, key: str) -> tuple[bytes, bytes]:
    """Return the bytes of a certificate and of its key, which must match and have no password."""
    for setting, path, other in ((certificate_setting, certificate, key), (key_setting, key, certificate)):
        if other and not path:
            raise InvalidInput(setting, "is not set: a certificate and its key are given together")
    chain, secret = read_certificates(certificate_setting, certificate), _read(key_setting, key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: b"")
    except ssl.SSLError as error:
        fits = "MISMATCH" not in str(error.reason)
        reason = "is not a PEM file of a key without a password" if fits else f"is not the key of {certificate}"
        raise InvalidInput(key_setting, f"{key} {reason}") from None
    return chain, secret


def _read(setting: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InvalidInput(setting, f"cannot read {path}: {error.strerror}") from None
