"""The statements that PostgreSQL executes, from its log: whoever sends them, and by whatever library."""

import re
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from tests.faults.house import Database

_RECORD = re.compile(r"^\d{4}-\d\d-\d\d [^\[]*\[\d+\] (\w+):  (.*)", re.DOTALL)
_STATEMENT = re.compile(r"(?:statement|execute [^:]*): (.*)", re.DOTALL)
_PARAMETER = re.compile(r"\$(\d+) = (NULL|'(?:[^']|'')*')")
_NO_WORK = re.compile(
    r"(?:SET|SHOW|LISTEN|UNLISTEN|DEALLOCATE|ALTER SYSTEM)\b|SELECT 1$|$|SELECT set_config\('synchronous_commit|.*pg_reload_conf"
)
VERBOSE = "ALTER ROLE CURRENT_USER SET log_error_verbosity = 'default'"
"""Log the parameters of statements, too. Holds for connections that are opened from now on."""


def statements_of(database: Database, act: Callable[[], object]) -> list[str]:
    """Return the statements that are executed during a call. Without those that only check or set up a connection."""
    log = database.folder / "database.log"
    begin, end = (f"SELECT '{uuid.uuid4()}'" for _ in range(2))
    with database.connect() as connection:
        connection.execute("ALTER SYSTEM SET log_statement = 'all'")
        connection.execute("SELECT pg_reload_conf()")
        try:
            _wait_for(log, lambda: connection.execute(begin.encode()), begin)
            time.sleep(0.3)  # all connections are told at the same time
            act()
            _wait_for(log, lambda: connection.execute(end.encode()), end)
        finally:
            connection.execute("ALTER SYSTEM RESET log_statement")
            connection.execute("SELECT pg_reload_conf()")
    between = log.read_text().rpartition(begin)[2].partition(end)[0]
    return [one for one in _statements_in(between) if not _NO_WORK.match(one)]


def _wait_for(log: Path, say: Callable[[], object], word: str) -> None:
    deadline = time.monotonic() + 10
    while word not in log.read_text():
        if time.monotonic() > deadline:
            raise TimeoutError("PostgreSQL does not log what it executes")
        say()
        time.sleep(0.05)


def _statements_in(text: str) -> list[str]:
    found: list[str] = []
    for record in re.split(r"\n(?!\t)", text):
        matched = _RECORD.match(record)
        if matched is None:
            continue
        level, words = matched[1], matched[2].replace("\n\t", "\n")
        if level == "LOG" and (statement := _STATEMENT.match(words)):
            found.append(statement[1].strip())
        elif level == "DETAIL" and found:
            values = dict(_PARAMETER.findall(words))
            found[-1] = re.sub(r"\$(\d+)", lambda name: values.get(name[1], name[0]), found[-1])  # noqa: B023
    return found
