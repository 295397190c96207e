"""Certificates for tests, made at each run."""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Pair:
    """PEM files of a certificate and its key."""

    certificate: str
    key: str


class Authority:
    """An authority that signs certificates; its own certificate is in `file`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        own = self._builder(self._name, self._key, _DAY).add_extension(x509.BasicConstraints(True, None), True)
        self.file = self._write(f"{name}.pem", own.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def sign(self, name: str, host: str = "127.0.0.1", lasts: timedelta = _DAY) -> Pair:
        """Return a new certificate for a host, valid for this long."""
        key = ec.generate_private_key(ec.SECP256R1())
        hosts = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))])
        made = self._builder(_named(name), key, lasts).add_extension(hosts, False).sign(self._key, hashes.SHA256())
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return Pair(self._write(f"{name}.pem", made.public_bytes(Encoding.PEM)), self._write(f"{name}.key.pem", secret))

    def _builder(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, lasts: timedelta
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 2 * _DAY)
            .not_valid_after(now + lasts)
        )

    def _write(self, name: str, data: bytes) -> str:
        path = self._folder / name
        path.write_bytes(data)
        return str(path)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
