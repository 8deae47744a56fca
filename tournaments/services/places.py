"""Places of sign-ups where their number is limited, and the waiting list."""

from datetime import datetime

from tournaments.models import SignUp, SignUpTerms, Tournament


def move_up(locked: Tournament, *, at: datetime) -> None:
    """Give free places to waiting sign-ups, after a player has left. locked: the locked tournament, with or without terms."""
    terms = SignUpTerms.objects.select_for_update().filter(tournament=locked).first()
    if terms is not None:
        give_places(terms, at=at)


def give_places(terms: SignUpTerms, *, at: datetime) -> None:
    """Give the free places to waiting sign-ups in order of their numbers. A place is never taken away again.

    terms: locked.
    """
    open_sign_ups = SignUp.objects.filter(tournament=terms.tournament_id, participant=None, withdrawn_at=None)
    waiting = open_sign_ups.filter(placed_at=None).order_by("number").values_list("pk", flat=True)
    if terms.most is not None:
        players = terms.tournament.participants.filter(withdrawn_at=None, excluded_at=None).count()
        placed = open_sign_ups.exclude(placed_at=None).count()
        waiting = waiting[: max(0, terms.most - players - placed)]
    SignUp.objects.filter(pk__in=list(waiting)).update(placed_at=at)
