"""The program's own certificate, for staff devices in the hall's network, where no authority issues one.

A browser warns about it once. The fingerprint that the program prints proves that the browser talks to this program.
"""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from schnauz_turnier.files import replace_file

KEY, CERTIFICATE = "https_key.pem", "https_certificate.pem"
VALID_FOR = timedelta(days=800)  # Apple's devices refuse more than 825
RENEWED_BEFORE = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class OwnCertificate:
    """key, certificate: PEM files. fingerprint: SHA-256 of the certificate, as browsers show it."""

    key: Path
    certificate: Path
    fingerprint: str


def own_certificate(folder: Path, *, host: str, at: datetime) -> OwnCertificate:
    """Return the certificate in a folder, or a new one for another host, shortly before its end, or if it is not valid yet.

    The last happens if it was made while the clock was ahead.
    """
    key, certificate = folder / KEY, folder / CERTIFICATE
    kept = _read(certificate) if key.exists() else None
    if kept is None or not _is_for(kept, host) or not _is_valid(kept, at):
        kept = _make(key, certificate, host, at)
    return OwnCertificate(key, certificate, kept.fingerprint(hashes.SHA256()).hex(":").upper())


def _read(file: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(file.read_bytes())
    except (OSError, ValueError):  # none yet, or half a file after a power cut
        return None


def _is_for(certificate: x509.Certificate, host: str) -> bool:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return _name_of(host) in names


def _is_valid(certificate: x509.Certificate, at: datetime) -> bool:
    return certificate.not_valid_before_utc <= at <= certificate.not_valid_after_utc - RENEWED_BEFORE


def _name_of(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _make(key_file: Path, certificate_file: Path, host: str, at: datetime) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Schnauz-Turnier")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at.astimezone(UTC) - timedelta(days=1))  # for devices whose clock is late
        .not_valid_after(at.astimezone(UTC) + VALID_FOR)
        .add_extension(x509.SubjectAlternativeName([_name_of(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    replace_file(key_file, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    replace_file(certificate_file, made.public_bytes(Encoding.PEM))
    return made
