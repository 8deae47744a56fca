"""The public page of a sheet: after it is accepted, in words, and only as far as released."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.core.marks import mark_of
from scoring.public.sheet import PublicSheet, public_sheet
from scoring.services import sheets, standings
from scoring.services.purge import erase_person
from scoring.sheet_log import open_sheet
from scoring.templatetags.entries import fact_in_words
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tests.scoring.pages import Staff
from tests.scoring.test_every_page import Draft, desk, read  # noqa: F401 (a fixture)
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.django_db


def a_table(players: int = 5, **fields: Any) -> Table:
    """Return the only table of a released round."""
    tournament = TournamentFactory.create(**fields)
    ParticipantFactory.create_batch(players, tournament=tournament)
    return a_round(tournament).tables.get()


def address(table: Table) -> str:
    return f"/t/{table.round.tournament.slug}/rounds/{table.round.number}/tables/{table.number}/"


def of(table: Table) -> PublicSheet:
    found = public_sheet(table.round.tournament.slug, table.round.number, table.number)
    assert found is not None
    return found


def words(table: Table) -> list[str]:
    return [fact_in_words(line.fact) for line in of(table).lines]


def points(table: Table) -> list[tuple[int | None, int]]:
    return [(score.points, score.strokes) for _seat, score in of(table).scores]


def main_of(client: Client, table: Table) -> str:
    found = re.search(r"<main.*</main>", client.get(address(table)).content.decode(), re.DOTALL)
    assert found is not None
    return found[0]


def exchanged(table: Table) -> list[Draft]:
    """Return entries that exchange ranks 1 and 2 and accept the sheet again."""
    ranked = table.sheet.entries.filter(kind="ranked").latest("sequence")
    ranks = {**ranked.data["ranks"], "1": 2, "2": 1}
    return [
        ("reopened", {"reason": "Sepp hat es gesehen"}),
        ("corrected", {"entry": str(ranked.entry_id), "data": {"ranks": ranks}, "reason": "vertauscht"}),
        ("accepted", {"reason": "so stimmt es"}),
    ]


def test_it_is_there_once_it_is_accepted(client: Client) -> None:
    table = a_table()
    sheets.write(table, [("stroke", {"seat_number": 1, "mark": "feuer"})], by="x", at=AT)
    assert not of(table).is_readable
    assert "Die Tischliste steht hier, sobald sie angenommen ist." in main_of(client, table)
    assert "Strich" not in main_of(client, table)
    a_paper_sheet(table)
    name = table.seats.get(seat_number=1).participant.name
    assert points(table) == [(6, 1), (4, 0), (3, 0), (2, 0), (1, 0)]
    assert words(table)[-1] == f"Strich für {name} (Feuer)"
    assert words(table)[0] == "Angenommen"


def test_its_mark_is_that_of_the_phone_and_another_after_a_correction(client: Client) -> None:
    table = a_table()
    assert of(table).mark == ""
    a_paper_sheet(table)
    mark = of(table).mark
    assert mark == mark_of(open_sheet(table.pk).digest)
    assert f"Prüfzeichen <strong>{mark}</strong>" in main_of(client, table)
    sheets.write(table, exchanged(table), by="x", at=AT)
    assert of(table).mark not in ("", mark)


def test_it_is_gone_while_it_is_open_again() -> None:
    table = a_table()
    a_paper_sheet(table)
    sheets.write(table, [("reopened", {"reason": "falsch"})], by="x", at=AT)
    assert not of(table).is_readable


def test_a_correction_is_marked_and_the_old_is_still_to_be_read(client: Client) -> None:
    table = a_table()
    a_paper_sheet(table)
    assert "Nichts daran wurde berichtigt." in main_of(client, table)
    sheets.write(table, exchanged(table), by="x", at=AT)
    assert of(table).is_corrected
    assert [line.number for line in of(table).lines if line.corrected_to] == [1]
    assert "Eintrag 1 berichtigt:" in main_of(client, table)
    assert [seat.seat_number for seat, _score in of(table).scores] == [2, 1, 3, 4, 5]


def test_sheet_5_solos_and_wenz_are_circled(client: Client) -> None:
    """RULES 5.4: a Rufspiel is not."""
    table = a_table(4, ruleset=preset("schafkopf").to_dict())
    game: dict[str, Any] = {"declarer": 1, "partner": None, "won": True, "level": "normal"}
    played: list[tuple[str, int | None]] = [("ruf", 2), ("solo", None), ("wenz", None), ("farbwenz", None)]
    deals: list[Draft] = [("deal", {**game, "game": name, "partner": partner}) for name, partner in played]
    sheets.write(table, [*deals, ("accepted", {"reason": "früher aus"})], by="x", at=AT)
    assert re.findall(r'<span class="circled">(\d+)</span>', main_of(client, table)) == ["4", "3", "2"]


def test_reasons_objections_and_confirmations_stay_with_the_table(client: Client) -> None:
    table = a_table()
    said: list[Draft] = [
        ("confirmed", {"seat_number": 1}),
        ("objected", {"seat_number": 2, "note": "Der Sepp hat gelogen"}),
    ]
    sheets.write(table, said, by="chef-account", at=AT)
    objection = str(table.sheet.entries.get(kind="objected").entry_id)
    sheets.write(table, [("voided", {"entry": objection, "reason": "geklärt"})], by="chef-account", at=AT)
    a_paper_sheet(table)
    sheets.write(table, exchanged(table), by="chef-account", at=AT, initials="QX")
    page = main_of(client, table)
    hidden = (
        "gelogen",
        "geklärt",
        "vertauscht",
        "gesehen",
        "chef-account",
        "QX",
        "Einspruch",
        "Bestätigt von",
    )
    assert [one for one in hidden if one in page] == []
    assert [line.kind for line in reversed(of(table).lines)] == [
        "ranked", "accepted", "reopened", "corrected", "accepted"
    ]  # fmt: skip


# --- the freeze ----------------------------------------------------------------------------------------------------


def test_what_is_accepted_after_the_freeze_is_not_there(client: Client) -> None:
    table = a_table()
    standings.freeze(table.round.tournament, by="x", at=AT)
    before = main_of(client, table)
    a_paper_sheet(table, strokes={1: 3})
    assert main_of(client, table) == before
    standings.show_new_standing(table.round.tournament, by="x", at=AT)
    assert points(table)[0] == (6, 3)


def test_what_is_corrected_after_the_freeze_stays_as_it_was(client: Client) -> None:
    table = a_table()
    a_paper_sheet(table)
    standings.freeze(table.round.tournament, by="x", at=AT)
    before = main_of(client, table)
    assert "wie sie zum gezeigten Stand gehört" in before
    mark = of(table).mark
    sheets.write(table, [*exchanged(table), ("reopened", {"reason": "noch einmal"})], by="x", at=AT)
    assert main_of(client, table) == before
    assert of(table).mark == mark != mark_of(open_sheet(table.pk).digest)
    standings.release(table.round.tournament, by="x", at=AT)
    assert not of(table).is_readable


def test_what_was_open_at_the_freeze_is_not_there_even_if_it_was_accepted_before() -> None:
    table = a_table()
    a_paper_sheet(table)
    again = exchanged(table)
    sheets.write(table, again[:2], by="x", at=AT)
    standings.freeze(table.round.tournament, by="x", at=AT)
    sheets.write(table, again[2:], by="x", at=AT)
    assert not of(table).is_readable


def test_a_freeze_that_does_not_say_how_far_sheets_were_written_shows_none() -> None:
    table = a_table()
    a_paper_sheet(table)
    publication = standings.freeze(table.round.tournament, by="x", at=AT)
    assert publication.results is not None
    del publication.results["sheets"]
    publication.save()
    assert not of(table).is_readable


# --- names ---------------------------------------------------------------------------------------------------------


def test_everybody_is_named_as_the_public_sees_him(client: Client) -> None:
    tournament = TournamentFactory.create(names="short")
    wishes = {
        "Sepp Huber": "",
        "Sepp Hofer": "",
        "Zita Rosenmüller": "number",
        "Vroni Maier": "full",
        "Xaver": "",
    }
    for name, names in wishes.items():
        ParticipantFactory.create(tournament=tournament, name=name, names=names)
    table = a_round(tournament).tables.get()
    assert {seat.name for seat in of(table).seats} == {
        "Sepp H. (1)", "Sepp H. (2)", "Nr. 3", "Vroni Maier", "Xaver"
    }  # fmt: skip
    a_paper_sheet(table, strokes=dict.fromkeys(range(1, 6), 1))
    page = main_of(client, table)
    assert [name for name in ("Huber", "Hofer", "Rosenmüller", "Zita") if name in page] == []
    assert {f"Strich für {seat.name} (Schnauz)" for seat in of(table).seats} <= set(words(table))


def test_who_is_erased_is_named_no_more(client: Client) -> None:
    table = a_table()
    a_paper_sheet(table)
    person = table.seats.get(seat_number=2).participant
    assert person.name in main_of(client, table)
    erase_person(table.round.tournament, person.start_number, by="leitung", at=AT)
    assert person.name not in main_of(client, table)


def test_markup_in_a_name_is_text(client: Client) -> None:
    table = a_table()
    table.round.tournament.participants.update(name="<b>Sepp</b>", names="full")
    a_paper_sheet(table, strokes={1: 1})
    assert "<b>Sepp" not in main_of(client, table)


# --- access and cost -----------------------------------------------------------------------------------------------


def test_what_is_not_released_or_not_there_is_not_found(client: Client) -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament, released=False).tables.get()
    assert client.get(address(table)).status_code == 404
    assert client.get(f"/t/{tournament.slug}/rounds/1/tables/2/").status_code == 404
    assert client.get("/t/gibt-es-nicht/rounds/1/tables/1/").status_code == 404
    assert client.post(address(table)).status_code == 405


def test_it_ends_with_the_public_pages(client: Client) -> None:
    table = a_table()
    today = timezone.localdate()
    Tournament.objects.update(public_until_on=today - timedelta(days=365))
    assert client.get(address(table)).status_code == 410


def test_as_many_queries_for_five_entries_as_for_fifty(client: Client) -> None:
    counted = []
    for strokes in (1, 10):
        table = a_table()
        a_paper_sheet(table, strokes=dict.fromkeys(range(1, 6), strokes))
        page = address(table)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(page).status_code == 200
        counted.append(len(queries))
    assert counted == [5, 5]  # one of them of the club, for the foot


def test_the_seating_leads_there_once_there_is_something_to_read(client: Client) -> None:
    table = a_table()
    link = f'href="{address(table)}"'
    page = f"/t/{table.round.tournament.slug}/"
    assert link not in client.get(page).content.decode()
    a_paper_sheet(table)
    assert link in client.get(page).content.decode()


def test_every_sheet_is_worded_under_every_rule_sheet(client: Client, desk: Staff) -> None:  # noqa: F811
    """RULES "All five"."""
    assert "Tischliste" in read(client, address(desk.table()))
    page = read(client, address(desk.table(2)))
    assert "berichtigt, es gilt:" in page
    assert "verlesen" not in page
