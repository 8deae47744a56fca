"""The program's own certificate."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from schnauz_turnier.start.certificate import RENEWED_BEFORE, VALID_FOR, own_certificate

AT = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)


def test_it_is_kept_until_shortly_before_its_end(tmp_path: Path) -> None:
    first = own_certificate(tmp_path, host="192.168.178.20", at=AT)
    last = AT + VALID_FOR - RENEWED_BEFORE - timedelta(days=1)
    assert own_certificate(tmp_path, host="192.168.178.20", at=last) == first
    later = own_certificate(tmp_path, host="192.168.178.20", at=last + timedelta(days=2))
    assert later.fingerprint != first.fingerprint


def test_it_is_for_one_host(tmp_path: Path) -> None:
    by_address = own_certificate(tmp_path, host="192.168.178.20", at=AT)
    by_name = own_certificate(tmp_path, host="turnier.lan", at=AT)
    assert by_name.fingerprint != by_address.fingerprint
    assert own_certificate(tmp_path, host="turnier.lan", at=AT) == by_name


def test_half_a_file_is_replaced(tmp_path: Path) -> None:
    made = own_certificate(tmp_path, host="turnier.lan", at=AT)
    made.certificate.write_bytes(made.certificate.read_bytes()[:100])
    assert own_certificate(tmp_path, host="turnier.lan", at=AT).fingerprint != made.fingerprint
