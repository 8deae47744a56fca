"""The code on the wall of the hall. Knowing it shows presence in the hall, now or a few minutes ago.

It is derived from the server's key, the tournament and the time, so every process and every screen shows the same one.
"""

import hmac
from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from tournaments.core.base32 import code_of, typed_code
from tournaments.current_club import signing_key
from tournaments.models import Tournament

LASTS = timedelta(minutes=5)
STILL_ACCEPTED = 2
"""Number of earlier codes that are accepted: filling in a form takes time, and a page on the wall may be late."""
_LETTERS = 6


def hall_code(tournament: Tournament, at: datetime) -> str:
    """Return the code of this moment: six letters and digits in capitals, 30 bits."""
    return _code(tournament, _period(at))


def is_hall_code(tournament: Tournament, typed: str, at: datetime) -> bool:
    """Whether this is the code of the hall, now or a few minutes ago. Case, blanks and hyphens do not matter."""
    plain = typed_code(typed)[:20]
    now = _period(at)
    accepted = [_code(tournament, period) for period in range(now - STILL_ACCEPTED, now + 1)]
    return any(hmac.compare_digest(plain.encode(), code.encode()) for code in accepted)


def _period(at: datetime) -> int:
    return int(at.timestamp() // LASTS.total_seconds())


def _code(tournament: Tournament, period: int) -> str:
    digest = salted_hmac(
        "tournaments.hall_codes", f"{tournament.pk}:{period}", signing_key(), algorithm="sha256"
    ).digest()
    return code_of(digest[:5])[:_LETTERS]
