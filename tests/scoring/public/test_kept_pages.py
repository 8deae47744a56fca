"""Public pages come from the cache while nothing changes, and only while changes are received."""

import gzip
import re
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.public.responses import VOLATILE
from scoring.queries.public_view import public_view
from scoring.services import standings
from scoring.services.rounds import close
from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_paper_sheet, a_round
from tests.scoring.paired import paired_client
from tournaments import page_cache as cache_module
from tournaments.models import Tournament
from tournaments.page_cache import PageCache, page_cache
from tournaments.services import door
from tournaments.services.tournaments import edit_tournament

Fact = tuple[str, dict[str, Any]]
SEATING, STANDINGS_TOO = 1, 2
"""Queries of the players' page for the tables alone, and with the standings."""
ADDRESSES = (
    "",
    "standings/",
    "tables/",
    "rules/",
    "screen/",
    "leaderboard.json",
    "record.json",
    "rounds/1.json",
    "rounds/1/tables/1/",
    "me/1/",
    "me/1/row/",
)


@pytest.fixture
def hearing() -> Iterator[None]:
    """Enable the cache, as in the web server."""
    page_cache.is_enabled = True
    yield
    page_cache.is_enabled = False
    page_cache.clear()


@pytest.fixture
def tournament(committed: None) -> Tournament:
    made = TournamentFactory.create(slug=f"memory-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=made)
    a_round(made)
    return made


def queries_of(client: Client, address: str, **headers: Any) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address, **headers).status_code in (200, 304)
    return len(queries)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_of_unchanged_data_asks_the_database_nothing(
    hearing: None, tournament: Tournament, address: str
) -> None:
    client, page = Client(), f"/t/{tournament.slug}/{address}"
    assert queries_of(client, page) > 0
    etag = client.get(page)["ETag"]
    assert queries_of(client, page) == 0
    assert queries_of(client, page, headers={"If-None-Match": etag}) == 0
    assert queries_of(Client(), page) == 0


def test_looking_for_a_seat_asks_nothing_either(hearing: None, tournament: Tournament) -> None:
    client = Client()
    client.get(f"/t/{tournament.slug}/")
    assert queries_of(client, f"/t/{tournament.slug}/?q=1") == 0


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_is_older_than_its_lifetime_even_if_no_change_is_heard(
    hearing: None, tournament: Tournament, address: str
) -> None:
    """The control is that it is kept while it lives."""
    client, page = Client(), f"/t/{tournament.slug}/{address}"
    client.get(page)
    assert queries_of(client, page) == 0
    page_cache._tournaments[tournament.slug].ends_at = time.monotonic()
    assert queries_of(client, page) > 0


def test_what_is_made_of_an_entry_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "LIFETIME", 2.0)
    kept, now = PageCache(10**8), [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    kept.get_or_make("abend", "standings", lambda: "old standings")
    now[0] += 1.9
    kept.get_or_make("abend", "page", lambda: f"page of {kept.get('abend', 'standings')}")
    kept.invalidate("abend", "sheet", ["standings"])
    now[0] += 0.1
    assert [kept.get("abend", name) for name in ("standings", "page")] == [None, None]


def test_a_change_that_is_heard_twice_ends_no_page_that_was_begun_after_it() -> None:
    """The process that commits a change may hear its NOTIFY first."""
    kept = PageCache(10**8)
    kept.get_or_make("abend", "page", lambda: "old")
    kept.invalidate("abend", "sheet", change_id="1")
    assert kept.get("abend", "page") is None
    kept.get_or_make("abend", "page", lambda: "new")
    kept.invalidate("abend", "sheet", change_id="1")
    assert kept.get("abend", "page") == "new"
    kept.invalidate("abend", "sheet", change_id="2")
    assert kept.get("abend", "page") is None


def test_in_a_command_nothing_is_kept(tournament: Tournament) -> None:
    client, page = Client(), f"/t/{tournament.slug}/"
    client.get(page)
    assert queries_of(client, page) > 0


@pytest.mark.parametrize("organiser", [False, True])
def test_paired_and_other_screens_share_no_page(
    hearing: None, tournament: Tournament, organiser: bool
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(names="number")
    players = list(tournament.participants.all())
    for player in players:
        player.name = f"Gast Nummer {player.pk}"  # the wall shortens long names
    tournament.participants.bulk_update(players, ["name"])
    page, names = f"/t/{tournament.slug}/screen/", {player.name for player in players}
    paired, other = paired_client(tournament), Client()
    if organiser:
        tournament.memberships.create(
            user=UserFactory.create(username=f"chef-{tournament.pk}"), role="organiser"
        )
        paired = Client()
        paired.force_login(tournament.memberships.get().user)
    for client, shown in ((other, set()), (paired, names), (other, set()), (paired, names)):
        text = client.get(page).content.decode()
        assert {name for name in names if name in text} == shown
    assert organiser or queries_of(paired, page) == 0
    assert queries_of(other, page) == 0


def test_a_change_counts_at_once(hearing: None, tournament: Tournament) -> None:
    client = Client()
    for number in range(6, 9):
        door.register(tournament, door.Newcomer(f"Spieler {number}"), paid=False, by="x", at=AT)
        assert len(client.get(f"/t/{tournament.slug}/leaderboard.json").json()["rows"]) == number
        assert f"{number} Spieler sind angemeldet" in client.get(f"/t/{tournament.slug}/").content.decode()


@pytest.mark.parametrize("address", ["", "screen/"])
def test_a_start_that_is_set_later_is_shown_at_once(hearing: None, committed: None, address: str) -> None:
    evening = TournamentFactory.create(slug=f"memory-{uuid4().hex}")
    client, page = paired_client(evening), f"/t/{evening.slug}/{address}"
    assert "Beginn 19:30 Uhr" not in client.get(page).content.decode()
    edit_tournament(
        evening,
        name=evening.name,
        played_on=evening.played_on,
        place=evening.place,
        names=evening.names,
        ruleset=evening.rules,
        public_until_on=evening.public_until_on,
        starts_at=datetime(2026, 11, 21, 18, 30, tzinfo=UTC),
    )
    assert "Beginn 19:30 Uhr" in client.get(page).content.decode()
    assert queries_of(client, page) == 0


def test_a_change_elsewhere_changes_nothing(hearing: None, tournament: Tournament) -> None:
    other = TournamentFactory.create(slug=f"{tournament.slug}-x")
    client = Client()
    client.get(f"/t/{tournament.slug}/")
    door.register(other, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    assert queries_of(client, f"/t/{tournament.slug}/") == 0
    assert [row["name"] for row in client.get(f"/t/{other.slug}/leaderboard.json").json()["rows"]] == ["Anna"]


def test_nothing_kept_outlives_the_freeze_or_runs_ahead_of_it(hearing: None, tournament: Tournament) -> None:
    client, page = Client(), f"/t/{tournament.slug}/leaderboard.json"
    table = tournament.rounds.get().tables.get()

    def points() -> set[int]:
        return {row["points"] for row in client.get(page).json()["rows"]}

    assert points() == {0}
    standings.freeze(tournament, by="x", at=AT)
    a_paper_sheet(table, strokes={1: 3})
    assert points() == {0}
    assert 'class="tally"' not in client.get(f"/t/{tournament.slug}/").content.decode()
    standings.release(tournament, by="x", at=AT)
    assert points() == {6, 4, 3, 2, 1}


def test_an_entry_in_play_leaves_the_standings_and_whatever_counts_does_not(
    hearing: None, tournament: Tournament
) -> None:
    client, page = Client(), f"/t/{tournament.slug}/"
    table = tournament.rounds.get().tables.get()

    def queries_after(*facts: Fact) -> int:
        write(table, list(facts), by="spielleitung", at=AT)
        return queries_of(client, page)

    client.get(page)
    stroke: Fact = ("stroke", {"seat_number": 1, "mark": "schnauz"})
    ranked: Fact = ("ranked", {"ranks": {str(seat): seat for seat in range(1, 6)}})
    assert queries_after(stroke) == SEATING
    assert queries_after(ranked) == SEATING
    assert queries_after(("accepted", {"reason": "vom Papier"})) == STANDINGS_TOO
    assert queries_after(("reopened", {"reason": "falsch"})) == STANDINGS_TOO
    assert queries_after(stroke) == SEATING
    assert queries_of(client, page) == 0
    client.get(f"{page}leaderboard.json")
    write(table, [stroke], by="spielleitung", at=AT)
    assert queries_of(client, f"{page}leaderboard.json") == 0


def test_a_group_is_kept_and_what_is_begun_before_a_change_is_not() -> None:
    kept = PageCache(10**8)
    kept.get_or_make("abend", ("standings", "a"), lambda: "a")
    kept.get_or_make("abend", "page", lambda: "page")
    kept.invalidate("abend", "sheet", ["standings"])
    assert kept.get_or_make("abend", ("standings", "a"), lambda: "new") == "a"
    assert kept.get_or_make("abend", "page", lambda: "new page") == "new page"

    def overtaken() -> str:
        kept.invalidate("abend", "sheet")
        kept.invalidate("abend", "sheet", ["standings"])
        return "old"

    assert kept.get_or_make("abend", ("standings", "b"), overtaken) == "old"
    assert kept.get_or_make("abend", ("standings", "b"), lambda: "new") == "new"
    assert kept.get_or_make("abend", ("standings", "a"), lambda: "new") == "new"


@pytest.mark.parametrize("address", ["leaderboard.json", "record.json", "rounds/1.json"])
def test_json_is_compressed_for_those_who_take_it(
    hearing: None, tournament: Tournament, address: str
) -> None:
    client, page = Client(), f"/t/{tournament.slug}/{address}"
    plain = client.get(page)
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]
    packed = client.get(page, headers={"accept-encoding": "br, gzip;q=0.8"})
    assert (packed["Content-Encoding"], packed["Content-Length"]) == ("gzip", str(len(packed.content)))
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content)
    for refusing in ("", "br", "gzip;q=0", "gzip; q=0.0", "x-gzip-like"):
        assert client.get(page, headers={"accept-encoding": refusing}).content == plain.content
    for etag in (plain["ETag"], packed["ETag"]):
        again = client.get(page, headers={"accept-encoding": "gzip", "if-none-match": etag})
        assert (again.status_code, again.content) == (304, b"")
    door.register(tournament, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    fresh = client.get(page, headers={"accept-encoding": "gzip"})
    assert gzip.decompress(fresh.content) == client.get(page).content


def test_the_wall_is_compressed_with_the_time_of_now(hearing: None, tournament: Tournament) -> None:
    page = f"/t/{tournament.slug}/screen/"
    packed = Client().get(page, headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    text = gzip.decompress(packed.content).decode()
    assert re.search(r">Stand \d\d:\d\d:\d\d<", text)
    assert VOLATILE not in text
    organiser = Client()
    organiser.force_login(UserFactory.create(username=f"leitung-{tournament.pk}"))
    assert "Content-Encoding" not in organiser.get(page, headers={"accept-encoding": "gzip"})


def test_languages_and_persons_get_their_own(hearing: None, tournament: Tournament) -> None:
    page = f"/t/{tournament.slug}/"
    organiser = Client()
    organiser.force_login(UserFactory.create(username=f"chef-{tournament.pk}"))
    assert f"chef-{tournament.pk}" in organiser.get(page).content.decode()
    assert f"chef-{tournament.pk}" not in Client().get(page).content.decode()
    assert '<html lang="en"' in Client().get(page, headers={"accept-language": "en"}).content.decode()
    assert '<html lang="de"' in Client().get(page).content.decode()


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_of_everybody_gives_no_reader_a_token_or_a_cookie(
    hearing: None, tournament: Tournament, address: str
) -> None:
    client = Client()
    answer = client.get(f"/t/{tournament.slug}/{address}")
    assert not answer.cookies
    assert "csrf" not in answer.content.decode().lower()


def test_pages_are_compressed_for_strangers_only(hearing: None, tournament: Tournament) -> None:
    """The size of a compressed page with a token would tell of the token."""
    page, packed = f"/t/{tournament.slug}/", {"accept-encoding": "gzip"}
    organiser = Client()
    organiser.force_login(UserFactory.create(username=f"chef-{tournament.pk}"))
    assert "Content-Encoding" not in organiser.get(page, headers=packed)
    for address in (page, f"{page}?q=1"):
        stranger = Client().get(address, headers=packed)
        assert gzip.decompress(stranger.content) == Client().get(address).content
        assert {"Accept-Encoding", "Accept-Language", "Cookie"} <= set(stranger["Vary"].split(", "))


def test_what_was_begun_before_a_change_is_not_kept() -> None:
    kept = PageCache(10**8)

    def overtaken() -> str:
        kept.invalidate("abend", "sheet")
        return "old"

    assert kept.get_or_make("abend", "page", overtaken) == "old"
    assert kept.get_or_make("abend", "page", lambda: "new") == "new"
    assert kept.get_or_make("abend", "page", lambda: "never asked") == "new"


def test_several_who_ask_at_once_wait_for_one() -> None:
    kept, asked, made = PageCache(10**8), threading.Barrier(5), []

    def make() -> int:
        made.append(1)
        return len(made)

    def ask() -> None:
        asked.wait(60)
        assert kept.get_or_make("abend", "page", make) == 1

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(made) == 1


def test_what_cannot_be_made_is_tried_again() -> None:
    kept = PageCache(10**8)
    with pytest.raises(ZeroDivisionError):
        kept.get_or_make("abend", "page", lambda: 1 / 0)
    assert kept.get_or_make("abend", "page", lambda: 1.0) == 1.0


def test_seats_are_kept_while_sheets_are_written_and_no_longer(hearing: None, tournament: Tournament) -> None:
    client, page = Client(), f"/t/{tournament.slug}/"
    table = tournament.rounds.get().tables.get()
    stroke: Fact = ("stroke", {"seat_number": 1, "mark": "schnauz"})
    client.get(page)
    for name in ("Anna Berger", "Bernd Dorn"):
        write(table, [stroke], by="spielleitung", at=AT)
        assert queries_of(client, page) == SEATING
        door.edit_participant(tournament, 1, name=name, club="", town="", names="full", by="x", at=AT)
        assert name in client.get(page).content.decode().partition('id="seating"')[2]


def test_kept_seats_are_those_of_the_round_that_is_shown(tournament: Tournament) -> None:
    before = public_view(tournament.slug)
    first = before.round
    table = tournament.rounds.get().tables.get()
    assert first is not None
    assert public_view(tournament.slug, seating=before.seating).round == first
    a_paper_sheet(table)
    close(tournament, 1, at=AT)
    a_round(tournament, 2)
    second = public_view(tournament.slug, seating=before.seating).round
    assert second == public_view(tournament.slug).round
    assert second is not None
    assert second.seats != first.seats
