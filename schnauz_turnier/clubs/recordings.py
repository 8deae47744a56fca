"""Recordings of how the tables of a club are made: what `migrate` sends for an empty schema, kept in the catalogue.

Repeating it takes a twentieth of the time of the migrations. A recording belongs to the program that made it: another
version, another set of migrations or another Django records anew, with its first club.
"""

from hashlib import sha256

import django
from django.conf import settings

from schnauz_turnier.clubs.catalogue import rows_of_catalogue, write_catalogue
from tournaments.queries.database_version import digest_of, known_migrations


def this_program() -> str:
    """Return 64 characters that only this program has, with its migrations and its Django."""
    parts = settings.VERSION, django.get_version(), digest_of(known_migrations())
    return sha256(" ".join(parts).encode()).hexdigest()


def recorded_statements() -> list[str]:
    """Return the statements that this program has recorded in this catalogue, none if it has not yet."""
    rows = rows_of_catalogue("SELECT statements FROM catalogue.recording WHERE program = %s", this_program())
    return rows[0][0] if rows else []


def keep(statements: list[str]) -> None:
    """Keep the statements for all processes of this program."""
    write_catalogue(
        "INSERT INTO catalogue.recording (program, statements) VALUES (%s, %s) ON CONFLICT DO NOTHING",
        *(this_program(), statements),
    )
