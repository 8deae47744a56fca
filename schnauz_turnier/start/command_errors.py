"""Errors of a command that its user can fix: invalid settings, a database that is away or has no tables."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db import OperationalError, ProgrammingError
from django.utils.translation import gettext as _
from psycopg.errors import UndefinedTable

from tournaments.text.database_versions import about_database

NO_CONNECTION = ("08", "57")  # classes of SQLSTATE; an error of the connection itself has none


@contextmanager
def ends_with_a_sentence() -> Iterator[None]:
    """Exit with a sentence instead of a traceback if settings or the database cause the error."""
    try:
        yield
    except (ImproperlyConfigured, CommandError) as refusal:
        sys.exit(str(refusal))
    except (OperationalError, psycopg.OperationalError) as error:  # of Django, or of its pool
        cause = error if isinstance(error, psycopg.Error) else error.__cause__
        state = getattr(cause, "sqlstate", None) or NO_CONNECTION[0]
        if state.startswith(NO_CONNECTION):
            sys.exit(about_database("unavailable", reason=error))
        sys.exit(_("Die Datenbank meldet: %(reason)s") % {"reason": error})
    except ProgrammingError as error:
        if not isinstance(error.__cause__, UndefinedTable):
            raise
        sys.exit(_("In der Datenbank fehlen die Tabellen. Zuerst: manage.py migrate."))
