"""The prize-giving: a prize is given, not collected, or taken back.

Each function locks the tournament, computes the prizes again and refuses prize_changed unless the prize is as on the
caller's page (`seen`: `Award.version`). So a prize cannot be given twice, nor by an outdated
plan or outdated standings. `by` is the account, `at` is UTC, `desk` the name of the desk that pays.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from scoring.core.prize_giving import Award, GivenRow, HandoutKind
from scoring.models import PrizeHandout
from scoring.queries.prize_giving import current_prize_giving
from scoring.queries.standings import current_standings
from tournaments.core.refusal import Refusal
from tournaments.models import CashEntry, Participant, Payment, Tournament
from tournaments.notify import notify
from tournaments.services.desks import check_amount, open_desk
from tournaments.services.door import lock_participant
from tournaments.services.payments import pay


@dataclass(frozen=True, slots=True)
class _Claim:
    """A player's prize in a locked tournament."""

    player: Participant
    award: Award
    row: GivenRow | None

    def write(self, kind: HandoutKind, **columns: object) -> PrizeHandout:
        """Create the next fact about this prize. columns: of the handout."""
        slot = {"participant": self.player, "prize": self.award.prize, "number": self.award.facts + 1}
        handout = self.player.tournament.handouts.create(**slot, kind=kind, **columns)
        notify(self.player.tournament.slug, "people")
        return handout


def give_prize(
    tournament: Tournament,
    start_number: int,
    prize: str,
    *,
    seen: str,
    thing: str = "",
    by: str,
    at: datetime,
    desk: str,
) -> PrizeHandout:
    """Give a player the rest of their prize; the money is a payout of the desk.

    thing: a prize shared by tied players that the organiser gives to this one. Refuses
    unknown_participant (start_number), nobody_has_won before the final standings, prize_changed, prize_is_given if nothing
    is left, prize_thing_gone (thing), amount_too_large (most_cents), and desk_closed (desk).
    """
    with transaction.atomic():
        claim = _lock(tournament, start_number, prize, seen)
        award = claim.award
        if thing and (claim.row is None or thing not in claim.row.loose):
            raise Refusal("prize_thing_gone", thing=thing)
        things = [*award.rest_things, *([thing] if thing else [])]
        if not (award.rest_cents or things):
            raise Refusal("prize_is_given")
        payment = None
        if award.rest_cents:
            payment = pay(claim.player, Payment.Kind.PAYOUT, award.rest_cents, by=by, at=at, desk=desk)
        return claim.write("given", cents=award.rest_cents, things=things, payment=payment, by=by, at=at)


def mark_absent(
    tournament: Tournament, start_number: int, prize: str, *, seen: str, by: str, at: datetime
) -> PrizeHandout:
    """Record that a player was absent when called; the prize stays open.

    Refuses unknown_participant (start_number), nobody_has_won, prize_changed, and prize_is_given if nothing is left.
    """
    with transaction.atomic():
        claim = _lock(tournament, start_number, prize, seen)
        if not (claim.award.has_rest or (claim.row and claim.row.loose)):
            raise Refusal("prize_is_given")
        return claim.write("absent", by=by, at=at)


def take_back(
    tournament: Tournament,
    start_number: int,
    prize: str,
    *,
    seen: str,
    reason: str,
    everything: bool = False,
    by: str,
    at: datetime,
    desk: str,
) -> PrizeHandout:
    """Take back a player's surplus, or with `everything` all that they got; money goes into the desk.

    reason: of the line of the desk. Refuses unknown_participant (start_number), prize_changed, prize_not_had if there is
    nothing to take back, amount_too_large (most_cents), and desk_closed (desk).
    """
    with transaction.atomic():
        claim = _lock(tournament, start_number, prize, seen, final=False)
        award = claim.award
        cents = award.had_cents if everything else award.over_cents
        things = list(award.had_things if everything else award.over_things)
        if not (cents or things):
            raise Refusal("prize_not_had")
        cash = None
        if cents:
            check_amount(cents)
            locked = claim.player.tournament
            cash = open_desk(locked, desk).entries.create(
                tournament=locked, kind=CashEntry.CashKind.BACK, cents=cents, reason=reason, by=by, at=at
            )
        return claim.write("back", cents=cents, things=things, cash=cash, by=by, at=at)


def _lock(tournament: Tournament, start_number: int, prize: str, seen: str, *, final: bool = True) -> _Claim:
    """Lock the tournament and return a player's current prize. final: whether the standings must be final."""
    player = lock_participant(tournament, start_number)
    leaderboard = current_standings(player.tournament)
    if final and not leaderboard.final:
        raise Refusal("nobody_has_won")
    giving = current_prize_giving(player.tournament, leaderboard)
    award, row = giving.of(prize, start_number) if giving else (None, None)
    if award is None or award.version != seen:
        raise Refusal("prize_changed")
    return _Claim(player, award, row)
