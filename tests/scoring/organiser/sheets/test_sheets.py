"""The supervisor's sheets: accept, type in from paper, correct, void, reopen, decide on parked entries."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import ParkedEntry, SeatResult, SheetEntry
from scoring.queries.table_monitor import table_monitor
from scoring.services.rounds import close
from scoring.services.sheets import Sent, free_pen, record, take_pen, write
from scoring.sheet_link import link_of
from scoring.sheet_log import open_sheet
from tests.factories import AT, a_paper_sheet
from tests.rulesets import sheet_as
from tests.scoring.pages import Staff, text_of
from tournaments.links import is_secret_of, sheet_secret
from tournaments.models import Table
from tournaments.rulesets.loader import preset
from tournaments.rulesets.sheets import PlusMinusRules
from tournaments.services import exclusion

pytestmark = pytest.mark.django_db

ONE_TO_FIVE: dict[str, Any] = {f"rank_{seat}": str(seat) for seat in range(1, 6)}
RANKS = {"ranks": {str(seat): seat for seat in range(1, 6)}}


def knock(*losers: int) -> tuple[str, dict[str, Any]]:
    return "deal", {"losers": list(losers), "ended_by": "knock", "finisher": None}


def kinds(table: Table) -> list[str]:
    return list(
        SheetEntry.objects.filter(sheet__table=table).order_by("sequence").values_list("kind", flat=True)
    )


def status(table: Table) -> str:
    return open_sheet(table.pk).log.status


def points(table: Table) -> list[int | None]:
    results = SeatResult.objects.filter(seat__table=table).order_by("seat__seat_number")
    return list(results.values_list("points", flat=True))


def entry_id(table: Table, index: int = 0) -> UUID:
    return SheetEntry.objects.filter(sheet__table=table).order_by("sequence")[index].entry_id


@pytest.fixture
def desk() -> Staff:
    """Create ten players at two tables of five, released."""
    desk = Staff(10)
    desk.draw()
    return desk


# --- the table monitor ---------------------------------------------------------------------------------------------


def test_the_board_says_of_each_table_how_it_stands() -> None:
    desk = Staff(25)
    desk.draw()
    write(desk.table(2), [knock(1)], by="x", at=AT)
    write(desk.table(3), [knock(1), ("objected", {"seat_number": 1, "note": "Nein"})], by="x", at=AT)
    write(desk.table(4), [("ranked", RANKS), ("submitted", {})], by="x", at=AT)
    a_paper_sheet(desk.table(5))
    tables = desk.get("round", 1).context["monitor"].tables
    assert [table.state for table in tables] == ["untouched", "open", "objected", "submitted", "accepted"]
    only_mine = desk.get("round", 1, only="mine").context["shown"]
    assert [table.number for table in only_mine] == [3, 4]


def test_a_sheet_that_was_handed_in_is_accepted_in_one_tap(desk: Staff) -> None:
    write(desk.table(1), [("ranked", RANKS), ("submitted", {})], by="x", at=AT)
    answer = desk.post("accept", 1, 1, board="1", htmx=True)
    assert (answer.status_code, status(desk.table(1))) == (200, "accepted")
    assert text_of(answer).startswith('<section id="board"')


def test_accepting_twice_changes_nothing_and_says_so(desk: Staff) -> None:
    a_paper_sheet(desk.table(1))
    before = kinds(desk.table(1))
    answer = desk.post("accept", 1, 1, board="1", htmx=True)
    assert "Die Tischliste ist schon angenommen." in text_of(answer)
    assert kinds(desk.table(1)) == before


def test_all_that_were_handed_in_are_accepted_at_once() -> None:
    desk = Staff(15)
    desk.draw()
    for number in (1, 3):
        write(desk.table(number), [("ranked", RANKS), ("submitted", {})], by="x", at=AT)
    desk.post("accept_submitted", 1)
    assert [status(desk.table(number)) for number in (1, 2, 3)] == ["accepted", "open", "accepted"]


def test_without_javascript_accepting_leads_back_to_the_board(desk: Staff) -> None:
    write(desk.table(1), [("ranked", RANKS), ("submitted", {})], by="x", at=AT)
    answer = desk.post("accept", 1, 1, board="1")
    assert (answer.status_code, answer["Location"]) == (302, desk.url("round", 1))


# --- from paper ----------------------------------------------------------------------------------------------------


def test_a_paper_sheet_is_one_line(desk: Staff) -> None:
    answer = desk.post("paper_line", 1, 1, line="31245 01002", htmx=True)
    assert answer.status_code == 200
    assert kinds(desk.table(1)) == ["ranked", "stroke", "stroke", "stroke", "accepted"]
    assert points(desk.table(1)) == [3, 6, 4, 2, 1]
    assert open_sheet(desk.table(1).pk).log.entries[-1].data == {"reason": "vom Papierblatt"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "Bitte erst die Ränge, dann die Striche eintippen."),
        ("1234 0", "Gelesen: 4 Ränge"),
        ("12345", "Es fehlen die Striche."),
        ("11345 0", "Es kann nur einen Sieger geben."),
        ("12235 0", "Diese Ränge gehen nicht auf."),
        ("1234a 0", "„a“ ist keine Zahl."),
        ("<b>1</b>", "„&lt;b&gt;“ ist keine Zahl."),
        ("12345\x00 0", "Nullzeichen"),
        ("1" * 201, "höchstens 200 Zeichen"),
    ],
)
def test_an_invalid_paper_line_shows_the_error_and_stays(desk: Staff, line: str, message: str) -> None:
    answer = desk.post("paper_line", 1, 1, line=line, htmx=True)
    page = text_of(answer)
    assert answer.status_code == 422
    assert message in page
    assert 'aria-invalid="true"' in page
    assert kinds(desk.table(1)) == []
    if line.isalnum():
        assert f'value="{line}"' in page


def test_without_javascript_a_wrong_line_leaves_the_other_tables_open(desk: Staff) -> None:
    answer = desk.post("paper_line", 1, 1, line="12235 0")
    assert answer.status_code == 422
    assert 'value="12235 0"' in text_of(answer)
    assert [table.number for table, _ in answer.context["lines"]] == [1, 2]


def test_while_it_is_typed_a_line_shows_what_it_would_mean(desk: Staff) -> None:
    half = desk.get("paper_check", 1, 1, line="123")
    whole = desk.get("paper_check", 1, 1, line="12345 01000")
    assert "Gelesen: 3 Ränge" in text_of(half)
    assert [seat.score.points for seat in whole.context["would_be"].standing] == [6, 4, 3, 2, 1]
    assert kinds(desk.table(1)) == []


def test_paper_replaces_what_a_phone_has_written_only_on_an_explicit_yes(desk: Staff) -> None:
    objection = ("objected", {"seat_number": 2, "note": "Nein"})
    write(
        desk.table(1), [knock(1), ("stroke", {"seat_number": 1, "mark": "schnauz"}), objection], by="x", at=AT
    )
    refused = desk.post("paper_line", 1, 1, line="12345 0", htmx=True)
    assert (refused.status_code, len(kinds(desk.table(1)))) == (422, 3)
    assert "Bitte ankreuzen" in text_of(refused)
    desk.post("paper_line", 1, 1, line="12345 0", replace="on", htmx=True)
    sheet = open_sheet(desk.table(1).pk).log
    assert [fact.kind for fact in sheet.facts] == ["ranked"]
    assert [score.strokes for score in sheet.results] == [0] * 5


def test_a_finished_table_has_no_paper_line(desk: Staff) -> None:
    a_paper_sheet(desk.table(1))
    assert [table.number for table, _ in desk.get("paper", 1).context["lines"]] == [2]


# --- one sheet -----------------------------------------------------------------------------------------------------


def test_the_sheet_shows_ranks_strokes_and_the_pot(desk: Staff) -> None:
    desk.post("paper_line", 1, 1, line="12245 10000")
    page = desk.get("sheet", 1, 1).context["page"]
    pot = page.table.pot
    assert (pot.pot_cents, list(pot.by_seat.values())) == (300, [180, 60, 60, 0, 0])


def test_an_entry_is_corrected_with_old_and_new_side_by_side(desk: Staff) -> None:
    write(desk.table(1), [knock(1), knock(1)], by="x", at=AT)
    shown = text_of(desk.get("correct", 1, 1, entry_id(desk.table(1))))
    assert ["Bisher" in shown, "Neu" in shown] == [True, True]
    answer = desk.post(
        "correct",
        1,
        1,
        entry_id(desk.table(1)),
        losers=["2"],
        ended_by="schnauz",
        finisher="3",
        reason="falsch abgelesen",
        initials="MB",
    )
    sheet = open_sheet(desk.table(1).pk).log
    assert answer.status_code == 302
    assert sheet.state.lost == {1: 1, 2: 1, 3: 0, 4: 0, 5: 0}
    assert (sheet.entries[-1].kind, sheet.entries[-1].initials) == ("corrected", "MB")
    assert "Eintrag 1 berichtigt:" in text_of(desk.get("sheet", 1, 1))


def test_a_correction_is_taken_back_and_the_entry_counts_as_it_was_written(desk: Staff) -> None:
    write(desk.table(1), [knock(1)], by="x", at=AT)
    desk.post(
        "correct", 1, 1, entry_id(desk.table(1)), losers=["2"], ended_by="knock", reason="falsch abgelesen"
    )
    correction = open_sheet(desk.table(1).pk).log.entries[-1].id
    assert correction in desk.get("sheet", 1, 1).content.decode()
    desk.post("void", 1, 1, correction, reason="doch richtig")
    assert open_sheet(desk.table(1).pk).log.state.lost[1] == 1
    assert "berichtigt, es gilt:" not in text_of(desk.get("sheet", 1, 1))


def test_an_accepted_sheet_is_corrected_and_accepted_again_in_one_step(desk: Staff) -> None:
    desk.post("paper_line", 1, 1, line="12345 0")
    new: dict[str, Any] = {
        f"rank_{seat}": rank for seat, rank in zip(range(1, 6), (2, 1, 3, 4, 5), strict=True)
    }
    desk.post("correct", 1, 1, entry_id(desk.table(1)), **new, reason="vertauscht", accept="on")
    assert kinds(desk.table(1)) == ["ranked", "accepted", "reopened", "corrected", "accepted"]
    assert points(desk.table(1)) == [4, 6, 3, 2, 1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"reason": ""},
        {"reason": "x" * 501},
        {"rank_2": "1"},
        {"rank_2": ""},
        {"rank_2": "9"},
        {"rank_2": "zwei"},
        {"initials": "viel zu lang"},
    ],
)
def test_an_invalid_correction_is_refused_and_changes_nothing(desk: Staff, wrong: dict[str, str]) -> None:
    desk.post("paper_line", 1, 1, line="12345 0")
    before = kinds(desk.table(1))
    new = ONE_TO_FIVE | {"reason": "vertauscht", "accept": "on"} | wrong
    answer = desk.post("correct", 1, 1, entry_id(desk.table(1)), **new)
    assert answer.status_code == 422
    assert kinds(desk.table(1)) == before
    assert status(desk.table(1)) == "accepted"


def test_a_deal_that_would_drown_everybody_is_refused_at_its_field() -> None:
    desk = Staff(4)
    desk.draw()
    write(desk.table(1), [knock(1, 2, 3, 4)] * 3, by="x", at=AT)
    answer = desk.post("write", 1, 1, "deal", losers=["1", "2", "3", "4"], ended_by="knock")
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"losers"}
    assert kinds(desk.table(1)) == ["deal"] * 3


@pytest.mark.parametrize("ended_by", ["knock", "schnauz"])
def test_sheet_2_the_organiser_writes_a_deal_at_which_nobody_pays(ended_by: str) -> None:
    """RULES 2.3: three of a kind never pays."""
    desk = Staff(5, ruleset="konradsreuth")
    desk.draw()
    assert "Wegen drei Gleicher zahlt niemand." in text_of(desk.get("write", 1, 1, "deal"))
    finisher = "" if ended_by == "knock" else "2"
    assert desk.post("write", 1, 1, "deal", ended_by=ended_by, finisher=finisher).status_code == 302
    assert [fact.data["losers"] for fact in open_sheet(desk.table(1).pk).log.facts] == [[]]


@pytest.mark.parametrize(
    ("kind", "typed"),
    [
        ("deal", {"losers": ["9"], "ended_by": "knock"}),
        ("deal", {"losers": ["1"], "ended_by": "gong"}),
        ("deal", {"losers": ["1"], "ended_by": "schnauz"}),
        ("deal", {"losers": ["1"], "ended_by": "schnauz", "finisher": "1"}),
        ("deal", {"ended_by": "knock"}),
        ("stroke", {"seat_number": "9", "mark": "schnauz"}),
        ("stroke", {"seat_number": "1", "mark": "gong"}),
        ("ranked", {f"rank_{seat}": "1" for seat in range(1, 6)}),
    ],
)
def test_an_invalid_fact_is_not_written(desk: Staff, kind: str, typed: dict[str, Any]) -> None:
    assert desk.post("write", 1, 1, kind, **typed).status_code == 422
    assert kinds(desk.table(1)) == []


def test_deals_strokes_and_ranks_can_be_written_one_by_one(desk: Staff) -> None:
    desk.post("write", 1, 1, "deal", losers=["1", "2"], ended_by="feuer", finisher="3")
    desk.post("write", 1, 1, "deal", losers=["1", "2"], ended_by="knock", finisher="")
    desk.post("write", 1, 1, "stroke", seat_number="4", mark="feuer")
    desk.post("write", 1, 1, "ranked", **ONE_TO_FIVE)
    assert kinds(desk.table(1)) == ["deal", "stroke", "ranked"]


def test_an_entry_is_taken_back_with_a_reason_only(desk: Staff) -> None:
    write(desk.table(1), [knock(1)], by="x", at=AT)
    refused = desk.post("void", 1, 1, entry_id(desk.table(1)), reason="")
    taken_back = desk.post("void", 1, 1, entry_id(desk.table(1)), reason="doppelt")
    assert [refused.status_code, taken_back.status_code] == [422, 302]
    assert open_sheet(desk.table(1).pk).log.facts == ()
    assert kinds(desk.table(1)) == ["deal", "voided"]


def test_a_sheet_that_is_not_handed_in_is_accepted_with_a_reason_only(desk: Staff) -> None:
    write(desk.table(1), [("ranked", RANKS)], by="x", at=AT)
    refused = desk.post("accept", 1, 1, reason="")
    accepted = desk.post("accept", 1, 1, reason="Handy leer")
    assert [refused.status_code, accepted.status_code] == [422, 302]
    assert status(desk.table(1)) == "accepted"


def test_a_sheet_without_a_winner_is_not_accepted(desk: Staff) -> None:
    write(desk.table(1), [knock(1)], by="x", at=AT)
    answer = desk.post("accept", 1, 1, reason="Feierabend")
    assert "Es sind noch 5 Spieler im Spiel." in text_of(answer)
    assert 'value="Feierabend"' in text_of(answer)
    assert status(desk.table(1)) == "open"


def test_an_accepted_sheet_is_reopened_with_a_reason_and_no_longer_counts(desk: Staff) -> None:
    a_paper_sheet(desk.table(1))
    refused = desk.post("reopen", 1, 1, reason=" ")
    desk.post("reopen", 1, 1, reason="Zwei vertauscht")
    assert refused.status_code == 422
    assert status(desk.table(1)) == "open"
    assert not SeatResult.objects.filter(seat__table=desk.table(1), accepted=True).exists()


# --- parked entries ------------------------------------------------------------------------------------------------


@pytest.fixture
def parked(desk: Staff) -> ParkedEntry:
    """Park a stroke of a phone that has lost the pen."""
    sheet = take_pen(desk.table(1), device="a", at=AT)
    take_pen(desk.table(1), device="b", at=AT)
    stroke = Sent(str(uuid4()), "stroke", {"seat_number": 3, "mark": "schnauz"}, AT)
    record(desk.table(1), [stroke], device="a", pen_epoch=sheet.row.pen_epoch, at=AT)
    return ParkedEntry.objects.get(sheet__table=desk.table(1))


@pytest.mark.parametrize(("outcome", "strokes"), [("adopt", 1), ("discard", 0)])
def test_a_parked_entry_is_adopted_or_discarded_with_a_reason(
    desk: Staff, parked: ParkedEntry, outcome: str, strokes: int
) -> None:
    refused = desk.post("decide_parked", parked.pk, outcome=outcome, reason="")
    done = desk.post("decide_parked", parked.pk, outcome=outcome, reason="Tisch gefragt")
    parked.refresh_from_db()
    assert [refused.status_code, done.status_code] == [422, 302]
    assert parked.decided_reason == "Tisch gefragt"
    assert sum(score.strokes for score in open_sheet(desk.table(1).pk).log.results) == strokes


def test_a_parked_entry_is_decided_once(desk: Staff, parked: ParkedEntry) -> None:
    desk.post("decide_parked", parked.pk, outcome="discard", reason="zu spät")
    again = desk.post("decide_parked", parked.pk, outcome="adopt", reason="doch")
    assert again.status_code == 422
    assert kinds(desk.table(1)) == []


def test_a_parked_entry_keeps_the_round_open(desk: Staff, parked: ParkedEntry) -> None:
    for number in (1, 2):
        a_paper_sheet(desk.table(number))
    assert [table.number for table in desk.get("round", 1).context["monitor"].missing] == [1]
    assert desk.post("close", 1).status_code == 422


# --- the link ------------------------------------------------------------------------------------------------------


def test_the_sheet_page_shows_the_link_and_revokes_it_in_one_tap(desk: Staff) -> None:
    table = desk.table(1)
    secret = sheet_secret(table.pk, table.link_version)
    assert f"/s/#{secret}" in text_of(desk.get("sheet", 1, 1))
    desk.post("revoke", 1, 1)
    table.refresh_from_db()
    assert not is_secret_of(secret, table.pk, table.link_version)
    assert secret not in text_of(desk.get("sheet", 1, 1))


def test_the_code_is_a_picture_without_a_request(desk: Staff) -> None:
    monitor = table_monitor(desk.tournament, 1)
    assert monitor is not None
    assert link_of(monitor.tables[0].table).picture.startswith("data:image/svg+xml")


def test_a_closed_round_has_no_links_any_more(desk: Staff) -> None:
    close(desk.tournament, 1, reason="Feierabend", at=AT + timedelta(hours=1))
    page = desk.get("sheet", 1, 1)
    assert page.context["link"] is None


# --- permissions and missing pages ---------------------------------------------------------------------------------

WRITES = ["accept", "reopen", "revoke", "paper_line"]


@pytest.mark.parametrize("name", WRITES)
def test_reading_never_writes(desk: Staff, name: str) -> None:
    assert desk.get(name, 1, 1).status_code == 405


def test_parked_entries_are_not_decided_by_reading(desk: Staff, parked: ParkedEntry) -> None:
    assert desk.get("decide_parked", parked.pk).status_code == 405


@pytest.mark.parametrize("name", [*WRITES, "sheet", "paper_check"])
@pytest.mark.parametrize("place", [(1, 3), (2, 1), (9, 1), (1, 2**31 - 1)])
def test_an_unknown_table_is_404(desk: Staff, name: str, place: tuple[int, int]) -> None:
    answer = desk.post(name, *place) if name in WRITES else desk.get(name, *place)
    assert answer.status_code == 404


def test_a_table_of_an_unreleased_round_is_404() -> None:
    desk = Staff(5)
    desk.draw(released=False)
    assert [desk.get("sheet", 1, 1).status_code, desk.post("accept", 1, 1).status_code] == [404, 404]


def test_entries_of_another_table_or_tournament_are_404(desk: Staff, parked: ParkedEntry) -> None:
    other = Staff(5)
    other.draw()
    write(desk.table(2), [knock(1)], by="x", at=AT)
    foreign = entry_id(desk.table(2))
    answers = [
        desk.get("void", 1, 1, foreign),
        desk.get("correct", 1, 1, foreign),
        desk.post("void", 1, 1, uuid4(), reason="x"),
        other.post("decide_parked", parked.pk, outcome="adopt", reason="x"),
        other.client.get(desk.url("sheet", 1, 1)),
        desk.get("write", 1, 1, "totalled"),
    ]
    assert [answer.status_code for answer in answers] == [404] * 6


# --- the same number of queries ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "args"), [("paper", (1,)), ("sheet", (1, 1))])
def test_three_tables_take_no_more_queries_than_one(name: str, args: tuple[int, ...]) -> None:
    counted = []
    for players in (5, 15):
        desk = Staff(players)
        for table in desk.draw().tables.all():
            write(table, [knock(1)], by="x", at=AT)
        with CaptureQueriesContext(connection) as queries:
            desk.get(name, *args)
        counted.append(len(queries))
    assert counted[0] == counted[1]


# --- no player by an oversight -------------------------------------------------------------------------------------


def test_a_stroke_is_nobodys_until_a_player_is_chosen(desk: Staff) -> None:
    page = desk.get("write", 1, 1, "stroke")
    refused = desk.post("write", 1, 1, "stroke", seat_number="", mark="schnauz")

    field = page.context["form"]["seat_number"]
    assert (field.value(), field.field.choices[0]) == (None, ("", "–"))
    assert refused.status_code == 422
    assert "Bitte den Spieler auswählen." in text_of(refused)
    assert kinds(desk.table(1)) == []


# --- the supervisor's initials -------------------------------------------------------------------------------------


def test_sheet_5_the_supervisors_own_deals_take_initials() -> None:
    """RULES 5.5: without them nothing is written, and nothing that was typed is lost."""
    desk = Staff(4, ruleset="schafkopf")
    desk.draw()
    game: dict[str, Any] = {"game": "wenz", "declarer": "2", "won": "yes", "level": "normal"}
    refused = desk.post("write", 1, 1, "deal", **game)
    assert refused.status_code == 422
    assert refused.context["mark_form"].errors.keys() == {"initials"}
    assert refused.context["form"]["declarer"].value() == "2"
    assert kinds(desk.table(1)) == []
    assert desk.post("write", 1, 1, "deal", **game, initials="AB").status_code == 302
    assert SheetEntry.objects.get().initials == "AB"


def test_sheet_5_reopening_takes_initials() -> None:
    """RULES 5.5."""
    desk = Staff(4, ruleset="schafkopf")
    desk.draw()
    write(desk.table(1), [("accepted", {"reason": "abgebrochen"})], by="x", at=AT)
    assert desk.post("reopen", 1, 1, reason="geht weiter").status_code == 422
    assert status(desk.table(1)) == "accepted"
    desk.post("reopen", 1, 1, reason="geht weiter", initials="AB")
    assert SheetEntry.objects.get(kind="reopened").initials == "AB"


def submitted(desk: Staff, *tables: int) -> None:
    """Hand in sheets of one game; a round of this ruleset has one game, and nobody confirms."""
    game = {"game": "ruf", "declarer": 1, "partner": 3, "won": True, "level": "normal"}
    for number in tables:
        epoch = take_pen(desk.table(number), device="a", at=AT).row.pen_epoch
        sent = [Sent(str(uuid4()), "deal", game, AT), Sent(str(uuid4()), "submitted", {}, AT)]
        record(desk.table(number), sent, device="a", pen_epoch=epoch, at=AT)
        assert status(desk.table(number)) == "submitted"


@pytest.fixture
def one_game() -> Staff:
    """Create two tables under rule sheet 5 with one game a round."""
    rules = preset("schafkopf")
    sheet = replace(sheet_as(rules, PlusMinusRules), deals=1)
    desk = Staff(8, ruleset=replace(rules, sheet=sheet, confirmation="optional"))
    desk.draw()
    return desk


def test_sheet_5_accepting_takes_initials(one_game: Staff) -> None:
    """RULES 5.5: of a submitted sheet, and of one that is not; the reason that was typed is kept."""
    submitted(one_game, 1)
    assert "Annehmen …" in text_of(one_game.get("round", 1))
    assert one_game.post("accept", 1, 1).status_code == 422
    unsigned = one_game.post("accept", 1, 2, reason="Zeit ist um")
    assert (unsigned.status_code, 'value="Zeit ist um"' in text_of(unsigned)) == (422, True)
    assert [status(one_game.table(number)) for number in (1, 2)] == ["submitted", "open"]
    assert one_game.post("accept", 1, 1, initials="AB").status_code == 302
    assert one_game.post("accept", 1, 2, reason="Zeit ist um", initials="CD").status_code == 302
    assert [status(one_game.table(number)) for number in (1, 2)] == ["accepted", "accepted"]
    accepted = SheetEntry.objects.filter(kind="accepted").order_by("sheet__table__number")
    assert list(accepted.values_list("initials", flat=True)) == ["AB", "CD"]


def test_sheet_5_accepting_all_takes_initials(one_game: Staff) -> None:
    """RULES 5.5."""
    submitted(one_game, 1, 2)
    refused = one_game.post("accept_submitted", 1, htmx=True)
    assert "Hier fehlt das Kürzel." in text_of(refused)
    assert status(one_game.table(1)) == "submitted"
    one_game.post("accept_submitted", 1, initials="AB")
    accepted = SheetEntry.objects.filter(kind="accepted")
    assert list(accepted.values_list("initials", flat=True)) == ["AB", "AB"]


@pytest.mark.parametrize("outcome", ["adopt", "discard"])
def test_sheet_5_parked_entries_take_initials(one_game: Staff, outcome: str) -> None:
    """RULES 5.5: one entry, and all of a sheet; the document keeps them."""
    game = {"game": "ruf", "declarer": 1, "partner": 3, "won": True, "level": "normal"}
    for number in (1, 2):
        epoch = take_pen(one_game.table(number), device="a", at=AT).row.pen_epoch
        free_pen(one_game.table(number), at=AT)
        late = [Sent(str(uuid4()), "deal", game, AT)]
        record(one_game.table(number), late, device="a", pen_epoch=epoch, at=AT)
    first, second = ParkedEntry.objects.order_by("sheet__table__number")
    unsigned = one_game.post("decide_parked", first.pk, reason="gefragt", outcome=outcome)
    assert (unsigned.status_code, 'value="gefragt"' in text_of(unsigned)) == (422, True)
    several: dict[str, Any] = {"reason": "gefragt", "up_to": second.pk, "outcome": outcome}
    assert one_game.post("decide_all_parked", 1, 2, **several).status_code == 422
    assert set(ParkedEntry.objects.values_list("outcome", flat=True)) == {""}
    one_game.post("decide_parked", first.pk, reason="gefragt", outcome=outcome, initials="AB")
    one_game.post("decide_all_parked", 1, 2, **several, initials="AB")
    assert set(ParkedEntry.objects.values_list("decided_initials", flat=True)) == {"AB"}
    assert "(AB, „gefragt“)" in text_of(one_game.get("sheet", 1, 1))
    document = export_tournament(one_game.tournament)
    assert [table["parked"][0]["decided_initials"] for table in document["rounds"][0]["tables"]] == [
        "AB",
        "AB",
    ]
    document["tournament"]["slug"] = "kopie"
    assert dump(export_tournament(import_tournament(dump(document), at=AT))) == dump(document)


def test_under_other_sheets_no_initials_are_asked_for(desk: Staff) -> None:
    assert "Kürzel" not in text_of(desk.get("write", 1, 1, "deal"))
    assert desk.post("write", 1, 1, "deal", losers=["1"], ended_by="knock", finisher="").status_code == 302


# --- excluding a table ---------------------------------------------------------------------------------------------


def test_sheet_5_a_whole_table_is_excluded_in_one_step_with_a_reason() -> None:
    """RULES 5.8: the other table stays in the standings; who was excluded before keeps the reason of then."""
    desk = Staff(8, ruleset="schafkopf")
    desk.draw()
    first, *others = [seat.participant for seat in desk.table(1).seats.select_related("participant")]
    exclusion.exclude(desk.tournament, first.start_number, reason="Falschspiel", by="x", at=AT)
    refused = desk.post("exclude_table", 1, 1, reason=" ")
    assert refused.status_code == 422
    assert "nur mit einer Begründung" in text_of(refused)
    done = desk.post("exclude_table", 1, 1, offered="misdealing", reason="fünfmal", follow=True)
    assert "3 Spieler sind ausgeschlossen." in text_of(done)
    excluded = desk.tournament.participants.exclude(excluded_at=None)
    assert dict(excluded.values_list("start_number", "excluded_reason")) == {
        first.start_number: "Falschspiel",
        **{person.start_number: "öfter vergeben: fünfmal" for person in others},
    }
    again = desk.post("exclude_table", 1, 1, reason="noch einmal")
    assert again.status_code == 422
    assert "niemand mehr" in text_of(again)
