"""Players who have withdrawn or paused with their own phone since the latest draw, and whether a round follows."""

from django.db.models import Count, F, OuterRef, Q, Subquery

from tournaments.models import Participant, PersonChange, Round, Tournament


def is_played(tournament: Tournament) -> bool:
    """Return whether no round follows: the tournament was ended, or its last round is closed. One query at most."""
    if tournament.ended_at is not None:
        return True
    closed = tournament.rounds.filter(state=Round.State.CLOSED)
    if (rounds := tournament.rules.rounds) is not None:
        return closed.count() >= rounds
    return closed.annotate(table_count=Count("tables")).filter(table_count=1).exists()


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
