"""The tables in play on the wall: rings, strokes, the newest Schnauz, and what a freeze holds back."""

import re
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from scoring.public.wall import wall_pages
from scoring.queries.public_view import PublicRound, public_view
from scoring.queries.screens import SentScene
from scoring.services import screens, sheets, standings
from scoring.services.sheets import Sent
from tests.factories import AT, a_paper_sheet, a_round
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.scoring.prize_giving import prize_evening
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """Create two tables of five in play."""
    desk = Staff(10)
    desk.draw()
    for table in Table.objects.all():
        sheets.take_pen(table, device=f"handy-{table.number}", at=AT)
    return desk


def write(desk: Staff, table: int, kind: str, **data: Any) -> str:
    """Write as the phone of a table. Return the id of the entry."""
    sent = Sent(str(uuid4()), kind, data, AT)
    outcomes, _ = sheets.record(desk.table(table), [sent], device=f"handy-{table}", pen_epoch=1, at=AT)
    assert [outcome.outcome for outcome in outcomes] == ["recorded"]
    return sent.id


def deal(desk: Staff, table: int, *losers: int, by: int | None = None, ended_by: str = "schnauz") -> str:
    ending = ended_by if by else "knock"
    return write(desk, table, "deal", losers=list(losers), ended_by=ending, finisher=by)


def in_play(desk: Staff) -> PublicRound:
    found = public_view(desk.tournament.slug).round
    assert found is not None
    return found


def newest(desk: Staff) -> tuple[int, int, str] | None:
    found = in_play(desk).newest
    return (found.seat.table_number, found.seat.seat_number, found.ended_by) if found else None


def wall(desk: Staff) -> str:
    screens.set_scene(desk.tournament, (1,), SentScene("play"), by="x", at=AT)
    return text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))


def test_the_ring_fills_with_every_deal(desk: Staff) -> None:
    """Even if the one who is left in the end loses."""
    found = []
    for losers in ([2], [2], [2], [2], [3, 4], [3, 4], [3, 4], [3, 4]):
        deal(desk, 1, *losers)
        found.append(in_play(desk).tables[0].progress)
    assert found == [6, 12, 18, 25, 37, 50, 62, 75]
    assert 'stroke-dasharray="75 100"' in wall(desk)
    assert "Tisch 1: spielt, 3 Spieler sind ausgeschieden" in wall(desk)
    for _ in range(3):
        deal(desk, 1, 5)
        found.append(in_play(desk).tables[0].progress)
    deal(desk, 1, 1)
    found.append(in_play(desk).tables[0].progress)
    assert found[8:] == [81, 87, 93, 94]


def test_an_accepted_table_is_full_and_says_so(desk: Staff) -> None:
    a_paper_sheet(desk.table(1), strokes={1: 2})
    page = wall(desk)
    assert [table.progress for table in in_play(desk).tables] == [100, 0]
    assert "Tisch 1: fertig" in page
    assert "Tisch 2: noch nichts notiert" in page
    assert re.findall(r'class="tile" data-state="(\w+)"', page) == ["accepted", "untouched"]


def test_the_newest_schnauz_is_named_with_its_table(desk: Staff) -> None:
    assert newest(desk) is None
    deal(desk, 1, 2, by=3)
    deal(desk, 1, 2)
    assert newest(desk) == (1, 3, "schnauz")
    name = desk.table(1).seats.get(seat_number=3).participant.name
    assert f'Schnauz!</b> <span class="wall-play__who">{name} </span> <span>Tisch 1</span>' in wall(desk)


def test_a_schnauz_that_was_taken_back_is_not_the_newest(desk: Staff) -> None:
    deal(desk, 1, 2, by=3)
    taken_back = deal(desk, 1, 2, 4, 5, 3, by=1, ended_by="feuer")
    assert newest(desk) == (1, 1, "feuer")
    write(desk, 1, "voided", entry=taken_back)
    assert newest(desk) == (1, 3, "schnauz")


def test_what_is_typed_in_from_paper_is_no_news(desk: Staff) -> None:
    a_paper_sheet(desk.table(1), strokes={1: 2})
    assert newest(desk) is None


def test_who_leads_in_strokes_is_said_and_by_how_many() -> None:
    """By the strokes that count, as in the standings; and no more once they would tell who gets the prize for them."""
    desk = Staff(20)
    a_paper_sheet(a_round(desk.tournament).tables.get(number=1), strokes={1: 3, 2: 2})
    king = desk.table(1).seats.get(seat_number=1).participant.name
    page = wall(desk)
    assert f'<b class="board__who">{king}</b> <span>3 Striche, 1 vorn</span>' in page
    a_paper_sheet(desk.table(2), strokes={1: 3})
    assert "<b>2 gleichauf</b> <span>je 3 Striche</span>" in wall(desk)
    standings.freeze(desk.tournament, by="x", at=AT)
    assert "Schnauzkönig" not in wall(desk)


def test_the_end_that_is_kept_is_kept_by_scenes_sent_by_hand_too() -> None:
    """Between the last sheet and the closing of the last round."""
    desk = prize_evening(10)
    first, second = Table.objects.order_by("number")
    a_paper_sheet(first, strokes={1: 3})
    assert "Schnauzkönig" in wall(desk)
    a_paper_sheet(second)
    assert "Schnauzkönig" not in wall(desk)
    for kind in ("standings", "race"):
        [page] = wall_pages(public_view(desk.tournament.slug), SentScene(kind))
        assert page.kind == "pause"


def test_while_frozen_a_tile_says_only_whether_it_is_done(desk: Staff) -> None:
    for _ in range(4):
        deal(desk, 1, 2, by=3)
    a_paper_sheet(desk.table(2), strokes={1: 2})
    standings.freeze(desk.tournament, by="x", at=AT)
    shown = in_play(desk)
    assert [(table.state, table.progress, table.strokes) for table in shown.tables] == [
        ("playing", None, None),
        ("accepted", 100, None),
    ]
    assert newest(desk) is None
    page = wall(desk)
    assert [text in page for text in ("Schnauz!", "Strich", "ausgeschieden")] == [False, False, False]
    assert "data-open" in page


def test_where_only_strokes_are_written_the_ring_is_open(desk: Staff) -> None:
    write(desk, 1, "stroke", seat_number=2, mark="schnauz")
    assert [table.progress for table in in_play(desk).tables] == [None, 0]
    assert wall(desk).count("data-open") == 1


def ruf(declarer: int, partner: int) -> dict[str, Any]:
    return {"game": "ruf", "declarer": declarer, "partner": partner, "won": True, "level": "normal"}


def hand_points(value: int) -> dict[str, Any]:
    return {"points": {str(seat): value for seat in range(1, 6)}}


@pytest.mark.parametrize(
    ("ruleset", "players", "deals", "due", "shares"),
    [
        ("fce", 10, [hand_points(20), hand_points(21), hand_points(30)], 24, [4, 8, 12]),
        ("schafkopf", 8, [ruf(1, 2), ruf(3, 2), ruf(1, 4)], 32, [3, 6, 9]),
    ],
)
def test_the_ring_fills_with_the_deals_of_a_round(
    ruleset: str, players: int, deals: list[dict[str, Any]], due: int, shares: list[int]
) -> None:
    desk = Staff(players, ruleset=replace(preset(ruleset), scribe_takes_back="latest_deal"))
    desk.draw()
    sheets.take_pen(desk.table(1), device="handy-1", at=AT)
    found, written = [], []
    for data in deals:
        written.append(write(desk, 1, "deal", **data))
        found.append(in_play(desk).tables[0].progress)
    assert found == shares
    assert f"Tisch 1: spielt, 3 von {due} Spielen" in wall(desk)
    assert f'stroke-dasharray="{shares[2]} 100"' in wall(desk)

    write(desk, 1, "voided", entry=written[2])
    assert [(table.deals, table.progress) for table in in_play(desk).tables] == [
        ((2, due), shares[1]),
        ((0, due), 0),
    ]
    standings.freeze(desk.tournament, by="x", at=AT)
    assert [(table.deals, table.progress) for table in in_play(desk).tables] == [(None, None), (None, 0)]
    assert [text in wall(desk) for text in ("Spielen", "stroke-dasharray")] == [False, False]


@pytest.mark.parametrize(("players", "pages"), [(12, 1), (60, 1), (72, 1), (78, 1), (90, 2), (300, 4)])
def test_tables_of_any_hall_fit_on_pages_of_fifteen(players: int, pages: int) -> None:
    desk = Staff(players)
    desk.draw()
    found = wall_pages(public_view(desk.tournament.slug), SentScene("play"))
    assert len(found) == pages
    assert [number for page in found for number in (table.number for table in page.rows)] == [
        table.number for table in in_play(desk).tables
    ]
    sizes = [len(page.rows) for page in found]
    assert max(sizes) <= 15
    assert max(sizes) - min(sizes) <= 1
