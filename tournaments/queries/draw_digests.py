"""The digest of the draw of a round, over all attempts and changes by hand."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from tournaments.core.canonical import canonical
from tournaments.core.ceremony import bare_wish
from tournaments.models import DrawAttempt, Round, SeatChange


def draw_digest(drawn: Round) -> str | None:
    """Return the digest of everything from which the seating follows, in hexadecimal; None if no draw is on record.

    Reasons and accounts are not in it, so they can be erased.
    """
    attempts = list(
        drawn.attempts.order_by("attempt").select_related("commitment").prefetch_related("changes")
    )
    return digest_of_attempts((attempt, attempt.changes.all()) for attempt in attempts)


def digest_of_attempts(attempts: Iterable[tuple[DrawAttempt, Iterable[SeatChange]]]) -> str | None:
    """Return the digest of a draw from its attempts, in their order, each with its changes; None without any."""
    values = [_value(attempt, changes) for attempt, changes in attempts]
    return sha256(canonical(values)).hexdigest() if values else None


def _value(attempt: DrawAttempt, changes: Iterable[SeatChange]) -> dict[str, Any]:
    committed = {"commitment": attempt.commitment.digest} if attempt.commitment else {}
    return {
        **committed,
        "attempt": attempt.attempt,
        "version": attempt.version,
        "mode": attempt.mode,
        "seed": attempt.seed,
        "players": attempt.players,
        "sizes": attempt.sizes,
        "history": attempt.history,
        "wishes": [bare_wish(wish) for wish in attempt.wishes],
        "changes": [change.data for change in changes],
        "abandoned": attempt.abandoned_at is not None,
    }
