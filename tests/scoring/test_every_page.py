"""Every page that shows entries of sheets, under every rule sheet, with every kind of entry."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import ParkedEntry, SheetEntry
from scoring.services.parked_entries import adopt
from scoring.services.sheets import Sent, free_pen, record, take_pen, write
from scoring.services.standings import freeze
from tests.factories import AT
from tests.scoring.core.writing import (
    Line,
    hands,
    handschnauz,
    knock,
    ranked,
    ruf,
    schnauz,
    solo,
    stroke,
    totalled,
)
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import entered
from tournaments.models import Table
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.django_db

GAMES = {"tout_won": (1, 0, 0, 0), "tout_played": (1, 0, 0, 0), "solo_won": (1, 0, 0, 0)}
Evening = tuple[int, list[Line], Line]
EVENINGS: dict[str, Evening] = {
    "survival": (10, [knock(1), schnauz(2, 1), stroke(3), ranked(1, 2, 2, 4, 5)], ranked(5, 4, 3, 2, 1)),
    "hand_points": (
        10,
        [hands(30, 21, 20, 8, 33), hands(35, 21, 20, 8, 10, ended_by="table_schnauz")],
        totalled(points=(612, 588, 601, 540, 577), schnauz=(2, 0, 0, 0, 1), feuer=(0, 1, 0, 0, 0)),
    ),
    "plus_minus": (
        8,
        [ruf(1, 2), solo(3, game="wenz", won=False, level="schneider"), solo(4, level="tout")],
        totalled(points=(14, -4, 6, -16), **GAMES, solo_played=(2, 0, 1, 0)),
    ),
}
"""By the kind of sheet: players, facts of a table written deal by deal, facts of a table typed in from paper."""
NOBODY_PAYS: Evening = (
    10,
    [knock(1), handschnauz(2), schnauz(3), ranked(1, 2, 2, 4, 5)],
    ranked(5, 4, 3, 2, 1),
)
"""An evening with deals in which nobody pays, possible under konradsreuth."""


def evening_of(name: str) -> Evening:
    return NOBODY_PAYS if name == "konradsreuth" else EVENINGS[preset(name).sheet.kind]


Draft = tuple[str, dict[str, object]]


@pytest.fixture(params=PRESETS)
def desk(request: pytest.FixtureRequest) -> Staff:
    """Create a round in play: table 1 with entries of every kind, also voided, corrected and parked; table 2 from paper."""
    players, facts, paper = evening_of(request.param)
    desk = Staff(players, ruleset=request.param)
    desk.draw()
    written(desk.table(), facts)
    parked(desk.table(), facts[0])
    write(
        desk.table(2),
        [(paper.kind, dict(paper.data)), ("accepted", {"reason": "vom Papierblatt"})],
        by="x",
        at=AT,
    )
    total = str(entries(desk.table(2))[0].entry_id)
    again: list[Draft] = [
        ("reopened", {"reason": "verlesen"}),
        ("corrected", {"entry": total, "data": dict(paper.data), "reason": "verlesen"}),
        ("accepted", {"reason": "vom Papierblatt"}),
    ]
    write(desk.table(2), again, by="x", at=AT, initials="AB")
    return desk


def entries(table: Table) -> list[SheetEntry]:
    return list(SheetEntry.objects.filter(sheet__table=table).order_by("sequence"))


def written(table: Table, facts: list[Line]) -> None:
    write(table, [(fact.kind, dict(fact.data)) for fact in facts], by="x", at=AT)
    for entry in entries(table):
        if entry.data.get("level") == "tout":
            write(table, [("approved", {"entry": str(entry.entry_id)})], by="x", at=AT, initials="AB")
    write(
        table,
        [("objected", {"seat_number": 2, "note": "Nein"}), ("confirmed", {"seat_number": 1})],
        by="x",
        at=AT,
    )
    log = entries(table)
    first, last, objection = log[0], log[len(facts) - 1], log[-2]
    marks = [entry for entry in log if entry.kind == "approved"]
    taken_back: list[Draft] = [
        ("voided", {"entry": str(entry.entry_id), "reason": "doch nicht"}) for entry in (*marks, last)
    ]
    late: list[Draft] = [
        ("corrected", {"entry": str(first.entry_id), "data": dict(facts[0].data), "reason": "verlesen"}),
        ("voided", {"entry": str(objection.entry_id), "reason": "geklärt"}),
        *taken_back,
    ]
    if facts[-1].kind == "ranked":
        late.append(("ranked", dict(facts[-1].data)))
    late += [("accepted", {"reason": "Zeit ist um"}), ("reopened", {"reason": "zu früh"})]
    write(table, late, by="x", at=AT, initials="AB")


def parked(table: Table, fact: Line) -> None:
    """Park two entries of a phone that has lost the pen; decide on one of them."""
    epoch = take_pen(table, device="a", at=AT).row.pen_epoch
    free_pen(table, at=AT)
    take_pen(table, device="b", at=AT)
    sent = [Sent(str(uuid4()), kind, data, AT) for kind, data in (fact, ("confirmed", {"seat_number": 2}))]
    record(table, sent, device="a", pen_epoch=epoch, at=AT)
    confirmation = ParkedEntry.objects.get(sheet__table=table, kind="confirmed")
    adopt(table.round.tournament, confirmation.pk, reason="gefragt", by="x", at=AT)


def read(client: Client, address: str) -> str:
    """Return the page, after a check that it shows no internal values instead of words."""
    answer = client.get(address)
    page = answer.content.decode()
    assert answer.status_code == 200, address
    assert not re.search(r"\{(&#x27;|')|>\s*None\b|\bTrue\b|\bFalse\b", page), address
    return page


def test_every_page_of_the_organiser_shows_every_entry(desk: Staff) -> None:
    """RULES "All five"."""
    table = [desk.url(name, 1, number) for name in ("sheet", "paper_check") for number in (1, 2)]
    whole = [
        "overview",
        "standings",
        "screens",
        "print",
        "print_standings",
        "standings_csv",
        "standings_xlsx",
    ]
    round_one = ["round", "table_monitor", "paper", "print_sheets", "print_seating"]
    for address in [*table, *map(desk.url, whole), *(desk.url(name, 1) for name in round_one)]:
        if "standings." in address:
            assert desk.client.get(address).status_code == 200, address
        else:
            read(desk.client, address)
    read(desk.client, desk.url("rounds") + "?all=1")
    read(desk.client, desk.url("print_sheets", 1) + "?filled=1")
    read(desk.client, desk.url("print_blank", desk.tournament.rules.tables.sizes[0]))
    freeze(desk.tournament, by="x", at=AT)
    read(desk.client, desk.url("standings"))


def test_every_entry_can_be_looked_at_before_it_is_corrected_or_taken_back(desk: Staff) -> None:
    for number in (1, 2):
        for line in desk.get("sheet", 1, number).context["page"].lines:
            if line.can_be_corrected:
                read(desk.client, desk.url("correct", 1, number, line.id))
            if line.can_be_voided:
                read(desk.client, desk.url("void", 1, number, line.id))


def test_every_page_at_the_table_shows_every_entry(desk: Staff) -> None:
    for number in (1, 2):
        phone = entered(desk.table(number))
        read(phone, reverse("phone:history"))
        assert phone.get(reverse("phone:page")).status_code == 200
        assert phone.get(reverse("phone:sheet")).status_code == 200


def test_every_public_page_is_there(desk: Staff) -> None:
    for name in ("players", "rules", "screen", "leaderboard"):
        answer = Client().get(reverse(f"public:{name}", args=[desk.tournament.slug]))
        assert answer.status_code == 200, name


def test_every_entry_is_said_in_words(desk: Staff) -> None:
    """No row of the log is empty. Each names a player of the table or says what was done."""
    for number in (1, 2):
        page = desk.get("sheet", 1, number).content.decode()
        said = re.findall(r'<div class="entry__what">\s*<p[^>]*>(.*?)</p>', page, re.DOTALL)
        assert len(said) == len(entries(desk.table(number)))
        assert all(re.sub(r"<[^>]+>", "", words).strip() for words in said)
