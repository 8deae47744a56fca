"""Refusal to serve from the database of a newer program."""

import contextlib
import sys

import django
import psycopg
from django.conf import settings
from django.core.management import CommandError
from django.db import connection

from tournaments.commands import refuse_another_version


def refuse_newer_database() -> None:
    """Exit if the database belongs to a newer program. A database that does not answer is not refused.

    Clubs have separate versions, which `migrate_clubs` compares.
    """
    django.setup()
    if settings.CLUBS:
        return
    applied = set()
    with (  # bypasses the pool, which would wait for a database that is not there yet
        contextlib.suppress(psycopg.Error),
        psycopg.connect(**connection.get_connection_params()) as direct,
    ):
        applied = {(app, name) for app, name in direct.execute("SELECT app, name FROM django_migrations")}
    try:
        refuse_another_version(applied)
    except CommandError as refusal:
        sys.exit(str(refusal))
