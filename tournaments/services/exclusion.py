"""Exclusion of players from the standings, one by one or a whole table. Their record and their fee are kept (RULES 5.8)."""

from datetime import datetime

from django.db import transaction

from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, PersonChange, Table, Tournament
from tournaments.notify import notify
from tournaments.services.door import keep_change, lock_participant
from tournaments.services.tournaments import lock_tournament


def exclude(tournament: Tournament, start_number: int, *, reason: str, by: str, at: datetime) -> Participant:
    """Exclude a player from the standings for cheating or a false entry. Record and fee are kept (RULES 5.8).

    Refuses reason_needed, an invalid reason (text_...), and is_excluded (name).
    """
    reason = _reason(reason)
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.excluded_at is not None:
            raise Refusal("is_excluded", name=participant.name)
        keep_change(participant, PersonChange.ChangeKind.EXCLUDED, text=reason, by=by, at=at)
        _set_exclusion(tournament, participant, reason=reason, at=at)
    return participant


def exclude_table(table: Table, *, reason: str, by: str, at: datetime) -> list[Participant]:
    """Exclude all players of a table in one step; players excluded earlier keep their own reason.

    Refuses reason_needed, an invalid reason (text_...), and table_is_excluded (table) if all players are excluded already.
    """
    reason = _reason(reason)
    tournament = table.round.tournament
    with transaction.atomic():
        lock_tournament(tournament)
        seated = Participant.objects.filter(seats__table=table, excluded_at=None).order_by("start_number")
        numbers = list(seated.values_list("start_number", flat=True))
        if not numbers:
            raise Refusal("table_is_excluded", table=table.number)
        return [exclude(tournament, number, reason=reason, by=by, at=at) for number in numbers]


def _reason(reason: str) -> str:
    if not reason.strip():
        raise Refusal("reason_needed")
    return clean_text(reason, most=500)


def take_back_exclusion(tournament: Tournament, start_number: int, *, by: str, at: datetime) -> Participant:
    """Undo an exclusion: the player is in the standings again. Refuses not_excluded (name)."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.excluded_at is None:
            raise Refusal("not_excluded", name=participant.name)
        keep_change(participant, PersonChange.ChangeKind.READMITTED, by=by, at=at)
        _set_exclusion(tournament, participant, reason="", at=None)
    return participant


def _set_exclusion(
    tournament: Tournament, participant: Participant, *, reason: str, at: datetime | None
) -> None:
    participant.excluded_at, participant.excluded_reason = at, reason
    participant.save(update_fields=["excluded_at", "excluded_reason"])
    notify(tournament.slug, "people")
    notify(tournament.slug, "standings")
