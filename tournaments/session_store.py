"""Sessions in the database. A cookie that cannot be a session key is ignored: PostgreSQL refuses NUL in a query."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    def __init__(self, session_key: str | None = None) -> None:
        is_key = session_key is not None and session_key.isascii() and session_key.isalnum()
        super().__init__(session_key if is_key else None)
