"""The prizes of a tournament: its plan, the money for it, and what they give with the standings of now."""

import json
from hashlib import sha256

from django.db.models import Count, OuterRef, Subquery

from scoring.core.prize_outlook import Outlook, outlook
from scoring.core.prize_plan import PrizePlan
from scoring.core.prizes import Contender, PrizeList, work_out
from scoring.queries.entrants import players_of_round
from scoring.queries.standings import Leaderboard
from tournaments.core.fees import kind_of
from tournaments.models import DrawAttempt, Participant, Tournament
from tournaments.queries.desks import taken_cents

MOST_CLUBS = 60
SPAN = 3
"""Outlooks are shown for up to so many players fewer or more."""


def plan_of(tournament: Tournament) -> PrizePlan | None:
    """Return the plan, only with its things if the tournament hides amounts."""
    if not tournament.prize_plan:
        return None
    plan = PrizePlan.from_dict(tournament.prize_plan)
    return plan.things_only() if tournament.hides_amounts else plan


def plan_in_force(tournament: Tournament, plan: PrizePlan) -> PrizePlan:
    """Return the plan with the ranks that the number of players leaves, once they are drawn; before, as it is.

    One query if the plan follows the head count.
    """
    players = _players_drawn(tournament) if plan.follows_head_count else 0
    return plan.for_players(players) if players else plan


def _players_drawn(tournament: Tournament) -> int:
    """Return the number of players of the first draw, 0 before it. One query.

    A round that was imported without its draw has its seats.
    """
    draw = DrawAttempt.objects.filter(round=OuterRef("pk"), abandoned_at=None).values("players")
    first = tournament.rounds.filter(number=1).annotate(drawn=Subquery(draw), seated=Count("seats"))
    players, seated = first.values_list("drawn", "seated").first() or ((), 0)
    return len(players or ()) or seated


def plan_version(tournament: Tournament) -> str:
    """Return a text that differs for different plans, "" without a plan."""
    stored = json.dumps(tournament.prize_plan, sort_keys=True)
    return sha256(stored.encode()).hexdigest()[:16] if tournament.prize_plan else ""


def clubs_of(tournament: Tournament) -> list[str]:
    """Return the first clubs by name whose players a prize can be for. One query."""
    clubs = Participant.objects.filter(tournament=tournament).exclude(club="").order_by("club")
    return list(clubs.values_list("club", flat=True).distinct()[:MOST_CLUBS])


def prize_list(tournament: Tournament, leaderboard: Leaderboard) -> PrizeList | None:
    """Return the prizes by the organiser's standings, None without a plan. Four queries at most."""
    plan = plan_of(tournament)
    if plan is None:
        return None
    plan = plan_in_force(tournament, plan).for_players(len(leaderboard.rows))
    kinds = tournament.fee_kinds
    people = {person.start_number: person for person in tournament.participants.all()}
    contenders = [
        Contender(
            row.start_number,
            row.rank,
            row.strokes,
            has_gone=row.withdrawn or people[row.start_number].state == Participant.Presence.ABSENT,
            fee=kind_of(kinds, people[row.start_number].fee).key,
            club=row.club,
        )
        for row in leaderboard.rows
    ]
    taken, seed = taken_cents(tournament), _seed_of_lots(tournament)
    return work_out(plan, taken_cents=taken, contenders=contenders, seed=seed)


def outlook_now(tournament: Tournament, plan: PrizePlan) -> Outlook:
    """Return what a plan gives with the players who are present and the takings of now. Three queries at most."""
    plan = plan_in_force(tournament, plan)
    return outlook(plan, taken_cents=taken_cents(tournament), players=len(players_of_round(tournament, 1)))


def outlooks_around(tournament: Tournament, plan: PrizePlan) -> tuple[Outlook, ...]:
    """Return the outlooks before the draw from a few players fewer than now to a few more, ascending. Three queries at most.

    Each player more brings the default fee, each player fewer takes it away.
    """
    now, fee = outlook_now(tournament, plan), tournament.fee_kinds[0].cents
    return tuple(
        outlook(plan, taken_cents=max(0, now.taken_cents + (count - now.players) * fee), players=count)
        for count in range(max(0, now.players - SPAN), now.players + SPAN + 1)
    )


def _seed_of_lots(tournament: Tournament) -> str:
    """Return the seed of the last draw. If no draw is on record, derive one from the time of the tournament's creation."""
    attempts = DrawAttempt.objects.filter(round__tournament=tournament, abandoned_at=None)
    seed = attempts.order_by("-round__number").values_list("seed", flat=True).first()
    return seed or sha256(f"{tournament.created_at.timestamp():.6f}".encode()).hexdigest()
