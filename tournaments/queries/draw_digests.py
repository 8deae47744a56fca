"""The digest of the draw of a round, over all attempts and changes by hand."""

from hashlib import sha256
from typing import Any

from tournaments.core.canonical import canonical
from tournaments.models import DrawAttempt, Round

_REMARKS = ("reason", "private")


def draw_digest(drawn: Round) -> str | None:
    """Return the digest of everything from which the seating follows, in hexadecimal; None if no draw is on record.

    Reasons and accounts are not in it, so they can be erased.
    """
    attempts = list(drawn.attempts.order_by("attempt").prefetch_related("changes"))
    return sha256(canonical([_value(attempt) for attempt in attempts])).hexdigest() if attempts else None


def _value(attempt: DrawAttempt) -> dict[str, Any]:
    return {
        "attempt": attempt.attempt,
        "version": attempt.version,
        "mode": attempt.mode,
        "seed": attempt.seed,
        "players": attempt.players,
        "sizes": attempt.sizes,
        "history": attempt.history,
        "wishes": [
            {key: value for key, value in wish.items() if key not in _REMARKS} for wish in attempt.wishes
        ],
        "changes": [change.data for change in attempt.changes.all()],
        "abandoned": attempt.abandoned_at is not None,
    }
