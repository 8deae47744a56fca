"""Evenings for `compare_pages`: under each rule sheet before the draw, drawn, in play and decided."""

from itertools import cycle
from typing import Any

from django.contrib.auth.models import User

from scoring.models import Flag, Screen
from scoring.practice.evenings import create_practice_tournament
from scoring.queries.standings import tied_groups
from scoring.services.flags import raise_flag
from scoring.services.rounds import close
from scoring.services.sheets import write
from scoring.services.standings import decide, freeze
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.scoring.test_every_page import evening_of, parked, written
from tournaments.core.wishes import KeepApart
from tournaments.models import Membership, Participant, Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.services import door
from tournaments.services.draw_settings import add_wish

NAMES = (
    "Anna Muster",
    "Sepp Muster",
    "Übel, Jörg",
    "<b>fett</b>",
    "Ä" * 40,
    "O’Brien",
    "Anna-Lena Weiß-Müller",
    "Franz Beispiel",
)


def fill() -> None:
    organiser, cashier = (User.objects.create_user(name) for name in ("organiser", "cashier"))
    practice = create_practice_tournament(slug="practice", owner=organiser, at=AT)
    members(practice, organiser, cashier)
    for name in PRESETS:
        for state in ("open", "drawn", "playing", "decided"):
            tournament = TournamentFactory.create(slug=f"{name}-{state}", ruleset=preset(name).to_dict())
            members(tournament, organiser, cashier)
            evening(tournament, name, state)


def members(tournament: Tournament, organiser: User, cashier: User) -> None:
    Membership.objects.get_or_create(
        tournament=tournament, user=organiser, defaults={"role": Membership.Role.ORGANISER}
    )
    Membership.objects.create(tournament=tournament, user=cashier, role=Membership.Role.CASHIER)


def evening(tournament: Tournament, name: str, state: str) -> None:
    players, facts, paper = evening_of(name)
    register(tournament, players)
    if state == "open":
        return
    if state == "drawn":
        if not tournament.rules.drawn_ahead:
            add_wish(tournament, KeepApart(1, 2, "hört schlecht"))
        a_round(tournament, released=False)
        return
    a_round(tournament)
    written(table(tournament, 1), facts)
    parked(table(tournament, 1), facts[0])
    rest(tournament, 1, paper, first=2)
    raise_flag(
        tournament, 1, 2, note="Mein Strich fehlt", name="Anna", address="127.0.0.1", browser="x", at=AT
    )
    screens(tournament)
    if state == "playing":
        if name == "konradsreuth":
            freeze(tournament, by="organiser", at=AT)
        return
    write(
        table(tournament, 1), [("accepted", {"reason": "Zeit ist um"})], by="organiser", at=AT, initials="AB"
    )
    close(tournament, 1, reason="zurückgestellt", at=AT)
    for number in range(2, (tournament.rules.rounds or 2) + 1):
        a_round(tournament, number)
        rest(tournament, number, paper, first=1)
        close(tournament, number, reason="", at=AT)
    for tied in tied_groups(tournament)[:1]:
        decide(tournament, kind="playoff", order=tied[::-1], reason="gestochen", by="organiser", at=AT)


def register(tournament: Tournament, players: int) -> None:
    for number, name in zip(range(players), cycle(NAMES), strict=False):
        newcomer = door.Newcomer(f"{name} {number}" if number > 5 else name, "Verein" if number % 2 else "")
        door.register(tournament, newcomer, paid=number % 3 > 0, by="organiser", at=AT)
    ParticipantFactory.create(
        tournament=tournament, name="Angekündigt", presence=Participant.Presence.ANNOUNCED
    )
    ParticipantFactory.create(tournament=tournament, name="Fort", withdrawn_at=AT)
    door.name_in_public(tournament, 3, names="number", by="kasse", at=AT)


def rest(tournament: Tournament, number: int, paper: Any, *, first: int) -> None:
    """Type in paper sheets for all tables from number `first` on."""
    for found in Table.objects.filter(round__tournament=tournament, round__number=number, number__gte=first):
        seats = found.seats.count()
        write(
            found,
            [(paper.kind, for_seats(paper.data, seats)), ("accepted", {"reason": "vom Papierblatt"})],
            by="organiser",
            at=AT,
            initials="AB",
        )


def for_seats(data: Any, seats: int) -> dict[str, Any]:
    """Return the figures of five seats, cut to the number of seats at a table."""
    if "ranks" in data:
        return {"ranks": {str(seat): seat for seat in range(1, seats + 1)}}
    return {
        name: {str(seat): by_seat.get(str(seat), 0) for seat in range(1, seats + 1)}
        for name, by_seat in data.items()
    }


def screens(tournament: Tournament) -> None:
    Screen.objects.create(
        tournament=tournament, at=AT, by="organiser", number=2, scene="announcement", text="Pause bis 21 Uhr"
    )
    Screen.objects.create(
        tournament=tournament, at=AT, by="organiser", number=3, scene="prizes", lowest_rank=5, revealed="3"
    )
    Screen.objects.create(
        tournament=tournament,
        at=AT,
        by="organiser",
        number=4,
        scene="welcome",
        network="Gäste",
        password="geheim-12345",
    )
    assert Flag.objects.filter(tournament=tournament).exists()


def table(tournament: Tournament, number: int) -> Table:
    return Table.objects.get(round__tournament=tournament, round__number=1, number=number)
