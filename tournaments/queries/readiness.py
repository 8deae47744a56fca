"""State of the database: whether it answers, and is migrated."""

from django.db import Error, connection

from tournaments.queries.database_version import applied_migrations, known_migrations


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def is_migrated() -> bool:
    """Whether all migrations of this version of the program are applied."""
    try:
        return known_migrations() <= applied_migrations()
    except Error:
        return False
