"""Ending a tournament before its last planned round, and resuming it.

After the end the standings of the closed rounds are final. A round that is drawn but not released does not count; its
draw is kept, so that the tournament can be resumed as it was.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F

from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Round, Table, Tournament
from tournaments.notify import notify
from tournaments.rulesets.schema import Ruleset
from tournaments.services.rounds import released_round, unrelease
from tournaments.services.tournaments import lock_tournament


def end_tournament(tournament: Tournament, *, reason: str, by: str, at: datetime) -> Tournament:
    """End the tournament after the rounds that are closed.

    Refuses tournament_ended, a missing reason, and what `check_can_end` refuses.
    """
    reason = clean_text(reason, most=500, required=True)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if locked.ended_at is not None:
            raise Refusal("tournament_ended")
        states = dict(locked.rounds.values_list("number", "state"))
        check_can_end(locked.rules, states)
        if locked.rules.rounds is None and _final_is_closed(locked):
            raise Refusal("all_rounds_played")
        locked.ended_at, locked.ended_by, locked.ended_reason = at, by, reason
        locked.save(update_fields=["ended_at", "ended_by", "ended_reason"])
        notify(locked.slug, "standings")
    return locked


def check_can_end(rules: Ruleset, states: Mapping[int, str]) -> None:
    """Check that a tournament with these rounds (number -> state) can be ended early.

    Refuses round_in_play (round), no_round_closed, all_rounds_played.
    """
    in_play = next((number for number, state in states.items() if state == Round.State.RELEASED), None)
    if in_play is not None:
        raise Refusal("round_in_play", round=in_play)
    closed = sum(state == Round.State.CLOSED for state in states.values())
    if not closed:
        raise Refusal("no_round_closed")
    if closed == rules.rounds:
        raise Refusal("all_rounds_played")


def resume_tournament(tournament: Tournament) -> Tournament:
    """Undo the end: the remaining rounds can be drawn and released again. Refuses tournament_not_ended."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if locked.ended_at is None:
            raise Refusal("tournament_not_ended")
        locked.ended_at, locked.ended_by, locked.ended_reason = None, "", ""
        locked.save(update_fields=["ended_at", "ended_by", "ended_reason"])
        notify(locked.slug, "standings")
    return locked


def mark_drawn_again(tournament: Tournament, number: int) -> Round:
    """Hide the seating of a released round again and revoke its links. The caller has checked the sheets.

    Refuses round_not_released, round_is_closed (round).
    """
    with transaction.atomic():
        locked_round = released_round(tournament, number)
        unrelease(locked_round)
        locked_round.tables.update(link_version=F("link_version") + 1)
        notify(tournament.slug, "seating")
    return locked_round


def _final_is_closed(tournament: Tournament) -> bool:
    """Whether the final of a knockout, a round of one table, is closed."""
    closed = tournament.rounds.filter(state=Round.State.CLOSED).order_by("-number").values("pk")[:1]
    return Table.objects.filter(round=closed).count() == 1
