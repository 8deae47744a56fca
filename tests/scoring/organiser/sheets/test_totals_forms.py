"""The supervisor's forms for hand points (RULES 3) and plus and minus (RULES 5): from paper, corrected, read."""

from typing import Any

import pytest

from scoring.models import SeatResult, SheetEntry
from scoring.services.sheets import write
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.scoring.core.writing import Line, hands, ruf, solo, totalled
from tests.scoring.pages import Staff, text_of
from tournaments.models import Table

pytestmark = pytest.mark.django_db

NO_GAMES = dict.fromkeys(("tout_won", "tout_played", "solo_won", "solo_played"), (0, 0, 0, 0))


@pytest.fixture
def fce() -> Staff:
    """Create two tables of five under rule sheet 3."""
    desk = Staff(10, ruleset="fce")
    desk.draw()
    return desk


@pytest.fixture
def schafkopf() -> Staff:
    """Create two tables of four under rule sheet 5."""
    desk = Staff(8, ruleset="schafkopf")
    desk.draw()
    return desk


def typed(**sums: tuple[Any, ...]) -> dict[str, Any]:
    """Return form data for seats 1, 2, ... from the values of each name."""
    return {
        f"{name}_{seat}": str(value)
        for name, values in sums.items()
        for seat, value in enumerate(values, start=1)
    }


def written(desk: Staff, *lines: Line) -> list[SheetEntry]:
    """Write these facts on table 1, as the scribe."""
    write(desk.table(), [(line.kind, dict(line.data)) for line in lines], by="tisch", at=AT)
    return entries(desk.table())


def entries(table: Table) -> list[SheetEntry]:
    return list(SheetEntry.objects.filter(sheet__table=table).order_by("sequence"))


def names(desk: Staff) -> list[str]:
    return [seat.participant.name for seat in desk.table().seats.order_by("seat_number")]


def kinds(desk: Staff) -> list[str]:
    return [entry.kind for entry in entries(desk.table())]


def points(desk: Staff) -> list[int | None]:
    results = SeatResult.objects.filter(seat__table=desk.table()).order_by("seat__seat_number")
    return list(results.values_list("points", flat=True))


def correct(desk: Staff, entry: SheetEntry, **fields: Any) -> Any:
    return desk.post("correct", 1, 1, entry.entry_id, **fields)


SUMS = typed(points=(612, 588, 601, 540, 577), schnauz=(2, "", "", "", 1), feuer=("", 1, "", "", ""))
RESULTS = typed(points=("−14", "-4", "+2", 16), solo_won=("", "", "", 2), solo_played=(1, "", "", 3))
SIGNED_RESULTS = {**RESULTS, "initials": "AB"}


# --- from paper ----------------------------------------------------------------------------------------------------


def test_rules_3_5_sums_of_a_paper_sheet_are_typed_in_and_accepted(fce: Staff) -> None:
    """RULES 3.5 and 3.6: a figure other than the points that is left empty is 0."""
    answer = fce.post("paper_line", 1, 1, **SUMS, htmx=True)
    assert answer.status_code == 200
    assert kinds(fce) == ["totalled", "accepted"]
    assert points(fce) == [612, 588, 601, 540, 577]
    log = open_sheet(fce.table().pk).log
    assert [score.counts["schnauz"] for score in log.results] == [2, 0, 0, 0, 1]
    assert [score.counts["feuer"] for score in log.results] == [0, 1, 0, 0, 0]
    assert log.entries[-1].data == {"reason": "vom Papierblatt"}


def test_rules_5_4_results_of_a_paper_sheet_are_typed_in_with_either_sign(schafkopf: Staff) -> None:
    """RULES 5.4: the results of the sheet's own sample; 5.7: Solos and Touts for ties."""
    assert schafkopf.post("paper_line", 1, 1, **SIGNED_RESULTS).status_code == 302
    assert kinds(schafkopf) == ["totalled", "accepted"]
    assert [entry.initials for entry in entries(schafkopf.table())] == ["AB", "AB"]
    assert points(schafkopf) == [-14, -4, 2, 16]
    counts = [score.counts for score in open_sheet(schafkopf.table().pk).log.results]
    assert [(count["solo_won"], count["solo_played"]) for count in counts] == [(0, 1), (0, 0), (0, 0), (2, 3)]


def test_rules_5_2_results_that_do_not_add_up_to_zero_are_refused_in_a_sentence(schafkopf: Staff) -> None:
    """RULES 5.2: every deal adds up to zero, and so does the sheet; the input is kept."""
    answer = schafkopf.post("paper_line", 1, 1, **SIGNED_RESULTS | {"points_4": "17"}, htmx=True)
    page = text_of(answer)
    assert answer.status_code == 422
    assert "Plus und Minus gehen nicht auf: zusammen 1 statt 0." in page
    assert all(f'value="{value}"' in page for value in ("−14", "-4", "+2", "17"))
    assert kinds(schafkopf) == []


@pytest.mark.parametrize(
    ("wrong", "field", "message"),
    [
        ({"points_2": ""}, "points_2", "Hier fehlen die Punkte."),
        ({"points_2": "acht"}, "points_2", "Bitte eine ganze Zahl eintragen."),
        ({"points_2": "99"}, "points_2", None),
        ({"schnauz_3": "-1"}, "schnauz_3", None),
        ({"feuer_5": "25"}, "feuer_5", None),
        ({"schnauz_1": "20", "points_1": "600"}, "points_1", "Diese Summen passen nicht zusammen"),
        ({"points_4": "99999"}, "points_4", "Diese Summen passen nicht zusammen"),
    ],
)
def test_rules_3_5_an_invalid_figure_is_refused_at_its_field(
    fce: Staff, wrong: dict[str, Any], field: str, message: str | None
) -> None:
    """RULES 3.3 and 3.5: points above the maximum of so many hands."""
    if wrong == {"points_2": "99"}:  # less than two Feuer and a Schnauz
        wrong = {"points_2": "99", "schnauz_2": "1", "feuer_2": "2"}
    answer = fce.post("paper_line", 1, 1, **SUMS | wrong, htmx=True)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert message is None or message in text_of(answer)
    for value in wrong.values():
        assert not value or f'value="{value}"' in text_of(answer)
    assert kinds(fce) == []


def test_without_javascript_wrong_sums_leave_the_other_tables_open(fce: Staff) -> None:
    answer = fce.post("paper_line", 1, 1, **SUMS | {"points_2": "acht"})
    assert answer.status_code == 422
    assert [table.number for table, _ in answer.context["lines"]] == [1, 2]
    assert 'value="acht"' in text_of(answer)


def test_while_they_are_typed_sums_show_what_they_would_mean(schafkopf: Staff) -> None:
    half = schafkopf.get("paper_check", 1, 1, points_1="4")
    wrong = schafkopf.get("paper_check", 1, 1, **RESULTS | {"points_4": "15"})
    whole = schafkopf.get("paper_check", 1, 1, **RESULTS)
    assert (half.context["hint"], "zusammen -1 statt 0" in text_of(wrong)) == ("", True)
    assert [seat.score.points for seat in whole.context["would_be"].standing] == [16, 2, -4, -14]
    assert "−14 Punkte" in text_of(whole)
    assert kinds(schafkopf) == []


@pytest.mark.parametrize("ruleset", ["fce", "schafkopf"])
def test_paper_replaces_what_was_written_only_on_an_explicit_yes(
    fce: Staff, schafkopf: Staff, ruleset: str
) -> None:
    """RULES "All five": a filled paper sheet can be typed in; replaced entries stay on record."""
    desk, sums = (fce, SUMS) if ruleset == "fce" else (schafkopf, SIGNED_RESULTS)
    deals = [hands(30, 21, 21, 20, 8)] if ruleset == "fce" else [ruf(1, 2), solo(3, level="tout")]
    written(desk, *deals)
    if ruleset == "schafkopf":
        desk.post("approve", 1, 1, entries(desk.table())[1].entry_id, initials="AB")
    before = kinds(desk)
    refused = desk.post("paper_line", 1, 1, **sums, htmx=True)
    assert (refused.status_code, kinds(desk)) == (422, before)
    assert list(refused.context["form"].errors) == ["replace"]
    assert "Das Papierblatt ersetzt, was schon eingetragen ist" in text_of(refused)
    assert desk.post("paper_line", 1, 1, **sums, replace="on", htmx=True).status_code == 200
    log = open_sheet(desk.table().pk).log
    assert ([fact.kind for fact in log.facts], log.phase) == (["totalled"], "accepted")


def test_rules_5_5_sums_from_paper_need_initials(schafkopf: Staff) -> None:
    """RULES 5.5: as on the other form for sums, whether entries are replaced or not; the input is kept."""
    first = schafkopf.post("paper_line", 1, 1, **RESULTS, htmx=True)
    assert (list(first.context["form"].errors), kinds(schafkopf)) == (["initials"], [])
    written(schafkopf, ruf(1, 2))
    unsigned = schafkopf.post("paper_line", 1, 1, **RESULTS, replace="on", htmx=True)
    page = text_of(unsigned)
    assert (unsigned.status_code, kinds(schafkopf)) == (422, ["deal"])
    assert list(unsigned.context["form"].errors) == ["initials"]
    assert "Hier fehlt das Kürzel." in page
    assert all(f'value="{value}"' in page for value in ("−14", "-4", "+2", "16"))
    assert page.count("checked") == 1
    schafkopf.post("paper_line", 1, 1, **SIGNED_RESULTS, replace="on", htmx=True)
    assert kinds(schafkopf) == ["deal", "voided", "totalled", "accepted"]
    assert [entry.initials for entry in entries(schafkopf.table())] == ["", "AB", "AB", "AB"]


def test_rules_5_7_a_tout_that_is_no_solo_is_refused_at_its_field_with_the_reason(schafkopf: Staff) -> None:
    touts = typed(tout_won=(1, "", "", 1), tout_played=(1, "", "", 1))
    refused = schafkopf.post("paper_line", 1, 1, **SIGNED_RESULTS, **touts, htmx=True)
    assert list(refused.context["form"].errors) == ["solo_won_1"]
    assert "Ein Tout ist auch ein Solo: Hier fehlt er. Bitte mindestens 1 eintragen." in text_of(refused)
    assert "Ein Tout ist auch ein Solo: Er zählt bei beiden." in text_of(schafkopf.get("paper", 1))
    assert kinds(schafkopf) == []
    right = SIGNED_RESULTS | touts | {"solo_won_1": "1"}
    assert schafkopf.post("paper_line", 1, 1, **right, htmx=True).status_code == 200
    assert "jeder Tout auch hier" in text_of(schafkopf.get("print_blank", 4))


def test_the_cursor_waits_in_the_first_field_of_the_first_table(fce: Staff) -> None:
    page = text_of(fce.get("paper", 1))
    assert page.count("autofocus") == 1
    assert page.count("data-paper-start") == 2
    assert "csrfmiddlewaretoken" not in page.split('/paper/check/"')[1].split("form__actions")[0]


# --- from paper, in one line ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["-14 -4 +2 16 AB", "−14 − 4 2 16 AB", "-14, -4, 2, 16; AB", "-14-4+2 16 AB", " -14 / -4 / 2 / 16 AB "],
)
def test_rules_5_5_points_and_initials_are_typed_as_one_line(schafkopf: Staff, line: str) -> None:
    """RULES 5.4 and 5.5: in the order of the seats; Solos are typed beside it, if there were any."""
    assert schafkopf.post("paper_line", 1, 1, line=line, solo_played_4="1", htmx=True).status_code == 200
    assert points(schafkopf) == [-14, -4, 2, 16]
    assert [entry.initials for entry in entries(schafkopf.table())] == ["AB", "AB"]
    counts = [score.counts["solo_played"] for score in open_sheet(schafkopf.table().pk).log.results]
    assert counts == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("-14 -4 2 AB", "Gelesen: Punkte für 3 Plätze, am Tisch sitzen aber 4."),
        ("-14 -4 2 16 3 AB", "Gelesen: Punkte für 5 Plätze, am Tisch sitzen aber 4."),
        ("-14 -4 z2 16 AB", "„z2“ ist keine Zahl."),
        ("-14 -4 2 16", "Hier fehlt das Kürzel."),
        ("-14 -4 2 16 Aufsicht Berta", "Ein Kürzel hat höchstens 8 Zeichen."),
        ("-14 -4 2 17 AB", "Plus und Minus gehen nicht auf: zusammen 1 statt 0."),
        ("99999 -99999 0 0 AB", "Diese Summen passen nicht zusammen"),
    ],
)
def test_a_line_of_points_that_does_not_fit_is_refused_with_the_reason(
    schafkopf: Staff, line: str, sentence: str
) -> None:
    refused = schafkopf.post("paper_line", 1, 1, line=line, htmx=True)
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["line"])
    assert sentence in text_of(refused)
    assert f'value="{line}"' in text_of(refused)
    assert kinds(schafkopf) == []


def test_while_a_line_is_typed_it_shows_what_it_would_mean(schafkopf: Staff) -> None:
    half = schafkopf.get("paper_check", 1, 1, line="-14 -4")
    whole = schafkopf.get("paper_check", 1, 1, line="-14 -4 2 16")
    assert "Gelesen: Punkte für 2 Plätze" in text_of(half)
    assert [seat.score.points for seat in whole.context["would_be"].standing] == [16, 2, -4, -14]


def test_the_fields_are_folded_below_the_line_until_they_are_used(schafkopf: Staff) -> None:
    folded = '<details class="disclosure"> <summary>Feld für Feld, mit Solo und Tout</summary>'
    page = text_of(schafkopf.get("paper", 1))
    assert page.count(folded) == page.count("data-paper-start") == 2
    assert folded not in text_of(schafkopf.post("paper_line", 1, 1, **RESULTS, htmx=True))
    assert folded in text_of(schafkopf.post("paper_line", 1, 1, line="1", htmx=True))
    wrong: dict[str, Any] = {"line": "-14 -4 2 16 AB", "tout_played_1": "1"}
    assert folded not in text_of(schafkopf.post("paper_line", 1, 1, **wrong, htmx=True))


# --- corrections ---------------------------------------------------------------------------------------------------


def test_rules_3_3_the_points_of_a_deal_are_corrected(fce: Staff) -> None:
    """RULES 3.3, 3.4 and 1.12: with a reason and initials; a Schnauz on the table is no stroke for any player."""
    entry = written(fce, hands(35, 21, 21, 20, 8))[0]
    form = fce.get("correct", 1, 1, entry.entry_id).context["form"]
    assert [fields[0].value() for _seat, fields in form.rows] == [35, 21, 21, 20, 8]
    new = typed(points=(35, 21, 30, 31, 8))
    answer = correct(fce, entry, **new, ended_by="table_schnauz", reason="falsch abgelesen", initials="MB")
    assert answer.status_code == 302
    log = open_sheet(fce.table().pk).log
    assert [score.points for score in log.results] == [35, 21, 30, 31, 8]
    assert [score.strokes for score in log.results] == [0] * 5
    assert (log.entries[-1].kind, log.entries[-1].initials) == ("corrected", "MB")
    assert "Eintrag 1 berichtigt:" in text_of(fce.get("sheet", 1, 1))


def test_rules_3_3_points_that_no_hand_has_are_refused_at_their_field(fce: Staff) -> None:
    """RULES 3.3."""
    entry = written(fce, hands(35, 21, 21, 20, 8))[0]
    answer = correct(fce, entry, **typed(points=(35, 21, 34, 20, 8)), reason="falsch abgelesen")
    assert (answer.status_code, kinds(fce)) == (422, ["deal"])
    assert list(answer.context["form"].errors) == ["points_3"]
    assert "34 Punkte kann keine Hand haben" in text_of(answer)


def test_rules_5_5_only_the_supervisor_corrects_a_game_with_his_initials(schafkopf: Staff) -> None:
    """RULES 5.5: the game, its players and its outcome."""
    entry = written(schafkopf, ruf(1, 2), ruf(3, 4))[1]
    form = schafkopf.get("correct", 1, 1, entry.entry_id).context["form"]
    assert [form[name].value() for name in ("game", "declarer", "partner", "won")] == ["ruf", 3, 4, "yes"]
    answer = correct(
        schafkopf, entry, game="wenz", declarer="3", partner="", won="no", level="schneider",
        reason="war ein Wenz", initials="MB",
    )  # fmt: skip
    assert answer.status_code == 302
    log = open_sheet(schafkopf.table().pk).log
    assert [score.points for score in log.results] == [4, 4, -10, 2]
    assert (log.entries[-1].kind, log.entries[-1].initials) == ("corrected", "MB")


def test_rules_5_5_a_correction_without_initials_is_refused_and_keeps_what_was_typed(
    schafkopf: Staff,
) -> None:
    """RULES 5.5."""
    entry = written(schafkopf, ruf(1, 2))[0]
    answer = correct(
        schafkopf, entry, game="wenz", declarer="3", partner="", won="no", level="schneider",
        reason="war ein Wenz", initials=" ",
    )  # fmt: skip
    assert (answer.status_code, kinds(schafkopf)) == (422, ["deal"])
    assert list(answer.context["why_form"].errors) == ["initials"]
    page = text_of(answer)
    assert "Hier fehlt das Kürzel." in page
    assert answer.context["form"]["game"].value() == "wenz"
    assert answer.context["why_form"]["reason"].value() == "war ein Wenz"


def test_rules_5_5_a_deal_is_taken_back_with_initials(schafkopf: Staff) -> None:
    """RULES 5.5."""
    entry = written(schafkopf, ruf(1, 2))[0]
    assert "Kürzel" in text_of(schafkopf.get("void", 1, 1, entry.entry_id))
    unsigned = schafkopf.post("void", 1, 1, entry.entry_id, reason="doppelt")
    assert (unsigned.status_code, kinds(schafkopf)) == (422, ["deal"])
    assert "Hier fehlt das Kürzel." in text_of(unsigned)
    assert unsigned.context["form"]["reason"].value() == "doppelt"
    assert schafkopf.post("void", 1, 1, entry.entry_id, reason="doppelt", initials="MB").status_code == 302
    last = entries(schafkopf.table())[-1]
    assert (last.kind, last.initials) == ("voided", "MB")


def test_on_other_sheets_initials_stay_as_they_were(fce: Staff) -> None:
    """RULES 1.12: optional on a correction, none on taking back."""
    entry = written(fce, hands(35, 21, 21, 20, 8))[0]
    new = typed(points=(35, 21, 30, 31, 8))
    assert "Kürzel" not in text_of(fce.get("void", 1, 1, entry.entry_id))
    assert correct(fce, entry, **new, ended_by="", reason="falsch abgelesen").status_code == 302
    assert fce.post("void", 1, 1, entry.entry_id, reason="doppelt").status_code == 302
    assert [entry.initials for entry in entries(fce.table())] == ["", "", ""]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"partner": ""}, "partner"),
        ({"partner": "3"}, "partner"),
        ({"game": "solo"}, "partner"),
        ({"level": "tout"}, "level"),
        ({"game": "schieber"}, "game"),
        ({"declarer": ""}, "declarer"),
        ({"won": "vielleicht"}, "won"),
    ],
)
def test_rules_5_2_an_invalid_game_is_refused_at_its_field(
    schafkopf: Staff, wrong: dict[str, Any], field: str
) -> None:
    """RULES 5.2."""
    entry = written(schafkopf, ruf(1, 2), ruf(3, 4))[1]
    game: dict[str, Any] = {
        "game": "ruf",
        "declarer": "3",
        "partner": "4",
        "won": "yes",
        "level": "normal",
    } | wrong
    answer = correct(schafkopf, entry, **game, reason="falsch abgelesen", initials="MB")
    assert (answer.status_code, kinds(schafkopf)) == (422, ["deal", "deal"])
    assert list(answer.context["form"].errors) == [field]


def test_sums_from_paper_are_corrected_and_accepted_again(schafkopf: Staff) -> None:
    """RULES 5.5, and 5.2 for sums that do not add up."""
    schafkopf.post("paper_line", 1, 1, **SIGNED_RESULTS)
    entry = entries(schafkopf.table())[0]
    wrong = correct(
        schafkopf, entry, **RESULTS | {"points_1": "0"}, reason="verlesen", initials="MB", accept="on"
    )
    assert (wrong.status_code, points(schafkopf)) == (422, [-14, -4, 2, 16])
    assert "Plus und Minus gehen nicht auf" in text_of(wrong)
    new = RESULTS | {"points_1": "-4", "points_2": "-14"}
    assert (
        correct(schafkopf, entry, **new, reason="vertauscht", initials="MB", accept="on").status_code == 302
    )
    assert kinds(schafkopf) == ["totalled", "accepted", "reopened", "corrected", "accepted"]
    assert points(schafkopf) == [-4, -14, 2, 16]


def test_a_second_person_types_the_paper_again_and_sees_only_what_differs(schafkopf: Staff) -> None:
    assert "Noch ist kein Papierblatt eingetippt." in text_of(schafkopf.get("paper", 1, again="1"))
    schafkopf.post("paper_line", 1, 1, **SIGNED_RESULTS)
    before = kinds(schafkopf)
    assert [table.number for table, _form in schafkopf.get("paper", 1, again="1").context["lines"]] == [1]
    same = schafkopf.get("paper_check", 1, 1, again="1", **RESULTS)
    assert "Beide Male gleich." in text_of(same)
    wrong = {"points_1": "-4", "points_2": "-14", "solo_played_3": "1"}
    other = schafkopf.get("paper_check", 1, 1, again="1", **RESULTS | wrong)
    assert [(seat.number, first, now) for seat, first, now in other.context["differing"]] == [
        (1, "Rang 4, Punkte: −14, 1 Solo gespielt", "Rang 3, Punkte: −4, 1 Solo gespielt"),
        (2, "Rang 3, Punkte: −4", "Rang 4, Punkte: −14"),
        (3, "Rang 2, Punkte: +2", "Rang 2, Punkte: +2, 1 Solo gespielt"),
    ]
    refused = schafkopf.get("paper_check", 1, 1, again="1", **RESULTS | {"points_4": "17"})
    assert "zusammen 1 statt 0" in text_of(refused)
    assert kinds(schafkopf) == before


def test_a_correction_that_changes_nothing_leaves_no_entry(schafkopf: Staff) -> None:
    schafkopf.post("paper_line", 1, 1, **SIGNED_RESULTS)
    entry, before = entries(schafkopf.table())[0], kinds(schafkopf)
    fields: dict[str, Any] = {"reason": "verlesen", "initials": "MB", "accept": "on"}
    answer = schafkopf.post("correct", 1, 1, entry.entry_id, **RESULTS, **fields, follow=True)
    assert "So steht es schon da. Es ist nichts geändert." in text_of(answer)
    assert kinds(schafkopf) == before


def test_the_supervisors_mark_is_taken_back_and_not_corrected(schafkopf: Staff) -> None:
    """RULES 5.3."""
    tout = written(schafkopf, ruf(1, 2), solo(3, level="tout"))[1]
    schafkopf.post("approve", 1, 1, tout.entry_id, initials="AB")
    assert schafkopf.get("correct", 1, 1, entries(schafkopf.table())[-1].entry_id).status_code == 404


# --- permitted facts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "expected"),
    [
        ("schnauz-placing", ["deal", "stroke", "ranked"]),
        ("fce", ["deal", "totalled"]),
        ("schafkopf", ["deal", "totalled"]),
    ],
)
def test_the_sheet_offers_the_entries_of_its_kind_and_no_others(ruleset: str, expected: list[str]) -> None:
    desk = Staff(8, ruleset=ruleset)
    desk.draw()
    assert list(desk.get("sheet", 1, 1).context["writable"]) == expected
    for kind in ("deal", "stroke", "ranked", "totalled", "approved"):
        assert desk.get("write", 1, 1, kind).status_code == (200 if kind in expected else 404)


def test_rules_3_3_the_organiser_adds_a_deal_of_hands(fce: Staff) -> None:
    """RULES 3.3 and 1.12."""
    answer = fce.post("write", 1, 1, "deal", **typed(points=(30, 21, 33, 20, 8)), ended_by="feuer")
    assert (answer.status_code, kinds(fce)) == (302, ["deal"])


def test_rules_5_3_the_organiser_adds_a_tout_but_not_in_the_first_deal(schafkopf: Staff) -> None:
    """RULES 5.3."""
    tout: dict[str, Any] = {
        "game": "solo",
        "declarer": "2",
        "partner": "",
        "won": "yes",
        "level": "tout",
        "initials": "AB",
    }
    refused = schafkopf.post("write", 1, 1, "deal", **tout)
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["level"])
    written(schafkopf, ruf(1, 2))
    assert schafkopf.post("write", 1, 1, "deal", **tout).status_code == 302


def test_the_sums_of_a_paper_sheet_are_read_with_what_breaks_ties(schafkopf: Staff, fce: Staff) -> None:
    """RULES 3.6 and 5.7."""
    games = NO_GAMES | {"solo_won": (0, 0, 0, 2), "solo_played": (1, 0, 0, 3)}
    written(schafkopf, totalled(points=(-14, -4, 2, 16), **games))
    written(fce, totalled(points=(612, 588, 601, 540, 577), schnauz=(2, 0, 0, 0, 1), feuer=(0, 1, 0, 0, 0)))
    anna, *_, dora = names(schafkopf)
    page = text_of(schafkopf.get("sheet", 1, 1))
    assert f"{anna} −14 (1 Solo gespielt); " in page
    assert f"{dora} +16 (2 Solo gewonnen, 3 Solo gespielt)" in page
    first, second, *_ = names(fce)
    assert f"{first} 612 (2 Schnauz); {second} 588 (1 Feuer); " in text_of(fce.get("sheet", 1, 1))
