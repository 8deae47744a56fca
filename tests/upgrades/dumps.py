"""The dump of a release, loaded into a database."""

import gzip
from pathlib import Path

from django.db import connection, transaction


def load(file: Path) -> None:
    """Run a script of pg_dump in the database of this process.

    Settings of the session are left out, as an older server does not know all of them, and so is what only psql reads.
    """
    with (
        gzip.open(file, "rt", encoding="utf-8") as lines,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "SET LOCAL check_function_bodies = off"
        )  # functions come before the tables that they read
        statements: list[str] = []
        for line in lines:
            if line.startswith("COPY ") and line.endswith("FROM stdin;\n"):
                cursor.execute("".join(statements))
                statements = []
                with cursor.copy(line.removesuffix(";\n")) as copy:
                    while (row := next(lines)) != "\\.\n":
                        copy.write(row)
            elif not line.startswith(("--", "SET ", "\\", "SELECT pg_catalog.set_config")):
                statements.append(line)
        cursor.execute("".join(statements))
