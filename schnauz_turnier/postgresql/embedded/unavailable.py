"""The one error of the embedded server."""

import psycopg


class DatabaseUnavailable(psycopg.OperationalError):
    """The embedded server cannot run. The text says why and what to do. Django's engine raises its own OperationalError for it."""
