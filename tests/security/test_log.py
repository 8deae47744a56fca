"""What an attack or a full disk leaves in the log: one line, and no traceback."""

import logging
import re

import httpx
import pytest
from django.db import OperationalError

from schnauz_turnier.web.log_lines import AlikeLimit, LineFormatter
from tests.faults.house import wait_until
from tests.security.conftest import Guest, Scribe, Server, read_until


def test_a_last_event_id_of_5000_digits_counts_as_none(guest: Guest, scribe: Scribe, served: Server) -> None:
    last = b"Last-Event-ID: %s-" % _boot_of(guest, scribe)
    request = f"GET /t/{scribe.slug}/live HTTP/1.1\r\nHost: localhost\r\n".encode()
    stream = guest.send(request + last + b"9" * 5000 + b"-x\r\n\r\n")
    assert b'"topics": ["everything"]' in read_until(stream, b'"spread"')
    assert "Traceback" not in served.log


def _boot_of(guest: Guest, scribe: Scribe) -> bytes:
    """Return the boot id of the listener, by which the server reads the rest of an event's id."""
    stream = guest.send(f"GET /t/{scribe.slug}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return read_until(stream, b'"topics"').partition(b"\nid: ")[2].partition(b"-")[0]


def test_a_full_disk_is_one_line_and_the_evening_goes_on(scribe: Scribe, served: Server) -> None:
    """Nothing can be written to the disk of this server, not even a backup."""
    scribe.write()
    assert httpx.get(f"{served.url}/healthz", timeout=60, trust_env=False).status_code == 200
    assert wait_until(
        lambda: "No backup could be made" in served.log
    )  # the first one is soon after the start
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


# --- floods --------------------------------------------------------------------------------------------------------


class Log(logging.Handler):
    """A log in memory with the limit of lines alike, at a time that the test says."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 1000.0
        self.lines: list[str] = []
        self.addFilter(AlikeLimit(20, now=lambda: self.time))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    def write(
        self, message: object, *values: object, level: int = logging.ERROR, error: Exception | None = None
    ) -> None:
        what = (type(error), error, error.__traceback__) if error else None
        self.handle(logging.LogRecord("name", level, __file__, 1, message, values, what))


def raised(message: str) -> Exception:
    try:
        raise ValueError(message)
    except ValueError as error:
        return error


def test_of_lines_alike_twenty_a_minute_are_written() -> None:
    log = Log()
    for number in range(1000):
        log.write("Failed at %s.", number)
    assert log.lines == [f"Failed at {number}." for number in range(20)]
    log.write("Something else.")
    assert log.lines[20:] == ["Something else."]
    log.time += 60
    log.write("Failed at %s.", 1000)
    log.write("Failed at %s.", 1001)
    assert log.lines[21:] == [
        "Failed at 1000. (980 lines like this one were left out before.)",
        "Failed at 1001.",
    ]


def test_errors_of_one_line_of_code_are_alike_and_others_are_not() -> None:
    log = Log()
    for number in range(30):
        log.write("%s: %s", "Internal Server Error", f"/{number}/", error=raised(str(number)))
    assert len(log.lines) == 20
    try:
        raise ValueError("elsewhere")
    except ValueError as error:
        log.write("%s: %s", "Internal Server Error", "/x/", error=error)
    assert log.lines[20:] == ["Internal Server Error: /x/"]


def test_lines_without_a_warning_are_all_written() -> None:
    """The control: a line for each request, where that is wanted."""
    log = Log()
    for _ in range(100):
        log.write("answered", level=logging.INFO)
    assert len(log.lines) == 100


def test_a_flood_of_lines_that_all_differ_is_limited_too() -> None:
    log = Log()
    for number in range(10_000):
        log.write(f"Failed at {number}.")
    assert len(log.lines) == AlikeLimit.MOST_KINDS + 20


def test_the_log_of_the_program_has_the_limit() -> None:
    limited = [handler for handler in logging.getLogger().handlers if handler.filters]
    assert [type(one) for handler in limited for one in handler.filters] == [AlikeLimit]


def formatted(error: Exception) -> str:
    what = (type(error), error, None)
    record = logging.LogRecord("name", logging.ERROR, __file__, 1, "Failed %s.", ("so",), what)
    return LineFormatter("{levelname} {message}", style="{").format(record)
