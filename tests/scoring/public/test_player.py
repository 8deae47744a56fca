"""A player's own part of the players' page: seat, rounds, ranks still possible. Public by start number."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from scoring.public.bars import bar_scale
from scoring.public.player import MyEvening, my_evening
from scoring.queries.public_view import public_view
from scoring.queries.screens import SentScene
from scoring.services import standings
from scoring.services.screens import set_scene
from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.scoring.pages import Staff
from tournaments.models import Tournament
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.django_db


def with_players(count: int, **fields: Any) -> Tournament:
    tournament = TournamentFactory.create(**fields)
    ParticipantFactory.create_batch(count, tournament=tournament)
    return tournament


def mine(tournament: Tournament, number: int) -> MyEvening:
    found = my_evening(public_view(tournament.slug), number)
    assert found is not None
    return found


def played(tournament: Tournament, number: int) -> list[tuple[int, int | None, int | None, int | None]]:
    """Return number, rank, points and strokes of each round, None where unknown."""
    scores = [(one.number, one.score) for one in mine(tournament, number).rounds]
    return [(n, s and s.rank, s and s.points, s and s.strokes) for n, s in scores]


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def at_seat(tournament: Tournament, seat: int, round_number: int = 1) -> int:
    """Return the start number on this seat of table 1."""
    found = tournament.seats.get(round__number=round_number, table__number=1, seat_number=seat)
    return found.participant.start_number


def test_my_rounds_say_rank_points_and_strokes_at_my_table() -> None:
    tournament = with_players(5)
    a_paper_sheet(a_round(tournament).tables.get(), strokes={2: 3})
    assert played(tournament, at_seat(tournament, 2)) == [(1, 2, 4, 3)]
    assert played(tournament, at_seat(tournament, 5)) == [(1, 5, 1, 0)]


def test_a_round_in_play_has_no_result_yet_and_one_missed_is_not_there(client: Client) -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    late = ParticipantFactory.create(tournament=tournament)
    a_round(tournament, 2)
    assert [one[0] for one in played(tournament, 1)] == [1, 2]
    assert played(tournament, late.start_number) == [(2, None, None, None)]
    assert "2. Spielrunde Tisch 1 Ergebnis steht noch aus" in text(client, f"/t/{tournament.slug}/me/1/")


def test_a_round_that_is_drawn_and_not_released_is_not_mine_yet() -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    a_round(tournament, 2, released=False)
    assert [one[0] for one in played(tournament, 1)] == [1]


def test_it_stands_on_top_of_the_players_page_with_seat_mates_rank_and_reach(client: Client) -> None:
    tournament = with_players(5)
    for number in (1, 2):
        a_played_round(tournament, number)
    a_round(tournament, 3)
    seat = tournament.seats.get(round__number=3, participant__start_number=3)
    page = text(client, f"/t/{tournament.slug}/?me=3").split("Wo sitze ich?")[0]
    assert f"Tisch 1 · Platz {seat.seat_number}" in page
    names = tournament.participants.values_list("name", flat=True)
    assert [name for name in names if name not in page] == []
    assert "Meine Spielrunden 1. Spielrunde Tisch 1 Rang" in page
    assert "Noch möglich: Rang" in page


def test_looking_for_somebody_else_i_stay_who_i_am(client: Client) -> None:
    tournament = with_players(6)
    a_round(tournament)
    page = client.get(f"/t/{tournament.slug}/?me=3&q=4").content.decode()
    assert 'data-number="3"' in page
    assert '<input type="hidden" name="me" value="3">' in page
    assert "?me=4" in page
    assert "Das bin ich" not in client.get(f"/t/{tournament.slug}/?me=3&q=3").content.decode()


@pytest.mark.parametrize("number", ["", "0", "99", "abc", "-1", "³", "9" * 30])
def test_who_is_not_there_gets_the_page_for_everybody(client: Client, number: str) -> None:
    tournament = with_players(6)
    assert 'id="me"' not in client.get(f"/t/{tournament.slug}/", {"me": number}).content.decode()


def test_the_part_alone_is_not_found_for_who_is_not_there(client: Client) -> None:
    tournament = with_players(6)
    assert client.get(f"/t/{tournament.slug}/me/7/").status_code == 404
    assert client.get("/t/gibt-es-nicht/me/1/").status_code == 404
    assert client.post(f"/t/{tournament.slug}/me/1/").status_code == 405


def test_it_ends_with_the_public_pages(client: Client) -> None:
    tournament = with_players(6)
    today = timezone.localdate()
    Tournament.objects.update(public_until_on=today - timedelta(days=365))
    assert client.get(f"/t/{tournament.slug}/me/1/").status_code == 410


def test_the_freeze_leaks_nothing_to_me(client: Client) -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    table = a_round(tournament, 2).tables.get()
    standings.freeze(tournament, by="x", at=AT)
    before = [text(client, f"/t/{tournament.slug}/me/{number}/") for number in range(1, 6)]
    assert all("Ergebnis noch nicht gezeigt" in page for page in before)
    a_paper_sheet(table, strokes={1: 3})
    assert [text(client, f"/t/{tournament.slug}/me/{number}/") for number in range(1, 6)] == before


def test_i_am_named_as_the_public_sees_me(client: Client) -> None:
    tournament = TournamentFactory.create(names="short")
    for name, names in {
        "Sepp Huber": "",
        "Zita Rosenmüller": "number",
        "A B": "",
        "C D": "",
        "E F": "",
    }.items():
        ParticipantFactory.create(tournament=tournament, name=name, names=names)
    a_played_round(tournament)
    pages = [client.get(f"/t/{tournament.slug}/me/{number}/").content.decode() for number in (1, 2)]
    assert [name for page in pages for name in ("Huber", "Zita", "Rosenmüller") if name in page] == []


def test_one_query_for_one_round_and_for_three(client: Client) -> None:
    tournament = with_players(12)
    counted = []
    for number in (1, 2, 3):
        a_played_round(tournament, number)
        view = public_view(tournament.slug)
        with CaptureQueriesContext(connection) as queries:
            assert my_evening(view, 1) is not None
        counted.append(len(queries))
    assert counted == [1, 1, 1]


@pytest.mark.parametrize("ruleset", PRESETS)
def test_it_is_worded_under_every_rule_sheet(client: Client, ruleset: str) -> None:
    """RULES "All five"."""
    desk = Staff(8, ruleset=ruleset)
    desk.draw()
    for page in ("?me=1", "me/1/"):
        found = client.get(f"/t/{desk.tournament.slug}/{page}").content.decode()
        assert "Meine Spielrunden" in found
        assert not re.search(r"\bNone\b|\bTrue\b|\bFalse\b", found)


class TestThePot:
    """Sheet 1 (RULES 1.10): 0.60 EUR a player and round; rank 2 gets the stake back, the winner the rest."""

    def test_my_page_says_what_i_paid_in_and_got_and_the_sum_of_the_evening(self, client: Client) -> None:
        tournament = with_players(6)
        played_tables = [a_played_round(tournament, number).tables.get() for number in (1, 2)]
        for player in range(1, 7):
            seats = [table.seats.get(participant__start_number=player).seat_number for table in played_tables]
            got = [{1: 300, 2: 60}.get(seat, 0) for seat in seats]
            page = mine(tournament, player)
            assert [one.got_cents for one in page.rounds] == got
            assert page.sum_cents == sum(got) - 120
        winner = at_seat(tournament, 1)
        words = text(client, f"/t/{tournament.slug}/me/{winner}/").replace("\u00a0", " ")
        assert "0,60 € eingezahlt, 3,00 € bekommen" in words
        assert "An den Tischen bis jetzt: " in words

    def test_two_on_rank_2_get_their_stakes_back_and_the_winner_the_rest(self) -> None:
        tournament = with_players(6)
        table = a_round(tournament).tables.get()
        ranks = {"1": 1, "2": 2, "3": 2, "4": 4, "5": 5, "6": 6}
        write(table, [("ranked", {"ranks": ranks}), ("accepted", {"reason": "Papier"})], by="x", at=AT)
        got = [mine(tournament, at_seat(tournament, seat)).rounds[0].got_cents for seat in range(1, 7)]
        assert got == [240, 60, 60, 0, 0, 0]

    def test_a_table_in_play_has_no_shares_yet(self) -> None:
        tournament = with_players(6)
        a_round(tournament)
        assert mine(tournament, 1).sum_cents is None

    def test_sheet_4_all_stakes_go_to_the_winner_where_the_table_plays_for_stakes(self) -> None:
        rules = {**preset("knockout").to_dict(), "stakes": {"stake_cents": 60, "returned_to_ranks": []}}
        tournament = with_players(6, ruleset=rules)
        a_paper_sheet(a_round(tournament).tables.get())
        got = [mine(tournament, at_seat(tournament, seat)).rounds[0].got_cents for seat in range(1, 7)]
        assert got == [360, 0, 0, 0, 0, 0]

    def test_sheet_4_a_tournament_that_does_not_play_for_stakes_shows_no_money(self, client: Client) -> None:
        tournament = with_players(6, ruleset=preset("knockout").to_dict())
        a_paper_sheet(a_round(tournament).tables.get())
        assert mine(tournament, 1).sum_cents is None
        assert "€" not in text(client, f"/t/{tournament.slug}/me/1/")
        assert "Pott" not in text(client, f"/t/{tournament.slug}/rules/")


# --- the tabs ------------------------------------------------------------------------------------------------------


def test_the_tabs_lead_to_each_other_and_keep_who_i_am(client: Client) -> None:
    slug = with_players(2).slug
    for tab in ("", "standings/", "tables/", "rules/"):
        for query in ("", "?me=2"):
            page = client.get(f"/t/{slug}/{tab}{query}").content.decode()
            tabs = re.findall(
                r'href="(/t/[^"]*)"\s+(aria-current="page")?\s*>', page.partition("app-tabs")[2]
            )[:4]
            assert [address for address, _ in tabs] == [
                f"/t/{slug}/{name}{query}" for name in ("", "standings/", "tables/", "rules/")
            ]
            assert [address for address, is_open in tabs if is_open] == [f"/t/{slug}/{tab}{query}"]


@pytest.mark.parametrize(
    ("page", "tab"),
    [
        ("hand/", "rules/"),
        ("check/", "rules/"),
        ("rounds/1/", "rules/"),
        ("rounds/1/tables/1/", "tables/"),
        ("tree/", "standings/"),
        ("reports/", ""),
    ],
)
def test_the_pages_that_the_tabs_lead_to_have_them_too(client: Client, page: str, tab: str) -> None:
    tournament = with_players(8, ruleset=preset("knockout").to_dict())
    a_played_round(tournament)
    body = client.get(f"/t/{tournament.slug}/{page}").content.decode().partition("app-tabs")[2]
    assert 'aria-current="page"' not in body
    assert re.findall(r'href="/t/[^/]*/([^"]*)"\s+aria-current="true"', body) == [tab]


def test_the_file_that_checks_a_record_has_no_tabs(client: Client) -> None:
    page = client.get(f"/t/{with_players(2).slug}/check/file/").content.decode()
    assert "<nav" not in page.partition("</style>")[2]


def test_the_first_tab_has_the_first_ranks_and_the_second_all(client: Client) -> None:
    tournament = with_players(13)
    a_played_round(tournament)
    rows = {
        tab: client.get(f"/t/{tournament.slug}/{tab}").content.decode().count('<tr id="p')
        for tab in ("", "standings/")
    }
    assert rows == {"": 12, "standings/": 13}
    assert "Der ganze Stand: alle 13 Spieler" in text(client, f"/t/{tournament.slug}/")


def test_my_row_my_seat_and_my_table_are_marked_and_my_table_is_first(client: Client) -> None:
    tournament = with_players(12)
    a_played_round(tournament)
    page = client.get(f"/t/{tournament.slug}/standings/?me=7").content.decode()
    assert re.findall(r'<tr id="(\w+)" data-mine="true"', page) == ["p7"]
    a_round(tournament, 2)
    for player in tournament.participants.all():
        table = player.seats.get(round__number=2).table.number
        page = client.get(f"/t/{tournament.slug}/tables/?me={player.start_number}").content.decode()
        assert re.findall(r'data-player="(\d+)" data-mine', page) == [str(player.start_number)]
        assert re.findall(r'id="table-(\d+)"( data-mine)?', page)[0] == (str(table), " data-mine")


def test_my_line_says_how_far_the_next_rank_is(client: Client) -> None:
    tournament = with_players(6)
    row = f"/t/{tournament.slug}/me/{{}}/row/"
    assert "Noch ohne Punkte" in text(client, row.format(1))
    a_paper_sheet(a_round(tournament).tables.get(), strokes={3: 1})
    lines = [text(client, row.format(at_seat(tournament, seat))) for seat in range(1, 7)]
    gaps = ("2 Punkte vor Rang 2", "2 Punkte bis Rang 1", "1 Punkt bis Rang 2", "1 Punkt bis Rang 3")
    assert [gap for line, gap in zip(lines, gaps, strict=False) if gap not in line] == []
    assert client.get(row.format(99)).status_code == 404


def test_each_round_says_against_whom(client: Client) -> None:
    tournament = with_players(5, names="full")
    table = a_round(tournament).tables.get()
    others = [seat.participant.name for seat in table.seats.order_by("seat_number")][1:]
    [one] = mine(tournament, at_seat(tournament, 1)).rounds
    assert list(one.against) == others
    assert f"gegen {', '.join(others)}" in unescape(
        text(client, f"/t/{tournament.slug}/me/{at_seat(tournament, 1)}/")
    )


DEAL = {"ended_by": "knock", "finisher": None}


def test_lives_are_shown_while_a_table_plays_and_nothing_is_frozen(client: Client) -> None:
    tournament = with_players(5)
    table = a_round(tournament).tables.get()

    def lives(page: str = "tables/") -> list[str]:
        html = client.get(f"/t/{tournament.slug}/{page}").content.decode()
        return ["".join(found) for found in re.findall(r'data-lives="(\d)"|data-fate="(drowned)"', html)]

    assert lives() == []
    write(table, [("deal", {"losers": [2], **DEAL})], by="x", at=AT)
    assert lives() == lives(f"me/{at_seat(tournament, 2)}/") == ["3", "2", "3", "3", "3"]
    standings.freeze(tournament, by="x", at=AT)
    assert lives() == []
    standings.release(tournament, by="x", at=AT)
    write(table, [("deal", {"losers": [2, 3], **DEAL}) for _ in range(3)], by="x", at=AT)
    assert lives() == ["3", "drowned", "0", "3", "3"]
    a_paper_sheet(table)
    assert lives() == []


def test_lives_of_many_tables_are_read_at_once_and_only_what_is_new() -> None:
    tournament = with_players(18)
    for table in a_round(tournament).tables.all():
        write(table, [("deal", {"losers": [1], **DEAL})], by="x", at=AT)
    counts = []
    for _time in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert len(public_view(tournament.slug).round.tables[0].lives) == 6  # type: ignore[union-attr]
        counts.append(len(queries))
    assert counts == [3, 2]


@given(st.lists(st.integers(0, 5000), min_size=1))
def test_a_full_bar_is_little_more_than_the_leader_has(points: list[int]) -> None:
    scale = bar_scale(points)
    assert max(points) <= scale <= 1.5 * max(points)
    assert bar_scale([*points, -1]) == 0


# --- announcements -------------------------------------------------------------------------------------------------


def test_what_the_wall_announces_reaches_every_tab(client: Client) -> None:
    tournament = with_players(2)
    said = SentScene(kind="announcement", text="Der <Wirt> hat Suppe")
    set_scene(tournament, [1, 2], said, by="x", at=AT)
    for tab in ("", "standings/", "tables/"):
        assert (
            client.get(f"/t/{tournament.slug}/{tab}").content.decode().count("Der &lt;Wirt&gt; hat Suppe")
            == 1
        )
    set_scene(tournament, [1, 2], SentScene(), by="x", at=AT)
    assert "Suppe" not in text(client, f"/t/{tournament.slug}/")
