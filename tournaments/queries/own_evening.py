"""Players who have withdrawn or paused with their own phone since the latest draw."""

from django.db.models import F, OuterRef, Q, Subquery

from tournaments.models import Participant, PersonChange, Tournament


def said_by_phone(tournament: Tournament) -> tuple[Participant, ...]:
    """Return these players by start number. Until the next draw this can be undone. One query."""
    latest = tournament.rounds.order_by("-number")
    withdrawals = PersonChange.objects.filter(participant=OuterRef("pk"), kind="withdrawn").order_by("-id")
    people = Participant.objects.filter(tournament=tournament, excluded_at=None).annotate(
        last_round=Subquery(latest.values("number")[:1]),
        drawn_at=Subquery(latest.values("drawn_at")[:1]),
        withdrawn_by=Subquery(withdrawals.values("by")[:1]),
    )
    nothing_drawn = Q(last_round=None)
    went = Q(withdrawn_at__isnull=False, withdrawn_by="") & (
        nothing_drawn | Q(withdrawn_at__gt=F("drawn_at"))
    )
    pauses = Q(withdrawn_at=None, pauses_round__isnull=False) & (
        nothing_drawn | Q(pauses_round__gt=F("last_round"))
    )
    return tuple(people.filter(went | pauses).order_by("start_number"))
