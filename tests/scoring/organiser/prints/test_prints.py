"""The organiser's printed pages as HTML; for the result on paper see tests/journeys/test_paper.py."""

import io
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from scoring.core.marks import mark_of
from scoring.services.sheets import write
from scoring.services.standings import decide, freeze
from scoring.sheet_link import link_of
from scoring.sheet_log import open_sheet
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tournaments.models import Tournament
from tournaments.queries.seating import round_with_seating

pytestmark = pytest.mark.django_db

OF_A_ROUND = ("print_sheets", "print_seating", "print_cards", "print_signs")


@pytest.fixture
def tournament(client: Client) -> Tournament:
    """Create a tournament of the client's user."""
    owner = UserFactory.create()
    client.force_login(owner)
    return TournamentFactory.create(slug="schnauz", owner=owner)


def page(client: Client, name: str, *args: object, query: str = "") -> str:
    response = client.get(reverse(f"organiser:{name}", args=args) + query)
    assert response.status_code == 200
    return str(response.content.decode())


def texts(html: str, pattern: str) -> list[str]:
    """Return the text in the first group of every match, without markup."""
    parts = re.findall(pattern, html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", text).split()) for text in parts]


def sections(html: str) -> list[str]:
    return re.findall(r'<section class="paper-sheet".*?</section>', html, re.DOTALL)


def codes(html: str) -> list[str]:
    return [
        source.replace("&#x27;", "'").replace("&amp;", "&")
        for source in re.findall(r'<img src="(data:[^"]*)"', html)
    ]


class TestTableSheets:
    def test_every_table_has_its_own_with_the_drawn_names_in_the_order_of_the_seats(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(11, tournament=tournament)
        a_round(tournament)
        html = page(client, "print_sheets", "schnauz", 1)
        row = round_with_seating(tournament, 1)
        assert row is not None
        drawn = [
            [f"{seat.seat_number} {seat.start_number} {seat.name}" for seat in table.seats]
            for table in row.tables
        ]
        assert [texts(sheet, r"<tr>\s*(<td class=\"c-seat\">.*?)</tr>") for sheet in sections(html)] == drawn

    def test_the_columns_are_those_of_the_rule_sheet(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_round(tournament)
        html = page(client, "print_sheets", "schnauz", 1)
        assert texts(html, r"<dt>(.*?)</dd>") == ["Spielrunde 1", "Tischnummer 1"]
        assert texts(html, r'<th class="c-\w+"[^>]*>(.*?)</th>') == [
            "Platz Nr.",
            "Teiln. Nr.",
            "Name",
            "Mit Schnauz oder Feuer beendete Spiele",
            "Rang",
            "Punkte",
            "Strichliste",
            "gesamt",
        ]

    def test_the_key_and_the_stakes_are_those_of_the_ruleset(
        self, client: Client, tournament: Tournament
    ) -> None:
        html = page(client, "print_blank", "schnauz", 6)
        assert (
            texts(html, r'<table class="points-key">(.*?)</table>')[0]
            == "Rang 1 2 3 4 5 6 Punkte 6 4 3 2 1 1"
        )
        stakes = texts(html, r'<div class="paper-sheet__rules">(.*?)</div>')[0].replace("\u00a0", " ")
        assert stakes.endswith(
            "Einsatz 0,60 € je Spieler, Pott 3,60 €. Rang 2 bekommt den Einsatz zurück, der Sieger den Rest."
        )

    def test_a_released_round_carries_a_code_a_table(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(11, tournament=tournament)
        a_round(tournament)
        row = round_with_seating(tournament, 1)
        assert row is not None
        html = page(client, "print_sheets", "schnauz", 1)
        assert codes(html) == [link_of(table).picture for table in row.tables]
        assert link_of(row.tables[0]).url.startswith(f"{settings.PUBLIC_URL}/s/#")

    def test_a_code_is_kept_out_of_every_cache(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_round(tournament)
        response = client.get(reverse("organiser:print_sheets", args=["schnauz", 1]))
        assert "no-store" in response["Cache-Control"]

    def test_a_round_that_is_only_drawn_is_a_draft_without_codes(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(11, tournament=tournament)
        a_round(tournament, released=False)
        html = page(client, "print_sheets", "schnauz", 1)
        assert codes(html) == []
        assert (
            texts(html, r'<p class="paper-sheet__draft">(.*?)</p>')
            == ["Entwurf: noch nicht freigegeben. Plätze können sich noch ändern."] * 2
        )

    def test_a_closed_round_has_no_codes_either(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_played_round(tournament)
        html = page(client, "print_sheets", "schnauz", 1)
        assert codes(html) == []
        assert texts(html, r'<p class="paper-sheet__draft">(.*?)</p>') == []

    def test_one_table_can_be_printed_alone(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(11, tournament=tournament)
        a_round(tournament)
        html = page(client, "print_sheets", "schnauz", 1, query="?table=2")
        assert texts(html, r"<dt>Tischnummer</dt>(.*?)</div>") == ["2"]

    @pytest.mark.parametrize("query", ["?table=3", "?table=x", "?table=-1", "?table=" + "9" * 5000])
    def test_a_table_that_is_none_is_not_found(
        self, client: Client, tournament: Tournament, query: str
    ) -> None:
        ParticipantFactory.create_batch(11, tournament=tournament)
        a_round(tournament)
        assert client.get(reverse("organiser:print_sheets", args=["schnauz", 1]) + query).status_code == 404

    @pytest.mark.parametrize("seats", [4, 5, 6, 7])
    def test_blank_ones_have_a_line_a_seat_and_two_fit_on_a_page(
        self, client: Client, tournament: Tournament, seats: int
    ) -> None:
        html = page(client, "print_blank", "schnauz", seats)
        expected = [str(number) for number in range(1, seats + 1)]
        assert [texts(sheet, r"<tr>\s*(<td class=\"c-seat\">.*?)</tr>") for sheet in sections(html)] == [
            expected
        ] * 2

    @pytest.mark.parametrize("seats", [0, 1, 13])
    def test_there_are_none_for_tables_that_cannot_be(
        self, client: Client, tournament: Tournament, seats: int
    ) -> None:
        assert client.get(reverse("organiser:print_blank", args=["schnauz", seats])).status_code == 404

    def test_markup_in_a_name_stays_text(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament, name="<b>fett</b>")
        a_round(tournament)
        html = page(client, "print_sheets", "schnauz", 1)
        assert html.count("&lt;b&gt;fett&lt;/b&gt;") == 5
        assert html.count("<b>") == 0


class TestFilledSheets:
    def test_only_accepted_ones_are_printed_with_ranks_points_strokes_and_payout(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(10, tournament=tournament, name="Spieler")
        played = a_round(tournament)
        first, _second = played.tables.order_by("number")
        a_paper_sheet(first, strokes={2: 3})
        html = page(client, "print_sheets", "schnauz", 1, query="?filled=1")
        lines = texts(html, r"<tr>\s*(<td class=\"c-seat\">.*?)</tr>")
        numbers = [seat.participant.start_number for seat in first.seats.order_by("seat_number")]
        assert [line.replace("\u00a0", " ") for line in lines] == [
            f"1 {numbers[0]} Spieler – 1 6 2,40 €",
            f"2 {numbers[1]} Spieler (3) 2 4 0,60 €",
            f"3 {numbers[2]} Spieler – 3 3 –",
            f"4 {numbers[3]} Spieler – 4 2 –",
            f"5 {numbers[4]} Spieler – 5 1 –",
        ]
        assert f"Prüfzeichen <strong>{mark_of(open_sheet(first.pk).digest)}</strong>" in html

    def test_corrections_stand_below_with_reason_and_initials(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        table = a_round(tournament).tables.get()
        a_paper_sheet(table)
        entry = table.sheet.entries.get(kind="ranked")
        ranks = {"ranks": {"1": 2, "2": 1, "3": 3, "4": 4, "5": 5}}
        correction: dict[str, object] = {
            "entry": str(entry.entry_id),
            "data": ranks,
            "reason": "1 und 2 verwechselt",
        }
        drafts: list[tuple[str, dict[str, object]]] = [
            ("reopened", {"reason": "Einspruch am Tisch"}),
            ("corrected", correction),
            ("accepted", {"reason": "geklärt"}),
        ]
        write(table, drafts, by="spielleitung", at=AT, initials="JB")
        html = page(client, "print_sheets", "schnauz", 1, query="?filled=1")
        before = "Ränge: 1. Platz-Nr. 1, 2. Platz-Nr. 2, 3. Platz-Nr. 3, 4. Platz-Nr. 4, 5. Platz-Nr. 5"
        after = "Ränge: 1. Platz-Nr. 2, 2. Platz-Nr. 1, 3. Platz-Nr. 3, 4. Platz-Nr. 4, 5. Platz-Nr. 5"
        remarks = texts(html, r"<li>(.*?)</li>")
        assert remarks == [
            "19:30 Angenommen · Grund: vom Papier",
            "19:30 Wieder geöffnet · Grund: Einspruch am Tisch JB",
            f"19:30 Berichtigt. Bisher: {before} · Jetzt: {after} · Grund: 1 und 2 verwechselt JB",
            "19:30 Angenommen · Grund: geklärt JB",
        ]

    def test_without_an_accepted_sheet_the_page_says_so(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_round(tournament)
        html = page(client, "print_sheets", "schnauz", 1, query="?filled=1")
        assert texts(html, r'<div class="sheet-page sheet-page--flow">(.*?)</div>') == [
            "Hier ist noch keine Tischliste angenommen. Gedruckt wird, was angenommen ist."
        ]


class TestSeatingPlan:
    def test_names_stand_in_the_order_of_a_german_dictionary(
        self, client: Client, tournament: Tournament
    ) -> None:
        names = ["Zacherl", "Österreicher", "Oswald", "Ärmel", "Arnold"]
        for name in names:
            ParticipantFactory.create(tournament=tournament, name=name)
        a_round(tournament)
        html = page(client, "print_seating", "schnauz", 1)
        rows = texts(html, r"<tr[^>]*>\s*(<th scope=\"row\">.*?)</tr>")
        seats = {seat.participant.name: seat.seat_number for seat in tournament.seats.all()}
        expected = ["Ärmel", "Arnold", "Österreicher", "Oswald", "Zacherl"]
        assert rows == [f"{name} 1 {seats[name]}" for name in expected]

    def test_a_long_list_is_spread_over_pages_that_say_which_letters_they_hold(
        self, client: Client, tournament: Tournament
    ) -> None:
        for index in range(60):
            ParticipantFactory.create(
                tournament=tournament, name=f"{chr(ord('A') + index // 3)}. Spieler {index:02}"
            )
        a_round(tournament)
        html = page(client, "print_seating", "schnauz", 1)
        assert texts(html, r'<p class="list-page__letters">(.*?)</p>') == ["A – J", "K – T"]
        assert texts(html, r"<p>(Seite .*?)</p>") == ["Seite 1 von 2", "Seite 2 von 2"]
        assert [len(texts(part, r"(<th scope=\"row\">)")) for part in html.split("<section")[1:]] == [30, 30]

    def test_it_can_be_had_by_table(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(11, tournament=tournament)
        a_round(tournament)
        html = page(client, "print_seating", "schnauz", 1, query="?by=table")
        assert texts(html, r"<caption>(.*?)</caption>") == ["Tisch 1", "Tisch 2"]
        assert len(texts(html, r"(<th scope=\"row\">)")) == 11

    def test_a_draft_says_that_it_is_one(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_round(tournament, released=False)
        html = page(client, "print_seating", "schnauz", 1)
        assert texts(html, r'<p class="list-page__draft">(.*?)</p>') == [
            "Entwurf: noch nicht freigegeben. Plätze können sich noch ändern."
        ]


class TestStandings:
    def test_rows_hold_rank_number_name_rounds_points_and_strokes(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament, name="Spieler", club="Verein")
        a_paper_sheet(a_round(tournament).tables.get(), strokes={1: 2})
        seats = tournament.seats.order_by("seat_number")
        numbers = [seat.participant.start_number for seat in seats.select_related("participant")]
        html = page(client, "print_standings", "schnauz")
        assert texts(html, r"<h1>(.*?)</h1>") == ["Zwischenstand, 1. Spielrunde"]
        assert texts(html, r"<tr[^>]*>\s*(<td class=\"num rank-cell\">.*?)</tr>") == [
            f"1 {numbers[0]} Spieler Verein 6 6 2",
            f"2 {numbers[1]} Spieler Verein 4 4 0",
            f"3 {numbers[2]} Spieler Verein 3 3 0",
            f"4 {numbers[3]} Spieler Verein 2 2 0",
            f"5 {numbers[4]} Spieler Verein 1 1 0",
        ]

    def test_a_name_and_a_club_of_digits_are_printed_beside_each_other(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament, name="1860", club="1925")
        a_played_round(tournament)
        html = page(client, "print_standings", "schnauz")
        assert texts(html, r"<th class=\"main\" scope=\"row\">(.*?)</th>") == ["1860 1925"] * 5

    def test_ties_are_marked_and_explained(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(10, tournament=tournament)
        a_played_round(tournament)
        html = page(client, "print_standings", "schnauz")
        ranks = [text.replace(" ", "") for text in texts(html, r'<td class="num rank-cell">(.*?)</td>')]
        assert ranks == ["1=", "1=", "3=", "3=", "5=", "5=", "7=", "7=", "9=", "9="]
        [notes] = texts(html, r'<div class="list-page__notes">(.*?)</div>')
        assert notes.partition(" Prüfzeichen ")[0] == (
            "Bei gleichen Punkten entscheiden die Striche; wer auch dann gleich ist, teilt sich den Rang. "
            "Ein Strich ist ein Spiel, das mit Schnauz oder Feuer beendet wurde. = heißt: geteilter Rang."
        )

    def test_the_final_standings_name_the_winner_and_how_a_tie_was_decided(
        self, client: Client, tournament: Tournament
    ) -> None:
        tournament.ruleset = {**tournament.ruleset, "rounds": 1}
        tournament.save()
        ParticipantFactory.create_batch(10, tournament=tournament)
        a_played_round(tournament)
        first, second = (
            tournament.seats.filter(seat_number=1)
            .select_related("participant")
            .order_by("-participant__start_number")
        )
        order = [first.participant.start_number, second.participant.start_number]
        decide(tournament, kind="playoff", order=order, reason="ein Spiel", by="spielleitung", at=AT)
        html = page(client, "print_standings", "schnauz")
        names = first.participant.name, second.participant.name
        assert texts(html, r"<h1>(.*?)</h1>") == ["Endstand"]
        assert texts(html, r'<p class="winner">(.*?)</p>') == [
            f"Turniersieger {names[0]} 6 Punkte · 0 Striche"
        ]
        notes = texts(html, r'<div class="list-page__notes">\s*<p>(.*?)</p>')
        assert notes == [f"Das Stechen hat entschieden: {names[0]} vor {names[1]}."]

    def test_while_it_is_frozen_there_is_one_for_the_wall_and_one_that_must_not_be_hung_up(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        played = a_round(tournament)
        freeze(tournament, by="spielleitung", at=AT)
        a_paper_sheet(played.tables.get())
        secret = page(client, "print_standings", "schnauz")
        public = page(client, "print_standings", "schnauz", query="?public=1")
        assert texts(secret, r'<p class="list-page__secret">(.*?)</p>') == ["Nicht aushängen"]
        assert texts(public, r'<p class="list-page__secret">(.*?)</p>') == []
        assert texts(secret, r'<td class="num points">(.*?)</td>') == ["6", "4", "3", "2", "1"]
        assert texts(public, r'<td class="num points">(.*?)</td>') == ["0"] * 5

    def test_before_the_first_round_it_is_a_list_of_who_is_there(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create(tournament=tournament)
        html = page(client, "print_standings", "schnauz")
        assert texts(html, r"<h1>(.*?)</h1>") == ["Stand vor der 1. Spielrunde"]


class TestFiles:
    HEADINGS = ("Rang", "Teiln.-Nr.", "Name", "Verein", "1. Spielrunde", "Punkte", "Striche")

    def test_xlsx_holds_numbers_as_numbers_and_formulas_as_text(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(4, tournament=tournament, name="=1+1")
        ParticipantFactory.create(tournament=tournament, name="ohne Platz", presence="absent")
        a_played_round(tournament)
        response = client.get(reverse("organiser:standings_xlsx", args=["schnauz"]))
        (sheet,) = load_workbook(io.BytesIO(response.content)).worksheets
        rows = list(sheet.iter_rows(values_only=True))
        first = tournament.seats.get(seat_number=1).participant.start_number
        assert response["Content-Disposition"] == 'attachment; filename="schnauz-rangliste.xlsx"'
        assert rows[0] == self.HEADINGS
        assert rows[1] == (1, first, "=1+1", None, 6, 6, 0)
        assert rows[5] == (5, 5, "ohne Platz", None, None, 0, 0)
        assert sheet.cell(2, 3).data_type == "s"

    def test_csv_opens_in_a_german_excel_and_starts_no_formula(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(4, tournament=tournament, name="=1+1")
        a_played_round(tournament)
        response = client.get(reverse("organiser:standings_csv", args=["schnauz"]))
        lines = response.content.decode("utf-8-sig").splitlines()
        first = tournament.seats.get(seat_number=1).participant.start_number
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        assert response.content.startswith(b"\xef\xbb\xbf")
        assert lines[0] == ";".join(self.HEADINGS)
        assert lines[1] == f"1;{first};'=1+1;;6;6;0"


class TestIndex:
    def test_it_offers_what_there_is(self, client: Client, tournament: Tournament) -> None:
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_played_round(tournament)
        html = page(client, "print", "schnauz")
        links = re.findall(r'href="(/o/schnauz/(?:print/[^"]+|standings\.[^"]+))"', html)
        assert links == [
            "/o/schnauz/print/rounds/1/sheets/",
            "/o/schnauz/print/rounds/1/seating/",
            "/o/schnauz/print/rounds/1/seating/?by=table",
            "/o/schnauz/print/rounds/1/signs/",
            "/o/schnauz/print/rounds/1/cards/",
            "/o/schnauz/print/rounds/1/sheets/?filled=1",
            "/o/schnauz/print/standings/",
            "/o/schnauz/standings.xlsx",
            "/o/schnauz/standings.csv",
            *(f"/o/schnauz/print/sheets/{seats}/" for seats in (4, 5, 6, 7)),
        ]
        assert all(client.get(link).status_code == 200 for link in links)

    def test_before_the_draw_it_says_what_will_be_here(self, client: Client, tournament: Tournament) -> None:
        html = page(client, "print", "schnauz")
        assert texts(html, r'<p class="empty__title">(.*?)</p>') == ["Noch ist nichts ausgelost"]


ROUTES = [
    ("print", []),
    ("print_sheets", [1]),
    ("print_seating", [1]),
    ("print_blank", [5]),
    ("print_standings", []),
    ("standings_csv", []),
    ("standings_xlsx", []),
]


@pytest.mark.parametrize(("name", "args"), ROUTES)
class TestWhoMay:
    def test_nobody_else_finds_it(self, client: Client, name: str, args: list[int]) -> None:
        TournamentFactory.create(slug="fremd")
        client.force_login(UserFactory.create())
        assert client.get(reverse(f"organiser:{name}", args=["fremd", *args])).status_code == 404

    def test_without_an_account_one_is_sent_to_log_in(
        self, client: Client, name: str, args: list[int]
    ) -> None:
        TournamentFactory.create(slug="fremd")
        response = client.get(reverse(f"organiser:{name}", args=["fremd", *args]))
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("account:login"))

    def test_nothing_is_written_here(
        self, client: Client, tournament: Tournament, name: str, args: list[int]
    ) -> None:
        assert client.post(reverse(f"organiser:{name}", args=["schnauz", *args])).status_code == 405


@pytest.mark.parametrize("name", OF_A_ROUND)
@pytest.mark.parametrize("query", ["", "?filled=1"])
def test_a_round_that_is_not_drawn_is_not_found(
    client: Client, tournament: Tournament, name: str, query: str
) -> None:
    assert client.get(reverse(f"organiser:{name}", args=["schnauz", 2]) + query).status_code == 404


PRINTED = ("print_sheets", "print_sheets?filled=1", "print_seating", "print_seating?by=table", "print", "print_standings", "print_cards", "print_signs", "print_certificates", "print_receipts")  # fmt: skip


def test_one_table_and_three_take_the_same_number_of_queries(client: Client) -> None:
    owner = UserFactory.create()
    client.force_login(owner)
    counts: dict[str, dict[str, int]] = {"eins": {}, "drei": {}}
    for slug, players in (("eins", 5), ("drei", 15)):
        tournament = TournamentFactory.create(slug=slug, owner=owner)
        ParticipantFactory.create_batch(players, tournament=tournament)
        a_played_round(tournament)
        for address in PRINTED:
            name, _, query = address.partition("?")
            args = [slug, 1] if name in OF_A_ROUND else [slug]
            with CaptureQueriesContext(connection) as captured:
                page(client, name, *args, query=f"?{query}")
            counts[slug][address] = len(captured)
    assert counts["eins"] == counts["drei"]
    assert {address: count for address, count in counts["drei"].items() if count > 12} == {}
