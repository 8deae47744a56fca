"""Publication of the standings (freeze, release) and the organiser's decisions on ties."""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from scoring.models import Decision, Publication
from scoring.queries import standings as queries
from tournaments.core import lot
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.notify import notify
from tournaments.services.tournaments import lock_tournament


def freeze(tournament: Tournament, *, by: str, at: datetime) -> Publication:
    """Freeze the public standings at their current state while sheets come in. Refuses is_frozen."""
    return _publish_this_moment(tournament, was_frozen=False, by=by, at=at)


def show_new_standing(tournament: Tournament, *, by: str, at: datetime) -> Publication:
    """Publish the current standings once and keep the freeze. Refuses is_not_frozen."""
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
    """End the freeze: every accepted sheet is public at once again."""
    with transaction.atomic():
        lock_tournament(tournament)
        publication = tournament.publications.create(is_frozen=False, by=by, at=at)
        notify(tournament.slug, "standings")
    return publication


def decide(
    tournament: Tournament, *, kind: str, order: Sequence[int], reason: str, by: str, at: datetime
) -> Decision:
    """Record the order (start numbers, best first) of tied players.

    Refuses a missing reason, lot_is_drawn_by_program for a lot if the ruleset has the program draw lots, and not_tied
    (start_numbers) unless `order` contains exactly the players of one shared rank.
    """
    reason = clean_text(reason, most=500, required=True)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if kind == Decision.Kind.LOT and locked.rules.lot_by_program:
            raise Refusal("lot_is_drawn_by_program")
        return _record(locked, Decision.Kind(kind), order, by=by, at=at, reason=reason)


def draw_lot(
    tournament: Tournament, players: Collection[int], *, by: str, at: datetime, seed: str | None = None
) -> Decision:
    """Draw the order of tied players by lot, from a seed that is stored with the decision (RULES 5.7).

    seed: 64 hex digits; None: a new random seed. Refuses lot_is_drawn_by_hand (other rulesets), seed_bad, and not_tied
    (start_numbers) unless `players` (start numbers) are exactly those of one shared rank.
    """
    seed = secrets.token_hex(32) if seed is None else seed.lower()
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not locked.rules.lot_by_program:
            raise Refusal("lot_is_drawn_by_hand")
        return _record(locked, Decision.Kind.LOT, lot.draw_lot(seed, players), by=by, at=at, seed=seed)


def _record(
    locked: Tournament,
    kind: Decision.Kind,
    order: Sequence[int],
    *,
    by: str,
    at: datetime,
    reason: str = "",
    seed: str = "",
) -> Decision:
    shared = queries.tied_groups(locked)
    if sorted(order) not in [sorted(group) for group in shared]:
        raise Refusal("not_tied", start_numbers=list(order))
    decision = locked.decisions.create(
        kind=kind.value, order=list(order), reason=reason, seed=seed, by=by, at=at
    )
    notify(locked.slug, "standings")
    return decision


def revoke_decision(tournament: Tournament, decision_id: int, *, by: str, at: datetime) -> None:
    """Revoke a decision. It stays on record. Refuses unknown_decision."""
    with transaction.atomic():
        lock_tournament(tournament)
        found = tournament.decisions.filter(pk=decision_id, revoked_at=None).first()
        if found is None:
            raise Refusal("unknown_decision")
        found.revoked_at, found.revoked_by = at, by
        found.save(update_fields=["revoked_at", "revoked_by"])
        notify(tournament.slug, "standings")
