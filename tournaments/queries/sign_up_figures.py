"""Numbers of those who have registered themselves, for the organiser."""

from dataclasses import dataclass

from django.db.models import Count, Q

from tournaments.models import SignUpTerms, Tournament


@dataclass(frozen=True, slots=True)
class SignUpFigures:
    """Numbers of sign-ups. placed: with a place, and not confirmed yet; arrived: those of them who say that they are in the hall.

    free: places that are left, None without a limit.
    """

    placed: int
    arrived: int
    waiting: int
    confirmed: int
    free: int | None


def sign_up_figures(tournament: Tournament, terms: SignUpTerms | None) -> SignUpFigures:
    """Return the figures. Two queries with a limit, else one."""
    is_open = Q(confirmed_at=None, withdrawn_at=None)
    has_place = ~Q(placed_at=None) | ~Q(participant=None)
    counted = tournament.sign_ups.aggregate(
        placed=Count("pk", filter=is_open & has_place),
        arrived=Count("pk", filter=is_open & has_place & ~Q(arrived_at=None)),
        waiting=Count("pk", filter=is_open & ~has_place),
        confirmed=Count("pk", filter=~Q(confirmed_at=None)),
        places=Count("pk", filter=Q(participant=None, withdrawn_at=None) & ~Q(placed_at=None)),
    )
    places = counted.pop("places")
    free = None
    if terms is not None and terms.most is not None:
        players = tournament.participants.filter(withdrawn_at=None, excluded_at=None).count()
        free = max(0, terms.most - players - places)
    return SignUpFigures(**counted, free=free)
