"""What an attack or a full disk leaves in the log: one line, and no traceback."""

import logging
import re

import httpx
import pytest
from django.db import OperationalError

from schnauz_turnier.log_lines import LineFormatter
from tests.security.conftest import Guest, Scribe, Server, read_until


def test_a_last_event_id_of_5000_digits_counts_as_none(guest: Guest, scribe: Scribe, served: Server) -> None:
    last = b"Last-Event-ID: %s-" % _boot_of(guest, scribe)
    request = f"GET /t/{scribe.slug}/live HTTP/1.1\r\nHost: localhost\r\n".encode()
    stream = guest.send(request + last + b"9" * 5000 + b"-x\r\n\r\n")
    assert b'"topics":["everything"]' in read_until(stream, b'"parts"')
    assert "Traceback" not in served.log


def _boot_of(guest: Guest, scribe: Scribe) -> bytes:
    """Return the boot id of the listener, by which the server reads the rest of an event's id."""
    stream = guest.send(f"GET /t/{scribe.slug}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return read_until(stream, b'"parts"').partition(b"\nid: ")[2].partition(b"-")[0]


def test_a_full_disk_is_one_line_and_the_evening_goes_on(scribe: Scribe, served: Server) -> None:
    """Nothing can be written to the disk of this server, not even a backup."""
    scribe.write()
    assert httpx.get(f"{served.url}/healthz", trust_env=False).status_code == 200
    lines = [line for line in served.lines if "No backup could be made" in line]
    assert re.search(r"trying again in 60 seconds\. \[Errno 27\] File too large$", lines[0])
    assert "Traceback" not in served.log


@pytest.mark.parametrize(
    ("error", "written"),
    [
        (OSError(28, "No space\nleft"), "ERROR Failed so. [Errno 28] No space left"),
        (OperationalError("the database is gone"), "ERROR Failed so. the database is gone"),
    ],
)
def test_an_error_of_the_surroundings_is_one_line(error: Exception, written: str) -> None:
    assert formatted(error) == written


def test_an_error_of_the_program_keeps_its_traceback() -> None:
    assert formatted(ValueError("a bug")).splitlines() == ["ERROR Failed so.", "ValueError: a bug"]


def formatted(error: Exception) -> str:
    what = (type(error), error, None)
    record = logging.LogRecord("name", logging.ERROR, __file__, 1, "Failed %s.", ("so",), what)
    return LineFormatter("{levelname} {message}", style="{").format(record)
