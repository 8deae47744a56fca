"""Export and import of players, rounds and draws in the tournament document.

The document omits what belongs to this installation only: accounts, memberships, invitations, link versions, the time
of import, the last public day, whether the start page lists the tournament, and sign-ups with their terms.
"""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any

from tournaments.models import DrawAttempt, Participant, Tournament
from tournaments.queries.seating import RoundRow, TableRow

SCHEMA = "schnauz-turnier/2"
READABLE_SCHEMAS = ("schnauz-turnier/1", SCHEMA)
DOCUMENT_KEYS = ("schema", "tournament", "participants", "rounds")
MORE_DOCUMENT_KEYS = ("desks", "cash", "commitments", "decisions", "prizes_given", "marks")
ATTEMPT_KEYS = ("mode", "seed", "attempt", "players", "changes")
MORE_ATTEMPT_KEYS = ("commitment", "version", "sizes", "history", "wishes", "reason", "made_at", "by")
SLUG_LENGTH = 60


def moment(at: datetime | None) -> str | None:
    """Return a time in ISO 8601, UTC, with microseconds."""
    return at.isoformat().replace("+00:00", "Z") if at else None


def tournament_document(tournament: Tournament) -> dict[str, Any]:
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "date": tournament.played_on.isoformat(),
        "place": tournament.place,
        "names": tournament.names,
        "draw_mode": tournament.draw_mode,
        "ceremony": tournament.ceremony,
        "wishes": tournament.wishes,
        "fees": [asdict(kind) for kind in tournament.fee_kinds] if tournament.fees else None,
        "starts_at": moment(tournament.starts_at),
        "admits_at": moment(tournament.admits_at),
        "prize_plan": tournament.prize_plan,
        "practice": tournament.is_practice,
        "ended": _ending_document(tournament),
        "created_at": moment(tournament.created_at),
        "ruleset": tournament.rules.to_dict(),
    }


def _ending_document(tournament: Tournament) -> dict[str, Any] | None:
    """Return the early end of the tournament, None if it was not ended early."""
    if tournament.ended_at is None:
        return None
    return {
        "reason": tournament.ended_reason,
        "by": tournament.ended_by,
        "at": moment(tournament.ended_at),
    }


def participant_documents(tournament: Tournament) -> list[dict[str, Any]]:
    people = tournament.participants.order_by("start_number").prefetch_related("payments", "changes")
    return [_participant_document(person) for person in people]


def _participant_document(person: Participant) -> dict[str, Any]:
    return {
        "start_number": person.start_number,
        "name": person.name,
        "club": person.club,
        "town": person.town,
        "fee": person.fee or None,
        "names": person.names or None,
        "presence": person.presence,
        "withdrawn": person.withdrawn_at is not None,
        "withdrawn_at": moment(person.withdrawn_at),
        "excluded": person.excluded_reason or None,
        "excluded_at": moment(person.excluded_at),
        "registered_at": moment(person.registered_at),
        "registered_by": person.registered_by,
        "payments": [
            {
                "kind": payment.kind,
                "cents": payment.cents,
                "at": moment(payment.at),
                "by": payment.by,
                "desk": payment.desk,
            }
            for payment in sorted(person.payments.all(), key=lambda payment: payment.pk)
        ],
        "changes": [
            {"kind": change.kind, "text": change.text, "by": change.by, "at": moment(change.at)}
            for change in sorted(person.changes.all(), key=lambda change: change.pk)
        ],
    }


def round_document(row: RoundRow) -> dict[str, Any]:
    """Return the document of a round with draw and seating. The callers in scoring add the entries of the sheets."""
    return {
        "number": row.number,
        "state": row.state,
        "drawn_at": moment(row.drawn_at),
        "released_at": moment(row.released_at),
        "released_reason": row.released_reason or None,
        "started_at": moment(row.started_at),
        "closed_at": moment(row.closed_at),
        "closed_reason": row.closed_reason or None,
        "draw": draw_document(row),
        "tables": [
            {
                "number": table.number,
                "seats": [
                    {"seat_number": seat.seat_number, "start_number": seat.start_number}
                    for seat in table.seats
                ],
                "scribe": _scribe_document(table),
            }
            for table in row.tables
        ],
    }


def _scribe_document(table: TableRow) -> dict[str, Any] | None:
    """Return the named scribe of a table; None if the ruleset's default applies."""
    if table.scribe is None or table.named_at is None:
        return None
    named = {"seat_number": table.scribe.seat_number, "by": table.named_by}
    return {**named, "at": moment(table.named_at), "agreed": table.agreed}


def public_round_document(row: RoundRow) -> dict[str, Any]:
    """Return the public document of a released round: without free text, accounts and private wishes."""
    document: dict[str, Any] = _without(
        ("released_reason", "closed_reason", "reason", "by", "agreed"), round_document(row)
    )
    draw = document["draw"]
    for attempt in [draw, *draw["abandoned"]] if draw else []:
        _hide_private_wishes(attempt)
    return document


def _without(keys: Collection[str], value: Any) -> Any:
    """Return a copy of a JSON value without these keys, at any depth."""
    if isinstance(value, dict):
        return {key: _without(keys, inner) for key, inner in value.items() if key not in keys}
    return [_without(keys, inner) for inner in value] if isinstance(value, list) else value


def _hide_private_wishes(attempt: dict[str, Any]) -> None:
    """Replace the private wishes of an attempt by their number.

    The seed goes with them: a reader could replay the draw with every possible wish until the tables match.
    """
    public = [wish for wish in attempt["wishes"] if not wish.get("private")]
    if hidden := len(attempt["wishes"]) - len(public):
        attempt.update(wishes=public, private_wishes=hidden, seed=None)


def draw_document(row: RoundRow) -> dict[str, Any] | None:
    """Return the attempt in force with the abandoned ones; None if an imported round has no draw on record."""
    if row.attempt is None:
        return None
    document = _attempt_document(row.attempt)
    document["abandoned"] = [
        {**_attempt_document(attempt), "abandoned_at": moment(attempt.abandoned_at)}
        for attempt in row.abandoned
    ]
    return document


def _attempt_document(attempt: DrawAttempt) -> dict[str, Any]:
    return {
        "version": attempt.version,
        "mode": attempt.mode,
        "seed": attempt.seed,
        "attempt": attempt.attempt,
        "commitment": attempt.commitment.number if attempt.commitment else None,
        "players": attempt.players,
        "sizes": attempt.sizes,
        "history": attempt.history,
        "wishes": attempt.wishes,
        "changes": [
            {**change.data, "reason": change.reason, "by": change.by, "at": moment(change.at)}
            for change in attempt.changes.all()
        ],
        "reason": attempt.reason or None,
        "made_at": moment(attempt.made_at),
        "by": attempt.by,
    }
