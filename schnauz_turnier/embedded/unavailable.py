"""The one error of the embedded server."""

import psycopg


class DatabaseUnavailable(psycopg.OperationalError):
    """The embedded server cannot run, so no connection can be made. The text says why and what to do."""
