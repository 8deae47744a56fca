"""Statements of the rule sheets that concern more than one part of the program, named by sheet and statement."""

import json
from datetime import UTC, datetime
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import SheetEntry
from scoring.queries.standings import current_standings
from scoring.services.sheets import write
from tests.scoring.evenings import sheet_entry, simple_evening
from tests.scoring.pages import Staff, text_of
from tests.scoring.phone.test_phone_api import entered
from tournaments.core.moments import moment_of
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

AT = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)

pytestmark = pytest.mark.django_db


# --- sheet 5: ties -------------------------------------------------------------------------------------------------


def game(name: str, declarer: int) -> dict[str, Any]:
    partner = 3 if name == "ruf" else None
    return {"game": name, "declarer": declarer, "partner": partner, "won": True, "level": "normal"}


def evening_of_a_solo_and_a_wenz(slug: str, ruleset: dict[str, Any]) -> dict[str, Any]:
    """Return a document of one table: player 1 has won a Wenz, player 2 a Solo, with equal points."""
    document = simple_evening(slug, players=4, ruleset="schafkopf")
    document["tournament"]["ruleset"] = ruleset
    document["rounds"][0]["tables"][0]["entries"] = [
        sheet_entry(1, "deal", game("wenz", 1)),
        sheet_entry(2, "deal", game("solo", 2)),
        sheet_entry(3, "accepted", {"reason": "Abend zu Ende"}, "organiser"),
    ]
    return document


def ranks_and_ties(document: dict[str, Any]) -> list[tuple[int, int, tuple[int, ...]]]:
    tournament = import_tournament(json.dumps(document), at=AT)
    rows = current_standings(tournament).rows
    return [(row.start_number, row.rank, row.tie_break) for row in rows[:2]]


def test_sheet_5_ties_count_solos_alone_in_the_standings() -> None:
    """RULES 5.7: with equal points the Solo decides, and the Wenz counts for nothing."""
    document = evening_of_a_solo_and_a_wenz("solo", preset("schafkopf").to_dict())
    assert ranks_and_ties(document) == [(2, 1, (0, 0, 1, 1)), (1, 2, (0, 0, 0, 0))]


def test_a_tournament_from_before_keeps_its_shared_rank() -> None:
    """A ruleset that was stored without the field counts every game against three, and is exported with all of them."""
    stored = preset("schafkopf").to_dict()
    del stored["sheet"]["tie_solo_games"]
    document = evening_of_a_solo_and_a_wenz("frueher", stored)
    assert ranks_and_ties(document) == [(1, 1, (0, 0, 1, 1)), (2, 1, (0, 0, 1, 1))]
    exported = export_tournament(import_tournament(json.dumps(document).replace("frueher", "wieder"), at=AT))
    assert exported["tournament"]["ruleset"]["sheet"]["tie_solo_games"] == ["solo", "wenz", "farbwenz"]
    again = import_tournament(dump(exported).replace("wieder", "nochmal"), at=AT)
    assert [row.rank for row in current_standings(again).rows[:2]] == [1, 1]


# --- sheet 5: the list ---------------------------------------------------------------------------------------------


def test_sheet_5_the_printed_list_asks_for_block_letters_with_first_name_surname_and_town() -> None:
    asks = "Vorname, Zuname und Wohnort in Blockschrift."
    for ruleset, players in (("schafkopf", 4), ("schnauz-placing", 5)):
        desk = Staff(players, ruleset=ruleset)
        desk.draw()
        drawn, empty = desk.get("print_sheets", 1), desk.get("print_blank", players)
        assert [asks in text_of(page) for page in (drawn, empty)] == [ruleset == "schafkopf"] * 2


# --- sheet 5: the start --------------------------------------------------------------------------------------------


def test_sheet_5_all_tables_start_at_a_sign_that_wall_and_phones_show() -> None:
    """RULES 5: the sign stands until a table has begun, is given once, and is in the document."""
    desk = Staff(8, ruleset="schafkopf")
    desk.draw(started=False)
    slug = desk.tournament.slug

    def shown() -> list[bool]:
        says = "Alle Tische fangen jetzt an"
        return [says in text_of(Client().get(f"/t/{slug}/{page}")) for page in ("", "screen/")]

    phone = entered(desk.table(1))
    button = "Zeichen geben: Alle fangen an"
    assert phone.get("/s/sheet").json()["started_at"] is None
    assert (shown(), button in text_of(desk.get("round", 1))) == ([False, False], True)
    assert desk.post("start_round", 1).status_code == 302
    assert (shown(), button in text_of(desk.get("round", 1))) == ([True, True], False)
    given = desk.tournament.rounds.get(number=1).started_at
    desk.post("start_round", 1)
    assert desk.tournament.rounds.get(number=1).started_at == given
    assert moment_of(phone.get("/s/sheet").json()["started_at"]) == given
    write(desk.table(1), [("deal", game("ruf", 1))], by="x", at=AT)
    assert shown() == [False, False]
    exported = export_tournament(desk.tournament)
    assert [one["started_at"] is None for one in exported["rounds"]] == [False]


def wants_to_write(phone: Client, entry_id: str = "") -> tuple[str, str]:
    """Send a deal; return its outcome, and the code of its refusal."""
    epoch = phone.post("/s/pen", {}, "application/json").json()["pen"]["epoch"]
    deal = {
        "id": entry_id or str(uuid4()),
        "kind": "deal",
        "data": game("ruf", 1),
        "made_at": "2026-11-21T18:29:00Z",
    }
    sent = phone.post("/s/entries", {"pen_epoch": epoch, "entries": [deal]}, "application/json").json()
    [result] = sent["results"]
    return result["outcome"], result.get("code", "")


def waits(phone: Client) -> bool:
    return bool(phone.get("/s/sheet").json().get("waits_for_sign"))


def test_sheet_5_all_tables_start_at_the_sign_and_no_phone_writes_before_it() -> None:
    """What was made before the sign, and comes after it, is taken: the phone was without a network."""
    desk = Staff(8, ruleset="schafkopf")
    desk.draw(started=False)
    phones = [entered(desk.table(number)) for number in (1, 2)]
    early = str(uuid4())
    assert [waits(phone) for phone in phones] == [True, True]
    assert [wants_to_write(phone, early) for phone in phones[:1]] == [("refused", "waits_for_sign")]
    assert not SheetEntry.objects.exists()
    button = "Zeichen geben: Alle fangen an"
    assert button in text_of(desk.get("round", 1))
    desk.post("start_round", 1)
    assert [waits(phone) for phone in phones] == [False, False]
    assert wants_to_write(phones[0], early) == ("recorded", "")
    assert wants_to_write(phones[1]) == ("recorded", "")


def test_sheet_5_the_organiser_may_say_that_the_round_is_running() -> None:
    desk = Staff(8, ruleset="schafkopf")
    desk.draw(started=False)
    phone = entered(desk.table(1))
    page = text_of(desk.post("start_round", 1, running="yes", follow=True))
    assert "Die Spielrunde läuft: An allen Tischen darf geschrieben werden." in page
    assert wants_to_write(phone) == ("recorded", "")
    played = desk.tournament.rounds.get()
    assert played.started_at == played.released_at


def test_sheet_5_an_entry_counts_as_begun_and_the_sign_can_still_be_given() -> None:
    desk = Staff(8, ruleset="schafkopf")
    desk.draw(started=False)
    phone = entered(desk.table(2))
    write(desk.table(1), [("deal", game("ruf", 1))], by="x", at=AT)
    assert not waits(phone)
    assert wants_to_write(phone) == ("recorded", "")
    assert "Zeichen geben: Alle fangen an" in text_of(desk.get("round", 1))
    desk.post("start_round", 1)
    assert "Zeichen geben: Alle fangen an" not in text_of(desk.get("round", 1))


def test_sheet_5_a_round_that_is_released_on_the_command_line_has_begun() -> None:
    desk = Staff(8, ruleset="schafkopf")
    call_command("draw_round", desk.tournament.slug, "--release", stdout=StringIO())
    assert wants_to_write(entered(desk.table(1))) == ("recorded", "")


def test_where_the_rules_ask_for_no_sign_a_phone_writes_at_once() -> None:
    rules = {**preset("schafkopf").to_dict(), "starts_at_sign": False}
    desk = Staff(4, ruleset=Ruleset.from_dict(rules))
    desk.draw()
    phone = entered(desk.table(1))
    assert not waits(phone)
    assert wants_to_write(phone) == ("recorded", "")


@pytest.mark.parametrize(
    ("document", "waiting"), [("says none was given", True), ("does not speak of it", False)]
)
def test_sheet_5_a_released_round_from_a_document_waits_if_the_document_says_so(
    document: str, waiting: bool
) -> None:
    desk = Staff(8, ruleset="schafkopf")
    desk.draw(started=False)
    exported = export_tournament(desk.tournament)
    exported["tournament"]["slug"] = "wieder"
    if document == "does not speak of it":
        del exported["rounds"][0]["started_at"]
    again = import_tournament(json.dumps(exported), at=AT)
    table = again.rounds.get(number=1).tables.get(number=1)
    assert waits(entered(table)) is waiting


def test_a_round_that_is_not_released_is_not_started() -> None:
    desk = Staff(8, ruleset="schafkopf")
    desk.draw(released=False)
    answer = desk.post("start_round", 1, follow=True)
    assert "noch nicht freigegeben" in text_of(answer)
    assert desk.tournament.rounds.get(number=1).started_at is None
