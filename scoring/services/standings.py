"""What the public sees of the standings, and the organiser's word on ties."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from scoring.models import Decision, Publication
from scoring.queries import standings as queries
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.notify import notify
from tournaments.services.tournaments import lock_tournament


def freeze(tournament: Tournament, *, by: str, at: datetime) -> Publication:
    """The public keeps what it sees now while sheets come in. Refuses is_frozen."""
    return _publish_this_moment(tournament, was_frozen=False, by=by, at=at)


def show_new_standing(tournament: Tournament, *, by: str, at: datetime) -> Publication:
    """The public sees the standing of this moment, and the freeze goes on. Refuses is_not_frozen."""
    return _publish_this_moment(tournament, was_frozen=True, by=by, at=at)


def _publish_this_moment(tournament: Tournament, *, was_frozen: bool, by: str, at: datetime) -> Publication:
    with transaction.atomic():
        lock_tournament(tournament)
        is_frozen = queries.is_frozen(tournament)
        if is_frozen and not was_frozen:
            raise Refusal("is_frozen")
        if was_frozen and not is_frozen:
            raise Refusal("is_not_frozen")
        results = queries.released_results(tournament)
        publication = tournament.publications.create(is_frozen=True, results=results, by=by, at=at)
        notify(tournament.slug, "standings")
    return publication


def release(tournament: Tournament, *, by: str, at: datetime) -> Publication:
    """The public sees every accepted sheet at once again."""
    with transaction.atomic():
        lock_tournament(tournament)
        publication = tournament.publications.create(is_frozen=False, by=by, at=at)
        notify(tournament.slug, "standings")
    return publication


def decide(
    tournament: Tournament, *, kind: str, order: Sequence[int], reason: str, by: str, at: datetime
) -> Decision:
    """Records the order (start numbers, best first) of players who are tied.

    Refuses reason_needed, and not_tied unless `order` names exactly all players of one shared rank.
    """
    reason = clean_text(reason, most=500, required=True)
    with transaction.atomic():
        lock_tournament(tournament)
        shared = queries.tied_groups(tournament)
        if sorted(order) not in [sorted(group) for group in shared]:
            raise Refusal("not_tied", start_numbers=list(order))
        decision = tournament.decisions.create(
            kind=Decision.Kind(kind).value, order=list(order), reason=reason, by=by, at=at
        )
        notify(tournament.slug, "standings")
    return decision


def revoke_decision(tournament: Tournament, decision_id: int, *, by: str, at: datetime) -> None:
    """Takes a decision back; it stays on record. Refuses unknown_decision."""
    with transaction.atomic():
        lock_tournament(tournament)
        found = tournament.decisions.filter(pk=decision_id, revoked_at=None).first()
        if found is None:
            raise Refusal("unknown_decision")
        found.revoked_at, found.revoked_by = at, by
        found.save(update_fields=["revoked_at", "revoked_by"])
        notify(tournament.slug, "standings")
