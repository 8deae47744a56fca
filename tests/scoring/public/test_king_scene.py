"""The Schnauz king on the wall: who has the most strokes that count, who follows, and what is held back."""

import re

import pytest

from scoring.public.wall import wall_pages
from scoring.queries.public_view import public_view
from scoring.queries.screens import SentScene
from scoring.services import screens, standings
from scoring.services.rounds import close
from tests.factories import AT, a_paper_sheet, a_round
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.scoring.prize_giving import prize_evening
from tournaments.models import Table

pytestmark = pytest.mark.django_db


def kinds(desk: Staff, scene: str = "automatic") -> list[str]:
    pages = wall_pages(public_view(desk.tournament.slug, full_names=True), SentScene(scene))
    return list(dict.fromkeys(page.kind for page in pages))


def wall(desk: Staff) -> str:
    screens.set_scene(desk.tournament, (1,), SentScene("king"), by="x", at=AT)
    return text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))


def name(desk: Staff, table: int, seat: int) -> str:
    return desk.table(table).seats.get(seat_number=seat).participant.name


def said_in(page: str) -> list[tuple[str, int]]:
    """Return what is said of the king and of those behind, each with the strokes that are drawn."""
    king = re.findall(r'class="wall-king__leader[ \w-]*">(.*?)</p>', page)
    behind = re.findall(r'class="wall-king__name">(.*?)</span>', page)
    strokes = [tally.count("<i ") for tally in re.findall(r'class="tally".*?</span>', page)]
    named = [text.strip() for text in [*king, *behind]]
    return list(zip(named, [*strokes[:1] * len(king), *strokes[1:]], strict=True))


def test_the_king_is_named_with_his_lead_and_the_two_behind() -> None:
    desk = Staff(20)
    a_paper_sheet(a_round(desk.tournament).tables.get(number=1), strokes={1: 7, 2: 2, 3: 1, 4: 5})
    page = wall(desk)
    assert said_in(page) == [(name(desk, 1, 1), 7), (name(desk, 1, 4), 5), (name(desk, 1, 2), 2)]
    assert "7 Striche, 2 vorn" in page
    assert "<b>5</b>" in page


def test_players_with_equally_many_strokes_stand_together() -> None:
    desk = Staff(20)
    a_paper_sheet(a_round(desk.tournament).tables.get(number=1), strokes={1: 2, 2: 2, 3: 1, 4: 1, 5: 1})
    page = wall(desk)
    assert said_in(page) == [(name(desk, 1, 1), 2), (name(desk, 1, 2), 2), ("3 gleichauf", 1)]
    assert ("je 2 Striche" in page, "vorn" in page) == (True, False)
    a_paper_sheet(desk.table(2), strokes=dict.fromkeys((1, 2), 2))
    assert said_in(wall(desk)) == [("4 gleichauf", 2), ("3 gleichauf", 1)]


def test_the_scene_is_in_the_loop_as_soon_as_a_stroke_counts() -> None:
    desk = Staff(20)
    a_round(desk.tournament)
    found = []
    for table, strokes in ((1, {}), (2, {1: 1}), (3, {}), (4, {})):
        a_paper_sheet(desk.table(table), strokes=strokes)
        found.append("king" in kinds(desk))
    close(desk.tournament, 1, at=AT)
    assert [*found, "king" in kinds(desk)] == [False, True, True, True, True]
    assert kinds(desk, "king") == ["king"]


def test_frozen_or_kept_for_the_prize_giving_it_tells_nothing() -> None:
    desk = Staff(20)
    a_paper_sheet(a_round(desk.tournament).tables.get(number=1), strokes={1: 3})
    standings.freeze(desk.tournament, by="x", at=AT)
    assert (kinds(desk, "king"), "king" in kinds(desk)) == (["seating", "play"], False)
    assert "Schnauzkönig" not in wall(desk)

    kept = prize_evening(10)
    first, second = Table.objects.filter(round__tournament=kept.tournament).order_by("number")
    a_paper_sheet(first, strokes={1: 3})
    assert kinds(kept, "king") == ["king"]
    a_paper_sheet(second)
    assert (kinds(kept, "king"), "king" in kinds(kept)) == (["pause"], False)


def test_the_scene_is_offered_where_strokes_count_for_the_evening() -> None:
    offered = {}
    for ruleset in ("schnauz-placing", "knockout", "fce", "schafkopf"):
        offered[ruleset] = 'value="king"' in text_of(Staff(8, ruleset=ruleset).get("screens"))
    assert offered == {"schnauz-placing": True, "knockout": False, "fce": True, "schafkopf": False}
