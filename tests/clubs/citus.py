"""What Citus refuses, or does not do: each rule was seen on Citus 13.2.2, with one schema a club."""

import re

from django.conf import settings

_BODY = re.compile(r"\$\$.*?\$\$", re.DOTALL)  # a function is refused when it runs, not when it is made
_ALTER = r"^ALTER TABLE\s[^;]*?"
_DDL = r"(?:ALTER|CREATE|DROP)\s"
RULES = {
    "INSERT ... SELECT locks no rows": r"\bINSERT INTO\b[^;]*\bSELECT\b[^;]*\bFOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)\b",
    "a CHECK comes after its column": _ALTER + r"\bADD (?:COLUMN )?(?!CONSTRAINT|CHECK)[^;]*\bCHECK\b",
    "a constraint is added by itself": _ALTER
    + r"(?:\bADD (?:CONSTRAINT|CHECK|FOREIGN|UNIQUE)\b[^;]*,\s*(?:ADD|ALTER|DROP)\s|,\s*ADD (?:CONSTRAINT|CHECK|FOREIGN|UNIQUE)\b)",
    "this ALTER TABLE is unknown": _ALTER + r"\b(?:DROP IDENTITY|SET STATISTICS)\b",
    "a sequence is not altered": r"^ALTER SEQUENCE\b",
    "the search_path of a function is a constant": r"\bSET search_path FROM CURRENT\b",
    "a sequence is advanced, and a message sent, by a query that reads no table": (
        r"\b(?:setval|nextval|pg_notify|pg_advisory\w+)\s*\([^;]*\bFROM\s"
    ),
    "a worker hears of SET LOCAL alone": r"\bset_config\s*\(\s*'schnauz\.",
}
ON_CITUS = {
    "DDL is a message of its own": rf";\s*{_DDL}|^{_DDL}[^;]*;\s*\S",
    "a setting is a message of its own": r";\s*SET LOCAL schnauz\.|^SET LOCAL schnauz\.[^;]*;\s*\S",
}
"""With CITUS=1 alone. On another PostgreSQL all tables of a club may be made by one message."""


def refused(text: str) -> str | None:
    """Return the rule which a message breaks, None if there is none."""
    message = _BODY.sub("$$$$", text).strip()
    rules = RULES | ON_CITUS if settings.CITUS else RULES
    for statement in [message] if settings.CITUS else message.split(";"):
        for rule, broken in rules.items():
            if re.search(broken, statement.strip(), re.IGNORECASE):
                return rule
    return None
