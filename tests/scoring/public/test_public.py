"""The public pages: the players' page, the wall screen, and both as data."""

import json
import re
from itertools import groupby
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.public import tabs
from scoring.public.search import find
from scoring.public.wall import wall_pages
from scoring.queries.public_view import public_view
from scoring.queries.screens import SentScene
from scoring.services import sheets, standings
from scoring.services.rounds import close
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.scoring.paired import paired_client
from tournaments.documents.rounds import round_document
from tournaments.models import Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.services import rounds

pytestmark = pytest.mark.django_db


def with_players(count: int, **fields: Any) -> Tournament:
    tournament = TournamentFactory.create(**fields)
    ParticipantFactory.create_batch(count, tournament=tournament)
    return tournament


def with_names(*names: str, **fields: Any) -> Tournament:
    tournament = TournamentFactory.create(**fields)
    for name in names:
        ParticipantFactory.create(tournament=tournament, name=name)
    return tournament


def text(client: Client, address: str, **query: str) -> str:
    """Return the text of a page, without markup and repeated spaces."""
    response = client.get(address, query)
    assert response.status_code == 200
    main = re.search(r"<main.*</main>", response.content.decode(), re.DOTALL)
    assert main is not None
    return " ".join(re.sub(r"<[^>]+>", " ", main[0]).split())


def kinds(tournament: Tournament) -> list[str]:
    pages = wall_pages(public_view(tournament.slug, full_names=True))
    return [kind for kind, _pages in groupby(page.kind for page in pages)]


def everything_public(client: Client, slug: str) -> list[object]:
    """Return the public standings in every form."""
    without_progress = re.compile(r'<section id="seating".*?</section>', re.DOTALL)
    tabs = [client.get(f"/t/{slug}/{tab}").content.decode() for tab in ("", "standings/", "standings/?me=1")]
    return [
        client.get(f"/t/{slug}/leaderboard.json").content,
        *[without_progress.sub("", page) for page in tabs],
        client.get(f"/t/{slug}/me/1/row/").content,
    ]


# --- empty pages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "",
        "standings/",
        "tables/",
        "me/1/row/",
        "screen/",
        "leaderboard.json",
        "record.json",
        "rounds/1.json",
        "live",
    ],
)
def test_an_unknown_tournament_is_not_found(client: Client, address: str) -> None:
    assert client.get(f"/t/gibt-es-nicht/{address}").status_code == 404


@pytest.mark.parametrize("address", ["", "screen/", "leaderboard.json", "record.json", "rounds/1.json"])
def test_nothing_can_be_written_here(client: Client, address: str) -> None:
    tournament = TournamentFactory.create()
    assert client.post(f"/t/{tournament.slug}/{address}").status_code == 405


def test_before_anybody_has_come_the_page_says_so(client: Client) -> None:
    tournament = TournamentFactory.create()
    page = text(client, f"/t/{tournament.slug}/")
    assert "Noch ist niemand angemeldet." in page
    assert "Die Tische der 1. Spielrunde sind noch nicht ausgelost." in page
    assert kinds(tournament) == ["welcome"]


def test_without_events_the_stream_says_so(client: Client) -> None:
    tournament = TournamentFactory.create()
    assert client.get(f"/t/{tournament.slug}/live").status_code == 503


# --- rounds --------------------------------------------------------------------------------------------------------


def test_a_drawn_round_is_nobodys_business_before_its_release(client: Client) -> None:
    tournament = with_players(6)
    a_round(tournament, released=False)
    assert client.get(f"/t/{tournament.slug}/rounds/1.json").status_code == 404
    assert "noch nicht ausgelost" in text(client, f"/t/{tournament.slug}/")
    assert kinds(tournament) == ["welcome"]
    assert public_view(tournament.slug).round is None


def test_a_released_round_is_public_with_its_seed_and_without_entries(client: Client) -> None:
    tournament = with_players(6)
    a_round(tournament)
    a_paper_sheet(tournament.rounds.get().tables.get())
    row = round_with_seating(tournament, 1)
    assert row is not None
    found = client.get(f"/t/{tournament.slug}/rounds/1.json").json()
    document = json.loads(json.dumps(round_document(row)))
    for part, key in (
        (document, "closed_reason"),
        (document, "released_reason"),
        (document["draw"], "reason"),
        (document["draw"], "by"),
    ):
        del part[key]
    assert found == document | {"commitments": [], "is_final": False}
    assert found["draw"]["seed"] == "07" * 32
    assert [sorted(table) for table in found["tables"]] == [["number", "scribe", "seats"]]


def test_a_redrawn_round_is_hidden_again(client: Client) -> None:
    tournament = with_players(6)
    a_round(tournament)
    rounds.redraw(tournament, 1, players=range(1, 7), sizes=[6], mode="random", reason="neu", by="x", at=AT)
    hidden = client.get(f"/t/{tournament.slug}/rounds/1.json").json()
    assert (hidden["state"], hidden["draw"], hidden["tables"]) == ("drawn", None, [])
    assert [one["secret"] for one in hidden["commitments"]] == [None]
    assert public_view(tournament.slug).round is None


def test_while_the_next_round_is_drawn_the_last_one_stays_on_show(client: Client) -> None:
    tournament = with_players(6)
    a_played_round(tournament, 1)
    a_round(tournament, 2, released=False)
    found = public_view(tournament.slug).round
    assert found is not None
    assert (found.number, found.is_closed) == (1, True)
    assert "Die Tische der 2. stehen noch nicht fest." in text(client, f"/t/{tournament.slug}/")


# --- the search for a seat -----------------------------------------------------------------------------------------


def test_a_number_finds_table_seat_and_table_mates(client: Client) -> None:
    tournament = with_players(12)
    a_round(tournament)
    seat = tournament.seats.get(participant__start_number=7)
    page = text(client, f"/t/{tournament.slug}/", q="7").split("Stand")[0]
    assert f"Tisch {seat.table.number} · Platz {seat.seat_number}" in page
    mates = seat.table.seats.values_list("participant__name", flat=True)
    assert all(mate in page for mate in mates)


@pytest.mark.parametrize(
    "query", ["müller", "Mueller", "muller", "MÜL", "jörg m", "Joerg Müller", "nr. 1", "#1", " 1 "]
)
def test_umlauts_capitals_and_beginnings_find_a_name(query: str) -> None:
    tournament = with_names("Jörg Müller", "Anna Huber")
    found = find(public_view(tournament.slug), query).players
    assert [person.start_number for person in found] == [1]


def test_rules_1_3_who_sits_on_seat_1_is_told_that_he_writes_and_deals_first(client: Client) -> None:
    tournament = with_players(5)
    played = a_round(tournament)
    told = "Platz 1 führt die Tischliste und gibt als Erster."
    pages = [
        text(client, f"/t/{tournament.slug}/", q=str(seat.participant.start_number))
        for seat in played.tables.get().seats.order_by("seat_number")
    ]
    assert [told in page for page in pages] == [True, False, False, False, False]


def test_a_typing_error_finds_whom_it_may_mean_and_asks(client: Client) -> None:
    tournament = TournamentFactory.create(names="full")
    ParticipantFactory.create(tournament=tournament, name="Jörg Müller")
    page = text(client, f"/t/{tournament.slug}/", q="Mülelr")
    assert "Gemeint ist vielleicht:" in page
    assert "Jörg Müller" in page
    assert not find(public_view(tournament.slug), "Mülelr").is_unique
    Tournament.objects.update(names="short")
    assert not find(public_view(tournament.slug), "Mülelr").players


@pytest.mark.parametrize(
    "query", ["x", "3", "ller", "Jörg Huber", "--", "...", "0", "99999999999", "%", "<b>"]
)
def test_what_fits_nobody_finds_nobody(client: Client, query: str) -> None:
    tournament = with_names("Jörg Müller", "Anna Huber")
    assert find(public_view(tournament.slug), query).players == ()
    assert "steht auf keiner Liste." in text(client, f"/t/{tournament.slug}/", q=query)


def test_several_hits_are_listed_by_surname_to_choose_from(client: Client) -> None:
    tournament = with_names("Sepp Zirngibl", "Sepp Ähle", "Anna Huber", "Ludwig Sepp", "Maier, Sepp")
    assert [person.name for person in find(public_view(tournament.slug), "sepp").players] == [
        *("Sepp Ähle", "Maier, Sepp", "Ludwig Sepp", "Sepp Zirngibl"),
    ]
    assert "Wer davon?" in text(client, f"/t/{tournament.slug}/", q="sepp")


def test_two_of_one_name_are_told_apart_by_number() -> None:
    tournament = with_names("Sepp Huber", "Sepp Huber")
    assert [person.start_number for person in find(public_view(tournament.slug), "sepp huber").players] == [
        1,
        2,
    ]


def test_more_than_a_screenful_is_cut_and_said() -> None:
    tournament = with_names(*["Sepp Huber"] * 15)
    answer = find(public_view(tournament.slug), "huber")
    assert (len(answer.players), answer.more) == (12, 3)


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("Sepp Huber", [1]),
        ("huber", [1, 3]),
        ("se huber", [1]),
        ("Huber S", [1]),
        ("Sepp", [1, 2]),
        ("Sepp O.", [2]),
        ("obermaier", [2]),
    ],
)
def test_short_names_are_found_by_the_whole_surname_and_never_shown(query: str, numbers: list[int]) -> None:
    tournament = with_names("Sepp Huber", "Sepp Obermaier", "Huber, Anna", names="short")
    found = find(public_view(tournament.slug), query).players
    assert sorted(person.start_number for person in found) == numbers
    assert {person.name for person in found} <= {"Sepp H.", "Sepp O.", "Anna H."}


@pytest.mark.parametrize("length", range(2, 9))
def test_the_search_spells_no_surname_letter_by_letter(length: int) -> None:
    shown, hidden = (with_names("Sepp Obermaier", names=names) for names in ("full", "short"))
    beginning = "Obermaier"[:length]
    assert len(find(public_view(shown.slug), beginning).players) == 1  # control
    assert find(public_view(hidden.slug), beginning).players == ()
    assert find(public_view(hidden.slug), f"Sepp {beginning}").players == ()


def test_both_of_one_surname_are_found_however_they_are_shown() -> None:
    tournament = with_names("Sepp Huber", "Anna Huber", "Sepp Hubertus", "Lena Huber")
    tournament.participants.filter(start_number=2).update(names="short")
    tournament.participants.filter(start_number=4).update(names="number")
    view = public_view(tournament.slug)
    assert [person.name for person in find(view, "huber").players] == [
        "Anna H.",
        "Sepp Huber",
        "Sepp Hubertus",
    ]
    assert [person.name for person in find(view, "sepp huber").players] == ["Sepp Huber", "Sepp Hubertus"]


def test_where_only_numbers_are_shown_names_find_nothing() -> None:
    tournament = with_names("Sepp Huber", names="number")
    view = public_view(tournament.slug)
    assert find(view, "Sepp Huber").players == ()
    assert [person.name for person in find(view, "Nr. 1").players] == ["Nr. 1"]


@pytest.mark.parametrize(
    ("names", "hidden"), [("short", "Oberhuber"), ("number", "Oberhuber"), ("number", "Josef")]
)
def test_the_web_never_shows_more_of_a_name_than_it_may(client: Client, names: str, hidden: str) -> None:
    tournament = with_names(*["Josef Oberhuber"] * 6, names=names)
    a_played_round(tournament, 1)
    a_round(tournament, 2)
    for address in ("", "?q=1", "leaderboard.json", "record.json", "rounds/2.json"):
        assert hidden not in client.get(f"/t/{tournament.slug}/{address}").content.decode()


def test_who_sits_out_is_told_to_ask(client: Client) -> None:
    tournament = with_players(5)
    a_round(tournament)
    late = ParticipantFactory.create(tournament=tournament)
    assert "Kein Platz in der 1. Spielrunde." in text(
        client, f"/t/{tournament.slug}/", q=str(late.start_number)
    )


def test_markup_in_a_name_is_text(client: Client) -> None:
    tournament = with_names("<b>fett</b>", *["Anna"] * 5)
    a_round(tournament)
    for address in ("", "?q=<b>", "screen/"):
        assert "<b>fett" not in client.get(f"/t/{tournament.slug}/{address}").content.decode()


# --- the standings -------------------------------------------------------------------------------------------------


def test_ties_are_explained(client: Client) -> None:
    tournament = with_players(12)
    played = a_round(tournament)
    first, second = played.tables.order_by("number")
    a_paper_sheet(first, strokes={1: 2})
    a_paper_sheet(second)
    notes = [(row.rank, row.points, row.note) for row in public_view(tournament.slug).rows]
    assert notes[:4] == [(1, 6, "strokes"), (2, 6, "strokes"), (3, 4, "shared"), (3, 4, "shared")]
    assert "punktgleich – die Striche entscheiden" in text(client, f"/t/{tournament.slug}/")


def test_a_decided_tie_says_how() -> None:
    tournament = with_players(6)
    a_played_round(tournament)
    tied = [row.start_number for row in public_view(tournament.slug).rows][4:]
    standings.decide(tournament, kind="lot", order=tied, reason="gezogen", by="x", at=AT)
    assert [row.note for row in public_view(tournament.slug).rows][4:] == ["decided", "decided"]


def test_the_winner_is_named_at_the_end(client: Client) -> None:
    tournament = with_players(5)
    for number in (1, 2, 3):
        a_played_round(tournament, number)
    (winner,) = public_view(tournament.slug).winners
    assert f"Gewonnen hat {winner.name}" in text(client, f"/t/{tournament.slug}/")
    assert f"Gewonnen hat {winner.name}" in text(client, f"/t/{tournament.slug}/screen/")
    assert kinds(tournament)[0] == "winner"


def test_the_page_comes_in_english_too(client: Client) -> None:
    tournament = with_players(3)
    page = client.get(f"/t/{tournament.slug}/", headers={"accept-language": "en"}).content.decode()
    assert '<html lang="en"' in page


@pytest.mark.parametrize("address", ["", "screen/"])
def test_as_many_queries_for_three_as_for_sixty(client: Client, address: str) -> None:
    counts = []
    for players in (4, 60):
        tournament = with_players(players)
        a_round(tournament)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/t/{tournament.slug}/{address}", {"q": "a"})
        counts.append(len(queries))
    # Tournament and people; a page with a foot reads the club as well, the wall its scene, the club's picture and who defends the title.
    assert counts == ([5, 5] if address else [3, 3])


@pytest.mark.parametrize(
    "address", ["", "?q=1", "screen/", "leaderboard.json", "record.json", "rounds/1.json"]
)
def test_who_has_the_page_already_gets_304_until_it_changes(client: Client, address: str) -> None:
    tournament = with_players(6)
    a_round(tournament)
    client.get(f"/t/{tournament.slug}/")  # sets the cookie of the language form
    etag = client.get(f"/t/{tournament.slug}/{address}").headers["ETag"]
    known = {"if-none-match": etag}
    assert client.get(f"/t/{tournament.slug}/{address}", headers=known).status_code == 304
    close(tournament, 1, reason="abgebrochen", at=AT)
    assert client.get(f"/t/{tournament.slug}/{address}", headers=known).status_code == (
        304 if address == "leaderboard.json" else 200
    )


def test_public_pages_stay_out_of_search_engines(client: Client) -> None:
    tournament = TournamentFactory.create()
    assert client.get(f"/t/{tournament.slug}/").headers["X-Robots-Tag"] == "noindex"


def test_pages_have_no_inline_script_style_or_foreign_address(client: Client) -> None:
    tournament = with_players(12)
    a_played_round(tournament)
    for address in ("", "?q=1", "screen/"):
        page = client.get(f"/t/{tournament.slug}/{address}").content.decode()
        assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", page) == []
        assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []


# --- the freeze ----------------------------------------------------------------------------------------------------


def test_the_freeze_leaks_nothing(client: Client) -> None:
    tournament = with_players(12)
    a_played_round(tournament, 1)
    second = a_round(tournament, 2)
    standings.freeze(tournament, by="x", at=AT)
    before = everything_public(client, tournament.slug)
    for table in second.tables.all():
        a_paper_sheet(table, strokes={1: 3, 2: 1})
    after = everything_public(client, tournament.slug)
    assert after == before


def test_the_wall_shows_the_same_standings_while_frozen() -> None:
    tournament = with_players(12)
    a_played_round(tournament, 1)
    second = a_round(tournament, 2)
    standings.freeze(tournament, by="x", at=AT)
    stroke = ("stroke", {"seat_number": 1, "mark": "schnauz"})
    sheets.write(second.tables.get(number=1), [stroke], by="x", at=AT)  # until then the wall seats the round
    before = [page.rows for page in wall_pages(public_view(tournament.slug)) if page.kind == "standings"]
    for table in second.tables.all():
        a_paper_sheet(table, strokes={1: 3})
    after = [page.rows for page in wall_pages(public_view(tournament.slug)) if page.kind == "standings"]
    assert before
    assert after == before


def test_strokes_of_the_round_in_play_are_counted_in_public_only_without_a_freeze() -> None:
    tournament = with_players(6)
    table = a_round(tournament).tables.get()
    sheets.write(table, [("stroke", {"seat_number": 2, "mark": "schnauz"})], by="x", at=AT)
    assert states(tournament) == [("playing", 1)]
    standings.freeze(tournament, by="x", at=AT)
    assert states(tournament) == [("playing", None)]


def states(tournament: Tournament) -> list[tuple[str, int | None]]:
    """Return the state and the strokes of each table."""
    found = public_view(tournament.slug).round
    assert found is not None
    return [(table.state, table.strokes) for table in found.tables]


# --- the wall screen -----------------------------------------------------------------------------------------------


def test_the_wall_goes_through_the_evening() -> None:
    tournament = with_players(12)
    first = a_round(tournament, 1)
    assert set(kinds(tournament)) == {"seating"}
    one, other = first.tables.order_by("number")
    sheets.write(one, [("stroke", {"seat_number": 1, "mark": "feuer"})], by="x", at=AT)
    assert kinds(tournament) == ["seating", "play"]
    a_paper_sheet(one)
    assert kinds(tournament) == ["seating", "play", "standings", "king"]
    a_paper_sheet(other)
    assert kinds(tournament) == ["standings", "king"]
    close(tournament, 1, at=AT)
    second = a_round(tournament, 2)
    assert kinds(tournament) == ["seating"]  # no standings in between until the first entry
    sheets.write(
        second.tables.get(number=1), [("stroke", {"seat_number": 1, "mark": "feuer"})], by="x", at=AT
    )
    assert kinds(tournament) == ["seating", "play", "standings", "king"]


def test_a_round_without_a_shown_result_is_a_pause() -> None:
    tournament = with_players(6)
    standings.freeze(tournament, by="x", at=AT)
    a_played_round(tournament, 1)
    assert kinds(tournament) == ["pause"]


def test_seating_is_by_german_name_and_only_of_tables_that_have_not_begun() -> None:
    tournament = with_names("Zenz", "Österreicher", "Obermaier", "Ähle", "Anton", "Pichler", *"BCDEFG")
    first = a_round(tournament)
    (page,) = wall_pages(public_view(tournament.slug))
    names = [seat.name for column in page.columns for seat in column]
    assert (len(page.columns), page.letters) == (1, "Ä–Z")
    assert names == ["Ähle", "Anton", *"BCDEFG", "Obermaier", "Österreicher", "Pichler", "Zenz"]
    one, other = first.tables.order_by("number")
    sheets.write(one, [("stroke", {"seat_number": 1, "mark": "feuer"})], by="x", at=AT)
    page = wall_pages(public_view(tournament.slug))[0]
    assert {seat.table_number for column in page.columns for seat in column} == {other.number}


def test_the_title_of_a_page_of_seats_says_its_letters_and_where_there_are_many_pages_more_of_them() -> None:
    few, many = with_names(*"ABCDEF" * 5), with_players(300)
    for tournament in (few, many):
        a_round(tournament)
    assert [page.letters for page in wall_pages(public_view(few.slug))] == ["A–C", "D–F"]
    assert {len(page.letters) for page in wall_pages(public_view(many.slug))} <= {2, 5}


def test_who_is_shown_as_a_number_is_found_by_it() -> None:
    tournament = with_names(*"AB" * 3, names="number")
    a_round(tournament)
    assert [page.letters for page in wall_pages(public_view(tournament.slug))] == ["Nr. 1–Nr. 6"]


def test_only_namesakes_have_their_number_on_a_page_of_seats(client: Client) -> None:
    tournament = with_names(
        "Maximilian-Alexander Huber", "Maximilian-Anton Huber", "Anna Huber", "Anna Huber", *"EF"
    )
    a_round(tournament)
    page = text(client, f"/t/{tournament.slug}/screen/")
    assert "Huber, Maximilian-Alexander " in page
    assert re.findall(r"Huber, \S+ Nr\. \d", page) == ["Huber, Anna Nr. 3", "Huber, Anna Nr. 4"]


@pytest.mark.parametrize("players", [4, 12, 13, 47, 60])
def test_never_more_than_twelve_rows_and_nobody_missing(players: int) -> None:
    tournament = with_players(players)
    a_played_round(tournament, 1)
    a_round(tournament, 2)
    view = public_view(tournament.slug, full_names=True)
    pages = [*wall_pages(view, SentScene("seating")), *wall_pages(view, SentScene("standings"))]
    assert max(len(column) for page in pages for column in page.columns) <= 12
    seated = [
        seat.start_number
        for page in pages
        if page.kind == "seating"
        for column in page.columns
        for seat in column
    ]
    ranked = [row.start_number for page in pages if page.kind == "standings" for row in page.rows]
    assert sorted(seated) == sorted(ranked) == list(range(1, players + 1))
    for kind in ("seating", "standings"):
        of_kind = [page for page in pages if page.kind == kind]
        assert [(page.number, page.of) for page in of_kind] == [
            (number, len(of_kind)) for number in range(1, len(of_kind) + 1)
        ]


def test_a_paired_wall_shows_full_names_where_the_web_does_not(client: Client) -> None:
    tournament = with_names("Josef Oberhuber", *"BCDEF", names="number")
    a_round(tournament)
    address = f"/t/{tournament.slug}/screen/"
    assert "Oberhuber, Josef" in text(paired_client(tournament), address)
    assert "Oberhuber" not in text(client, address)


@pytest.mark.parametrize(("asked", "shown"), [("", 1), ("2", 2), ("3", 1), ("0", 2), ("x", 1), ("99999", 1)])
def test_without_script_the_wall_turns_its_pages_by_itself(client: Client, asked: str, shown: int) -> None:
    tournament = with_players(13)
    a_played_round(tournament)
    html = client.get(f"/t/{tournament.slug}/screen/", {"page": asked}).content.decode()
    sections = re.findall(r'<section class="wall-page"[^>]*>', html)
    assert [number for number, tag in enumerate(sections, 1) if "hidden" not in tag] == [shown]
    assert f'http-equiv="refresh" content="12; url=?page={3 - shown}"' in html
    (kind,) = re.findall(r'data-kind="(\w+)"', sections[shown - 1])
    assert re.search(rf'<body [^>]*data-shown="{kind}"', html)


@pytest.mark.parametrize("tab", ["players", "standings", "tables"])
def test_every_part_of_a_tab_is_kept_current(tab: str) -> None:
    tournament = with_players(6)
    a_round(tournament)
    for name, part in tabs.tab_parts(public_view(tournament.slug), tab).items():
        assert re.search(rf'^\s*<\w+ id="{name}" data-live-part ', part)
