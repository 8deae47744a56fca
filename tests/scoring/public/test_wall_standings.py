"""The standings on the wall: the first ranks in larger letters, and bars as long as the points."""

import re
from itertools import groupby

import pytest

from scoring.public.bars import STEPS, bar_scale, bar_step
from scoring.public.wall import wall_pages
from scoring.queries.public_view import public_view
from scoring.queries.screens import SentScene
from scoring.services import sheets
from scoring.text.prizes import PrizeLine
from tests.factories import AT, ParticipantFactory, a_paper_sheet, a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.core.names import sort_key


@pytest.mark.parametrize(
    ("most", "scale"), [(0, 0), (-14, 0), (1, 1), (9, 10), (11, 12), (19, 20), (101, 120), (999, 1000)]
)
def test_bars_are_measured_by_a_round_figure(most: int, scale: int) -> None:
    assert bar_scale([most, max(most - 3, 0)] if most > 0 else [most]) == scale


def test_a_bar_is_as_long_as_the_points() -> None:
    assert [bar_step(points, 20) for points in (20, 10, 1, 0)] == [STEPS, 20, 2, 0]


@pytest.mark.django_db
def test_only_whole_ranks_stand_larger() -> None:
    found = []
    for players in (6, 12, 18, 24):  # as many players on rank 1, 2, 3 as there are tables
        desk = Staff(players)
        a_played_round(desk.tournament)
        page = wall_pages(public_view(desk.tournament.slug))[0]
        found.append((page.large, len(page.rows)))
    assert found == [(3, 6), (0, 12), (3, 10), (0, 12)]


@pytest.mark.django_db
@pytest.mark.parametrize("players", [47, 150])
def test_no_page_is_nearly_empty(players: int) -> None:
    desk = Staff(players)
    a_played_round(desk.tournament)
    _, *standings = [len(page.rows) for page in wall_pages(public_view(desk.tournament.slug))]
    assert max(standings) - min(standings) <= 1
    desk.draw(2)
    seating = wall_pages(public_view(desk.tournament.slug), SentScene("seating"))
    seats = [sum(map(len, page.columns)) for page in seating]
    assert (sum(seats), 2 * min(seats) > max(seats)) == (players, True)


@pytest.mark.django_db
@pytest.mark.parametrize("players", [13, 96, 300])
def test_everybody_finds_their_seat_within_forty_seconds(players: int) -> None:
    """On pages by surname, whose letters are on top. What stands in brackets is none."""
    desk = Staff(players - 1)
    ParticipantFactory.create(tournament=desk.tournament, name="Xaver Aachner (kommt später)")
    desk.draw()
    pages = wall_pages(public_view(desk.tournament.slug, full_names=True))
    assert {page.kind for page in pages} == {"seating"}
    assert sum(page.stays for page in pages) <= 40_000
    assert max(page.stays for page in pages) <= 12_000
    seats = [seat for page in pages for column in page.columns for seat in column]
    names = [sort_key(seat.listed_name) for seat in seats]
    assert names == sorted(names)
    assert "Aachner, Xaver (kommt später)" in [seat.listed_name for seat in seats[:3]]
    assert pages[0].letters[0] == "A"


@pytest.mark.django_db
def test_nothing_else_is_shown_until_half_of_the_tables_have_begun() -> None:
    """And the seats of a table that has begun leave at once. A table that is done means that those on paper play as well."""
    desk = Staff(20)
    desk.draw()

    def kinds() -> list[str]:
        view = public_view(desk.tournament.slug)
        return [page.kind for page in wall_pages(view, plan=[PrizeLine("1. Rang", "50 %")])]

    sheets.write(desk.table(1), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    assert kinds() == ["seating"]
    [seats] = [page.columns for page in wall_pages(public_view(desk.tournament.slug))]
    assert {seat.table_number for column in seats for seat in column} == {2, 3, 4}
    sheets.write(desk.table(2), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    assert kinds() == ["seating", "play", "plan"]


@pytest.mark.django_db
@pytest.mark.parametrize("players", [45, 300])
def test_who_goes_on_comes_back_within_forty_seconds(players: int) -> None:
    desk = Staff(players, ruleset="knockout")
    a_played_round(desk.tournament)
    pages = wall_pages(public_view(desk.tournament.slug))
    assert [kind for kind, _ in groupby(page.kind for page in pages)] == ["onward", "standings"]
    assert [page.kind for page in pages].count("standings") in (
        2,
        3,
        4,
    )  # as many as the names leave time for
    assert sum(page.stays for page in pages) <= 40_000


@pytest.mark.django_db
def test_a_page_shows_its_bars_and_a_correction_of_one_table_leaves_those_of_the_others() -> None:
    desk = Staff(12)
    desk.draw()
    first, second = desk.tournament.rounds.get().tables.order_by("number")
    a_paper_sheet(first)
    page = text_of(desk.client.get(f"/t/{desk.tournament.slug}/screen/"))
    before = re.findall(r'data-number="(\d+)" data-rank="\d+" data-played data-bar="(\d+)"', page)
    assert [int(bar) for _number, bar in before] == [40, 26, 20, 13, 6, 6]
    a_paper_sheet(second)
    sheets.write(second, [("reopened", {"reason": "vertauscht"})], by="x", at=AT)
    page = text_of(desk.client.get(f"/t/{desk.tournament.slug}/screen/"))
    assert re.findall(r'data-number="(\d+)" data-rank="\d+" data-played data-bar="(\d+)"', page) == before
