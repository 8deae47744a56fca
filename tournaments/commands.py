"""Base of all management commands that use the database."""

from collections.abc import Set
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.queries.database_version import (
    BeforeFirstVersion,
    NewerDatabase,
    Node,
    applied_migrations,
    in_todays_names,
    refuse_newer,
)
from tournaments.text import database_versions


class DatabaseCommand(BaseCommand):
    """A command that reads or writes the database. In one of a newer program it does nothing."""

    # Django's checks of the program load all of its pages, which takes longer than most commands. `make test` runs them.
    requires_system_checks: list[str] = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        refuse_another_version(applied_migrations())
        return super().execute(*args, **options)


def refuse_another_version(applied: Set[Node]) -> None:
    """Raise CommandError for a database of a newer program, or of the time before 1.0."""
    try:
        refuse_newer(in_todays_names(applied))
    except NewerDatabase as newer:
        raise CommandError(database_versions.newer(newer.name)) from None
    except BeforeFirstVersion:
        raise CommandError(database_versions.before_first_version()) from None
