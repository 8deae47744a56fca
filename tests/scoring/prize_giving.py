"""Evenings of one round that end with a prize-giving: players rank in the order of the seats."""

from dataclasses import replace
from typing import Any

from scoring.core.prize_giving import Award, PrizeGiving
from scoring.core.prize_plan import PrizePlan
from scoring.queries.prize_giving import current_prize_giving
from scoring.queries.screens import ceremony_now
from scoring.queries.standings import current_standings
from scoring.services import screens, sheets
from scoring.services.prizes import set_prize_plan
from tests.factories import AT, a_paper_sheet, a_round
from tests.scoring.pages import Staff
from tournaments.models import Payment, Table, Tournament
from tournaments.rulesets.loader import preset

PLAN: dict[str, Any] = {
    "rounding_cents": 50,
    "prizes": [
        {"for": "rank", "from": 1, "to": 1, "cents": 700},
        {"for": "rank", "from": 2, "to": 3, "cents": 300},
        {"for": "last", "thing": "Trostpreis"},
    ],
}


def prize_evening(players: int = 5, **changes: Any) -> Staff:
    """Return an organiser's client; everybody has paid, and one round is released and not played."""
    desk = Staff(players, ruleset=replace(preset("schnauz-placing"), rounds=1))
    for person in desk.tournament.participants.all():
        Payment.objects.create(participant=person, kind="fee", cents=300, at=AT, by="kasse")
    desk.tournament = set_prize_plan(desk.tournament, PrizePlan.from_dict({**PLAN, **changes}))
    a_round(desk.tournament)
    return desk


def reveal_until(tournament: Tournament, numbers: tuple[int, ...], step: str) -> None:
    """Reveal one prize after the other, until this one."""
    while (now := ceremony_now(tournament)) and now.revealed != step:
        assert now.next
        screens.reveal(tournament, numbers, now.next, seen=now.revealed, by="x", at=AT)


def play(tournament: Tournament) -> None:
    for table in Table.objects.filter(round__tournament=tournament):
        a_paper_sheet(table)
    tournament.rounds.update(state="closed")


def play_otherwise(table: Table, order: list[int]) -> None:
    """Reopen the sheet of a table and accept it with another order: seats, best first."""
    ranks = {str(seat): rank for rank, seat in enumerate(order, start=1)}
    ranked = table.sheet.entries.get(kind="ranked")
    drafts: list[tuple[str, dict[str, Any]]] = [
        ("reopened", {"reason": "verschrieben"}),
        ("voided", {"entry": str(ranked.entry_id), "reason": "verschrieben"}),
        ("ranked", {"ranks": ranks}),
        ("accepted", {"reason": "vom Papier"}),
    ]
    sheets.write(table, drafts, by="spielleitung", at=AT)


def by_seat(tournament: Tournament) -> list[int]:
    """Return the start numbers at the first table, by seat."""
    table = Table.objects.get(round__tournament=tournament, number=1)
    return list(table.seats.order_by("seat_number").values_list("participant__start_number", flat=True))


def giving_of(tournament: Tournament) -> PrizeGiving:
    stored = Tournament.objects.get(pk=tournament.pk)
    found = current_prize_giving(stored, current_standings(stored))
    assert found is not None
    return found


def award_of(tournament: Tournament, start_number: int, prize: str = "rank") -> Award:
    award, _row = giving_of(tournament).of(prize, start_number)
    assert award is not None
    return award
