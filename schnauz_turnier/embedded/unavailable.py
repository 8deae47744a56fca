"""The one error of the embedded server."""


class DatabaseUnavailable(RuntimeError):
    """The embedded server cannot run. The text says why and what to do."""
