"""State of the database: whether it answers, and is migrated."""

from functools import cache

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def is_migrated() -> bool:
    """Whether all migrations of this version of the program are applied."""
    try:
        return known_migrations() <= set(MigrationRecorder.Migration.objects.values_list("app", "name"))
    except DatabaseError:
        return False


@cache
def known_migrations() -> set[tuple[str, str]]:
    """Return the migrations of this version of the program, by app and name. They are read once."""
    return set(MigrationLoader(None).disk_migrations)
