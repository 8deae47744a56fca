"""What to say at the microphone, and the report for the newspaper."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring.core.prize_plan import PrizePlan
from scoring.queries.screens import SentScene
from scoring.queries.standings import current_standings
from scoring.services import screens, standings
from scoring.services.prizes import set_prize_plan
from scoring.services.rounds import close
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db

SECRET_HINT = "Der Stand ist angehalten: Bitte noch keinen Rang nennen."


@pytest.fixture
def tournament(client: Client) -> Tournament:
    """Create a tournament of the client's user with six players from towns."""
    owner = UserFactory.create()
    client.force_login(owner)
    made = TournamentFactory.create(slug="schnauz", owner=owner, name="Herbstturnier", place="Gasthof")
    for number in range(1, 7):
        ParticipantFactory.create(tournament=made, name=f"Spieler {number}", town=f"Ort {number}")
    return made


def said(client: Client) -> str:
    """Return the text of the announcement, without markup."""
    page = client.get(reverse("organiser:announce", args=["schnauz"])).content.decode()
    section = re.search(r'<section id="announcement".*?</section>', page, re.DOTALL)
    assert section is not None
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", section[0])).split())


def report(client: Client, query: str = "") -> str:
    page = client.get(reverse("organiser:report", args=["schnauz"]) + query).content.decode()
    text = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    return html.unescape(text[1]) if text else ""


def seat_names(played: Round) -> list[str]:
    """Return the players of the only table in the order of their ranks after `a_paper_sheet`."""
    seats = played.tables.get().seats.select_related("participant")
    return [seat.participant.name for seat in seats]


class TestAtTheMicrophone:
    def test_before_the_draw_it_welcomes_and_names_fee_and_head_count(
        self, client: Client, tournament: Tournament
    ) -> None:
        words = said(client)
        assert "Herzlich willkommen: Herbstturnier." in words
        assert "Bis jetzt sind 6 Spieler angemeldet." in words
        assert "Die Startgebühr ist 3,00 €, einmal je Spieler." in words

    def test_what_is_drawn_is_not_told_before_it_is_released(
        self, client: Client, tournament: Tournament
    ) -> None:
        a_round(tournament, released=False)
        assert "Bitte noch keinen Tisch nennen." in said(client)

    def test_it_sends_players_to_their_tables_until_one_has_begun(
        self, client: Client, tournament: Tournament
    ) -> None:
        ParticipantFactory.create_batch(6, tournament=tournament)
        drawn = a_round(tournament)
        assert "Bitte die Plätze einnehmen." in said(client)
        assert "Wer auf Platz 1 sitzt, schreibt die Tischliste." in said(client)
        a_paper_sheet(drawn.tables.get(number=2))
        assert "Fertige Tische der 1. Spielrunde: 1 von 2. Es spielt noch Tisch 1." in said(client)
        a_paper_sheet(drawn.tables.get(number=1))
        assert "Alle Tische der 1. Spielrunde sind fertig." in said(client)

    def test_between_rounds_it_names_who_leads_unless_that_is_held_back(
        self, client: Client, tournament: Tournament
    ) -> None:
        played = a_played_round(tournament)
        leads = f"In Führung liegt {seat_names(played)[0]}: 6 Punkte, 0 Striche."
        assert leads in said(client)
        standings.freeze(tournament, by="x", at=AT)
        assert leads not in said(client)
        assert SECRET_HINT in said(client)

    def test_at_the_end_it_tells_the_third_rank_first_and_nothing_while_it_is_secret(
        self, client: Client, tournament: Tournament
    ) -> None:
        for number in (1, 2):
            a_played_round(tournament, number)
        last = a_round(tournament, 3)
        standings.freeze(tournament, by="x", at=AT)
        a_paper_sheet(last.tables.get())
        close(tournament, 3, at=AT)
        assert SECRET_HINT in said(client)
        assert "Rang" not in said(client).replace(SECRET_HINT, "")
        standings.release(tournament, by="x", at=AT)
        words = said(client)
        ranks = re.findall(r"Auf Rang (\d)|(Gewonnen)", words)
        assert [rank or won for rank, won in ranks][-1] == "Gewonnen"
        assert [int(rank) for rank, _won in ranks[:-1]] == sorted(
            (int(rank) for rank, _won in ranks[:-1]), reverse=True
        )

    def test_at_the_prize_giving_it_tells_what_the_wall_shows_next(
        self, client: Client, tournament: Tournament
    ) -> None:
        plan = {
            "prizes": [
                {"for": "rank", "from": 1, "to": 1, "cents": 900},
                {"for": "last", "thing": "Trostpreis"},
            ]
        }
        tournament = set_prize_plan(tournament, PrizePlan.from_dict(plan))
        for number in (1, 2, 3):
            a_played_round(tournament, number)
        rows = current_standings(tournament).rows
        first, last = rows[0], [row.name for row in rows if row.rank == rows[-1].rank]
        screens.set_scene(tournament, [1], SentScene("prizes", lowest_rank=1), by="x", at=AT)
        assert f"Letzter Rang: {' und '.join(last)}. Dafür gibt es Trostpreis." in said(client)
        assert first.name not in said(client)
        screens.reveal(tournament, [1], "last", seen="", by="x", at=AT)
        assert re.search(rf"Gewonnen hat {first.name}: .*! Dafür gibt es 9,00 €\.", said(client))
        screens.reveal(tournament, [1], "1", seen="last", by="x", at=AT)
        assert "Siegerehrung Herzlichen Glückwunsch" in said(client)


class TestTheReport:
    def test_it_names_winner_and_ranks_with_towns(self, client: Client, tournament: Tournament) -> None:
        played = a_played_round(tournament)
        first, second, third, fourth, *_others = seat_names(played)
        text = report(client, "?ranks=4")
        town = {name: f"Ort {name.split()[-1]}" for name in seat_names(played)}
        assert text.startswith("Herbstturnier (")
        assert "Gasthof" in text
        assert "6 Spieler nahmen teil; gespielt wurde in 1 Spielrunde." in text
        assert f"Gewonnen hat {first} ({town[first]}) mit 6 Punkten." in text
        assert f"Auf Platz 2 kam {second} ({town[second]}) mit 4 Punkten." in text
        assert f"Auf Platz 3 kam {third}" in text
        assert f"Auf den weiteren Plätzen folgten 4. {fourth} ({town[fourth]})." in text
        assert text.endswith("Der Veranstalter dankt allen, die mitgespielt und mitgeholfen haben.")

    def test_a_name_that_ends_with_a_full_stop_ends_the_sentence(
        self, client: Client, tournament: Tournament
    ) -> None:
        tournament.participants.update(name="Sepp H.", town="")
        a_played_round(tournament)
        assert "folgten 4. Sepp H.\n" in report(client, "?ranks=4")

    def test_it_names_special_prizes_once_the_tournament_is_over(
        self, client: Client, tournament: Tournament
    ) -> None:
        plan = {"prizes": [{"for": "last", "thing": "Trostpreis"}]}
        tournament = set_prize_plan(tournament, PrizePlan.from_dict(plan))
        for number in (1, 2):
            a_played_round(tournament, number)
        assert "Sonderpreis" not in report(client)
        a_played_round(tournament, 3)
        rows = current_standings(tournament).rows
        last = [row for row in rows if row.rank == rows[-1].rank]
        assert re.search(
            rf"Sonderpreise? ging(en)? an {last[0].name} \(.*\) \(Letzter Rang\)", report(client)
        )

    def test_it_has_as_many_ranks_as_are_wanted(self, client: Client, tournament: Tournament) -> None:
        a_played_round(tournament)
        assert "Platz 2" not in report(client, "?ranks=1")
        assert report(client).count("(Ort ") == 6
        assert report(client, "?ranks=unsinn") == report(client)

    def test_wishes_about_names_are_obeyed(self, client: Client, tournament: Tournament) -> None:
        played = a_played_round(tournament)
        winner = played.tables.get().seats.get(seat_number=1).participant
        winner.names = Tournament.Names.NUMBER
        winner.save()
        text = report(client)
        assert winner.name not in text
        assert winner.town not in text

    def test_before_the_first_sheet_there_is_none(self, client: Client, tournament: Tournament) -> None:
        assert report(client) == ""
        page = client.get(reverse("organiser:report", args=["schnauz"])).content.decode()
        assert "Noch hat niemand gespielt" in page
