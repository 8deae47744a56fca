"""The report on a draw, for the organiser and in public, and latecomers and missing players on the public page."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.queries.public_view import public_view
from scoring.services.rounds import DrawOptions, draw_again
from scoring.services.seats import leave_seat, take_back, take_seat
from tests.factories import AT, ParticipantFactory, a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.core.wishes import KeepApart
from tournaments.models import Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.services.draw_settings import add_wish

pytestmark = pytest.mark.django_db


def public(desk: Staff, number: int = 1) -> str:
    return text_of(desk.client.get(f"/t/{desk.tournament.slug}/rounds/{number}/"))


def test_the_report_says_who_meets_again_and_that_it_could_not_be_avoided() -> None:
    desk = Staff(10)
    a_played_round(desk.tournament)
    desk.draw(2)
    page = public(desk, 2)
    assert "8 Paare treffen sich wieder. Weniger Wiederholungen sind mit diesen Spielern" in page
    assert (
        "Von Tisch 1 der 1. Spielrunde spielen 5 mit; an 2 Tischen sitzen davon mindestens 4 Paare wieder"
        in page
    )
    assert (
        page.partition('id="draw-report"')[2].partition("</section>")[0]
        == text_of(desk.get("round", 2)).partition('id="draw-report"')[2].partition("</section>")[0]
    )


def test_the_report_counts_tables_and_scribes_so_far() -> None:
    desk = Staff(11)
    for number in (1, 2):
        a_played_round(desk.tournament, number)
    page = public(desk, 2)
    assert ['<th scope="col">zu 5</th>' in page, '<th scope="col">zu 6</th>' in page] == [True, True]
    report = desk.client.get(f"/t/{desk.tournament.slug}/rounds/2/").context["drawn"]
    assert {sum(sizes) for _, _, sizes in report.so_far} == {2}
    assert sum(row.scribe for row, _, _ in report.so_far) == 4


def test_in_the_first_round_nobody_can_meet_again() -> None:
    desk = Staff(10)
    desk.draw()
    assert "treffen sich" not in public(desk)


def test_changes_wishes_and_abandoned_draws_are_in_the_report_without_the_reasons() -> None:
    desk = Staff(10)
    add_wish(desk.tournament, KeepApart(1, 2, "Streit um den Rasen"))
    desk.draw()
    draw_again(desk.tournament, 1, options=DrawOptions(), reason="vertippt", by="x", at=AT)
    desk.post("release", 1)
    ParticipantFactory.create(tournament=desk.tournament, name="Sepp Spät")
    take_seat(desk.tournament, 1, player=11, table=1, reason="Bus verpasst", by="x", at=AT)
    page = public(desk)
    assert "nicht an einem Tisch" in page
    assert "Sepp Spät ist an Tisch 1 nachgerückt" in page
    assert "Eine Auslosung davor ist verworfen." in page
    assert [reason in page for reason in ("Rasen", "vertippt", "Bus")] == [False, False, False]


def test_names_are_shown_as_the_tournament_wants_them() -> None:
    desk = Staff(10)
    Tournament.objects.filter(pk=desk.tournament.pk).update(names="number")
    desk.draw()
    names = desk.tournament.participants.values_list("name", flat=True)
    page = public(desk)
    assert [name for name in names if name in page] == []


@pytest.mark.parametrize("number", [1, 2, 0, 10**9])
def test_the_page_of_an_unreleased_draw_is_404(number: int) -> None:
    desk = Staff(10)
    desk.draw(released=False)
    assert desk.client.get(f"/t/{desk.tournament.slug}/rounds/{number}/").status_code == 404


def test_who_came_late_and_who_is_missing_stand_beside_the_public_tables() -> None:
    desk = Staff(11)
    desk.draw()
    ParticipantFactory.create(tournament=desk.tournament, name="Sepp Spät")
    row = round_with_seating(desk.tournament, 1)
    assert row is not None
    gone = row.tables[1].seats[0]
    take_seat(desk.tournament, 1, player=12, table=2, reason="x", by="a", at=AT)
    leave_seat(desk.tournament, 1, player=gone.start_number, moves=(), reason="x", by="b", at=AT)
    page = text_of(desk.client.get(f"/t/{desk.tournament.slug}/"))
    assert "Nachgerückt: Sepp Spät (Tisch 2)" in page
    assert f"Fehlt: {gone.name}" in page
    take_back(desk.tournament, 1, sequence=2, reason="x", by="c", at=AT)
    view = public_view(desk.tournament.slug)
    assert (len(view.late), view.missing) == (1, [])


def test_the_report_takes_as_many_queries_for_thirty_as_for_ten() -> None:
    counted = []
    for players in (10, 30):
        desk = Staff(players)
        a_played_round(desk.tournament)
        desk.draw(2)
        with CaptureQueriesContext(connection) as queries:
            public(desk, 2)
        counted.append(len(queries))
    assert counted[0] == counted[1]
