"""The scribe of a table: named by the organiser, or a volunteer in place of seat 1 (RULES 3.1, 5)."""

import json

import pytest
from django.test import Client

from scoring.documents import dump, export_tournament, import_tournament
from scoring.services.rounds import DrawOptions, close, draw_again
from scoring.services.seats import substitute
from tests.factories import AT
from tests.scoring.organiser.rounds.test_drawn_ahead import both_drawn
from tests.scoring.organiser.rounds.test_knockout import refused
from tests.scoring.pages import Staff, text_of
from tournaments.core.document_reader import DocumentError
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.services import rounds
from tournaments.services.door import Newcomer
from tournaments.services.rounds import name_scribe, swap

pytestmark = pytest.mark.django_db


def named(tournament: Tournament, number: int = 1) -> list[int | None]:
    """Return the seat of each table's scribe."""
    row = round_with_seating(tournament, number)
    assert row is not None
    return [table.scribe.seat_number if table.scribe else None for table in row.tables]


def name(tournament: Tournament, table: int, seat: int | None, number: int = 1) -> Table:
    return name_scribe(tournament, number, table, seat, by="spielleitung", at=AT)


# --- named by the organiser ----------------------------------------------------------------------------------------


def test_rules_5_the_organiser_names_the_scribe_and_until_then_nobody_is() -> None:
    """RULES 5 ("Words"): every table needs a named scribe, in both rounds."""
    tournament = both_drawn().tournament
    before = named(tournament)
    table = name(tournament, 2, 3)
    assert (before, named(tournament), named(tournament, 2)) == ([None, None], [None, 3], [None, None])
    assert (table.scribe_by, table.scribe_at) == ("spielleitung", AT)


def test_one_page_names_the_scribes_of_all_tables() -> None:
    desk = both_drawn()
    missing = text_of(desk.get("round", 1))
    asked = text_of(desk.get("scribes", 1))
    saved = desk.post("scribes", 1, table_1="2", table_2="4", follow=True)
    assert "An 2 Tischen steht noch nicht fest, wer schreibt: Tisch 1, Tisch 2." in missing
    assert "noch niemand" in asked
    assert named(desk.tournament) == [2, 4]
    assert "steht noch nicht fest, wer schreibt" not in text_of(saved)
    assert desk.post("scribes", 1, table_1="9").status_code == 422


def test_one_button_names_seat_1_of_every_table() -> None:
    desk = both_drawn()
    assert "Überall Platz 1" in text_of(desk.get("scribes", 1))
    desk.post("scribes", 1, table_1="", table_2="3", first="1")
    assert named(desk.tournament) == [1, 1]
    volunteers = Staff(5, ruleset="fce")
    volunteers.draw()
    assert "Überall Platz 1" not in text_of(volunteers.get("scribes", 1))


@pytest.mark.parametrize("how", ["page", "service"])
def test_sheet_5_a_round_is_not_released_before_its_scribes_are_named(how: str) -> None:
    """RULES 5: with all of them named, or with a reason, it is; the field of the reason keeps what was typed."""
    desk = both_drawn()
    name(desk.tournament, 1, 3)
    if how == "service":
        with pytest.raises(Refusal) as caught:
            rounds.release(desk.tournament, 1, at=AT)
        assert (caught.value.code, caught.value.params["tables"]) == ("scribes_missing", [2])
    else:
        answer = desk.post("release", 1, reason=" ")
        assert answer.status_code == 422
        assert "An Tisch 2 steht noch nicht fest, wer schreibt. Bitte bestimmen," in text_of(answer)
    assert desk.tournament.rounds.get(number=1).state == "drawn"
    name(desk.tournament, 2, 1)
    desk.post("release", 1)
    released = desk.tournament.rounds.get(number=1)
    assert (released.state, released.released_reason) == ("released", "")


def test_sheet_5_a_reason_releases_a_round_without_scribes_and_is_recorded() -> None:
    """RULES 5: the reason is the organiser's alone, and it is in the document."""
    desk = both_drawn()
    desk.post("release", 1, reason="Die Schreiber kommen noch")
    tournament = desk.tournament
    assert tournament.rounds.get(number=1).released_reason == "Die Schreiber kommen noch"
    assert "bevor alle Schreiber feststanden: „Die Schreiber kommen noch“" in text_of(desk.get("round", 1))
    assert "kommen noch" not in text_of(Client().get(f"/t/{tournament.slug}/"))
    assert "kommen noch" not in Client().get(f"/t/{tournament.slug}/rounds/1.json").content.decode()
    document = json.loads(dump(export_tournament(tournament)))
    assert [row["released_reason"] for row in document["rounds"]] == ["Die Schreiber kommen noch", None]
    document["tournament"]["slug"] = "noch-einer"
    again = import_tournament(json.dumps(document), at=AT)
    assert dump(export_tournament(again)) == dump(document)


def test_where_seat_1_writes_no_reason_is_asked_for() -> None:
    """RULES 1.3: the round is released as before."""
    desk = Staff(5)
    desk.draw(released=False)
    assert "ohne Schreiber freigeben" not in text_of(desk.get("round", 1))
    assert desk.post("release", 1).status_code == 302
    assert desk.tournament.rounds.get(number=1).state == "released"


def test_naming_who_is_named_already_keeps_who_named_him() -> None:
    tournament = both_drawn().tournament
    name(tournament, 1, 2)
    again = name_scribe(tournament, 1, 1, 2, by="jemand anders", at=AT)
    assert again.scribe_by == "spielleitung"
    assert named(tournament) == [2, None]
    name(tournament, 1, None)
    assert named(tournament) == [None, None]


def test_the_hall_sees_who_writes_or_that_it_is_not_said_yet() -> None:
    desk = both_drawn()
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    slug = desk.tournament.slug
    waits = "Wer die Tischliste schreibt, bestimmt die Spielleitung."
    before = text_of(Client().get(f"/t/{slug}/"))
    for table in (1, 2):
        name(desk.tournament, table, 3)
    after = text_of(Client().get(f"/t/{slug}/"))
    assert (waits in before, waits in after) == (True, False)
    assert after.count("schreibt die Tischliste") == 2
    scribe = desk.table(1).seats.get(seat_number=3).participant
    assert "Schreibt an diesem Tisch die Tischliste." in text_of(
        Client().get(f"/t/{slug}/", {"q": scribe.start_number})
    )
    assert f"Es schreibt {scribe.name} (von spielleitung" in text_of(desk.get("sheet", 1, 1))


# --- a volunteer ---------------------------------------------------------------------------------------------------


def test_rules_3_1_a_volunteer_may_write_in_place_of_seat_1_and_it_is_recorded() -> None:
    """RULES 3.1."""
    desk = Staff(5, ruleset="fce")
    desk.draw()
    before = named(desk.tournament)
    page = text_of(desk.get("scribes", 1))
    desk.post("scribes", 1, table_1="4")
    assert "Ist der ganze Tisch einverstanden, schreibt ein Freiwilliger" in page
    assert (before, named(desk.tournament)) == ([1], [4])
    desk.post("scribes", 1, table_1="")
    assert named(desk.tournament) == [1]


def test_rules_1_3_where_seat_1_writes_there_is_nobody_to_name() -> None:
    """RULES 1.3."""
    desk = Staff(5)
    desk.draw()
    assert named(desk.tournament) == [1]
    assert refused(lambda: name(desk.tournament, 1, 2)) == "scribe_is_seat_1"
    assert desk.get("scribes", 1).status_code == 404
    assert "wer schreibt" not in text_of(desk.get("round", 1))


# --- scribes who have left the table -------------------------------------------------------------------------------


def test_who_is_swapped_or_replaced_writes_there_no_more() -> None:
    tournament = both_drawn().tournament
    for table in (1, 2):
        name(tournament, table, 1)
    first, second = (
        Table.objects.get(round__tournament=tournament, round__number=1, number=number) for number in (1, 2)
    )
    away = first.seats.get(seat_number=1).participant.start_number
    to = second.seats.get(seat_number=2).participant.start_number
    swap(tournament, 1, a=away, b=to, reason="x", by="x", at=AT)
    after_swap = named(tournament)
    leaver = second.seats.get(seat_number=1).participant.start_number
    substitute(tournament, leaver, Newcomer("Emil"), reason="krank", by="x", at=AT)
    assert (after_swap, named(tournament)) == ([None, 1], [None, None])


def test_another_at_the_table_leaves_the_scribe_where_he_is() -> None:
    tournament = both_drawn().tournament
    name(tournament, 1, 2)
    table = Table.objects.get(round__tournament=tournament, round__number=1, number=1)
    leaver = table.seats.get(seat_number=1).participant.start_number
    substitute(tournament, leaver, Newcomer("Emil"), reason="krank", by="x", at=AT)
    assert named(tournament) == [2, None]


def test_a_new_draw_names_nobody() -> None:
    tournament = both_drawn().tournament
    name(tournament, 1, 2)
    draw_again(tournament, 1, options=DrawOptions(), reason="x", by="x", at=AT)
    assert named(tournament) == [None, None]


# --- refused -------------------------------------------------------------------------------------------------------


def test_invalid_input_is_refused() -> None:
    desk = both_drawn()
    codes = [
        refused(lambda: name(desk.tournament, 9, 1)),
        refused(lambda: name(desk.tournament, 1, 5)),
        refused(lambda: name(desk.tournament, 1, 1, number=3)),
    ]
    rounds.release(desk.tournament, 1, reason="gleich", at=AT)
    close(desk.tournament, 1, reason="x", at=AT)
    codes.append(refused(lambda: name(desk.tournament, 1, 1)))
    assert codes == ["unknown_table", "not_at_this_table", "round_not_drawn", "round_is_closed"]
    assert desk.get("scribes", 1).status_code == 404


# --- the document --------------------------------------------------------------------------------------------------


def test_the_document_keeps_who_was_named_by_whom_and_when() -> None:
    tournament = both_drawn().tournament
    name(tournament, 2, 3)
    document = export_tournament(tournament)
    document["tournament"]["slug"] = "kopie"
    tables = document["rounds"][0]["tables"]
    assert [table["scribe"] for table in tables] == [
        None,
        {"seat_number": 3, "by": "spielleitung", "at": "2026-11-21T18:30:00Z", "agreed": False},
    ]
    copy = import_tournament(dump(document), at=AT)
    assert named(copy) == [None, 3]
    assert dump(export_tournament(copy)) == dump(document)


@pytest.mark.parametrize(
    ("ruleset", "seat", "path", "code"),
    [
        ("schafkopf", 5, "$.rounds[0].tables[0].scribe.seat_number", "not_at_this_table"),
        ("schafkopf", 0, "$.rounds[0].tables[0].scribe.seat_number", "document_number_expected"),
        ("knockout", 2, "$.rounds[0].tables[0].scribe", "scribe_is_seat_1"),
    ],
)
def test_a_document_with_a_scribe_who_cannot_be_is_refused(
    ruleset: str, seat: int, path: str, code: str
) -> None:
    desk = Staff(4, ruleset=ruleset)
    desk.draw(released=False)
    document = json.loads(dump(export_tournament(desk.tournament)))
    document["tournament"]["slug"] = "kopie"
    document["rounds"][0]["tables"][0]["scribe"] = {"seat_number": seat}
    with pytest.raises(DocumentError) as error:
        import_tournament(json.dumps(document), at=AT)
    assert (error.value.path, error.value.refusal.code) == (path, code)
