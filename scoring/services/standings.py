"""Publication of the standings (freeze, release) and the organiser's decisions on ties."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from scoring.models import Decision, Publication
from scoring.queries import standings as queries
from scoring.queries.publication import after_what_is_public
from scoring.services.evenings import project_evening
from tournaments.core import lot
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Commitment, Tournament
from tournaments.notify import notify
from tournaments.services.ceremony import commit_to_lot, reveal, seed_from
from tournaments.services.tournaments import lock_tournament


def freeze(tournament: Tournament, *, before: int | None = None, by: str, at: datetime) -> Publication:
    """Freeze the public standings at their current state while sheets come in. Refuses is_frozen.

    before: hold back this round altogether, so that nobody reads the winner before the prize-giving.
    """
    return _publish_this_moment(tournament, was_frozen=False, before=before, by=by, at=at)


def show_new_standing(tournament: Tournament, *, by: str, at: datetime) -> Publication:
    """Publish the current standings once and keep the freeze. Refuses is_not_frozen."""
    return _publish_this_moment(tournament, was_frozen=True, by=by, at=at)


def _publish_this_moment(
    tournament: Tournament, *, was_frozen: bool, before: int | None = None, by: str, at: datetime
) -> Publication:
    with transaction.atomic():
        lock_tournament(tournament)
        is_frozen = queries.is_frozen(tournament)
        if is_frozen and not was_frozen:
            raise Refusal("is_frozen")
        if was_frozen and not is_frozen:
            raise Refusal("is_not_frozen")
        results = queries.released_results(tournament, before=before)
        at = after_what_is_public(tournament, at)
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
        return _record(locked, Decision.Kind(kind).value, order, by=by, at=at, reason=reason)


def draw_lot(
    tournament: Tournament, players: Collection[int], *, by: str, at: datetime, seed: str | None = None
) -> Decision:
    """Draw the order of tied players by lot, from a seed that is stored with the decision (RULES 5.7).

    seed: 64 hex digits; None: from a commitment that is made and opened here. Refuses lot_is_drawn_by_hand (other
    rulesets), seed_bad, and not_tied (start_numbers) unless `players` (start numbers) are exactly those of one shared rank.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        check_tied(locked, players)
        if seed is None:
            return record_lot(locked, commit_to(locked, players, by=by, at=at), by=by, at=at)
        order = lot.draw_lot(seed.lower(), players)
        return _record(locked, Decision.Kind.LOT.value, order, by=by, at=at, seed=seed.lower())


def commit_to(locked: Tournament, players: Collection[int], *, by: str, at: datetime) -> Commitment:
    """Commit to a lot between these players. The caller has locked the tournament."""
    return commit_to_lot(locked, sorted(players), by=by, at=after_what_is_public(locked, at))


def check_tied(tournament: Tournament, players: Collection[int]) -> None:
    """Check that a lot between these players can be drawn here. Refuses lot_is_drawn_by_hand and not_tied (start_numbers)."""
    if not tournament.rules.lot_by_program:
        raise Refusal("lot_is_drawn_by_hand")
    _check_shares_rank(tournament, players)


def _check_shares_rank(tournament: Tournament, players: Collection[int]) -> None:
    if sorted(players) not in [sorted(group) for group in queries.tied_groups(tournament)]:
        raise Refusal("not_tied", start_numbers=list(players))


def record_lot(locked: Tournament, commitment: Commitment, *, by: str, at: datetime) -> Decision:
    """Open the commitment to a lot and record the order that follows. The caller has locked the tournament.

    Refuses commitment_cannot_be_opened, and not_tied (start_numbers).
    """
    seed = seed_from(commitment, at=at)
    order = lot.draw_lot(seed, commitment.value["lot"])
    said_at = max(at, commitment.words_at or at)
    decision = _record(
        locked, Decision.Kind.LOT.value, order, by=by, at=said_at, seed=seed, commitment=commitment
    )
    reveal(commitment, at=at)
    return decision


def _record(locked: Tournament, kind: str, order: Sequence[int], **columns: object) -> Decision:
    """Record a decision. columns: of the decision."""
    _check_shares_rank(locked, order)
    decision = locked.decisions.create(kind=kind, order=list(order), **columns)
    project_evening(locked)
    notify(locked.slug, "standings")
    return decision


def revoke_decision(tournament: Tournament, decision_id: int, *, by: str, at: datetime) -> None:
    """Revoke a decision. It stays on record. Refuses unknown_decision."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        decision = tournament.decisions.filter(pk=decision_id, revoked_at=None).first()
        if decision is None:
            raise Refusal("unknown_decision")
        decision.revoked_at, decision.revoked_by = at, by
        decision.save(update_fields=["revoked_at", "revoked_by"])
        project_evening(locked)
        notify(tournament.slug, "standings")
