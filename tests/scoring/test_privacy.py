"""Personal data in public: the form of names, how long they are shown, and the effects of an erasure."""

import re
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import ParkedEntry, SheetEntry
from scoring.public.data import leaderboard_document
from scoring.public.search import find
from scoring.public.wall import wall_pages
from scoring.queries.public_view import public_view
from scoring.queries.standings import current_standings, tied_groups, visible_standings
from scoring.services import sheets, standings
from scoring.services.projection import rebuild_results
from scoring.services.purge import erase_person
from scoring.services.rounds import close
from scoring.services.seats import leave_seat
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tests.scoring.evenings import simple_evening, text_of
from tests.scoring.pages import Staff
from tests.scoring.paired import live_pages
from tests.tournaments.door.doors import Cashier
from tournaments.core.refusal import Refusal
from tournaments.models import CashDesk, CashEntry, Participant, SeatChange, Tournament
from tournaments.page_cache import page_cache
from tournaments.queries.publicity import public_until, tournament_by_slug
from tournaments.rulesets.loader import preset
from tournaments.services import door
from tournaments.services import rounds as seating
from tournaments.verification import verify_draws

pytestmark = pytest.mark.django_db


def six_with_wishes(**fields: Any) -> Tournament:
    """Create six players after a played round: 1 wants a full name, 2 a short one, 3 a number, 4 to 6 have no wish."""
    tournament = TournamentFactory.create(**fields)
    for first, names in zip("ABCDEF", ("full", "short", "number", "", "", ""), strict=True):
        ParticipantFactory.create(tournament=tournament, name=f"{first}nton Oberhuber", names=names)
    a_played_round(tournament)
    a_round(tournament, 2)
    return tournament


def public_names(tournament: Tournament) -> list[str]:
    rows = leaderboard_document(visible_standings(tournament.slug))["rows"]
    return [row["name"] for row in sorted(rows, key=lambda row: row["start_number"])]


def wall_names(tournament: Tournament) -> set[str]:
    pages = wall_pages(public_view(tournament.slug, full_names=True))
    return {
        row.name
        for page in pages
        if page.kind in ("seating", "standings")
        for column in page.columns
        for row in column
    }


# --- the form of names ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "others"), [("full", "Enton Oberhuber"), ("short", "Enton O."), ("number", "Nr. 5")]
)
def test_a_player_is_named_as_he_wishes_and_the_others_as_the_tournament_does(
    names: str, others: str
) -> None:
    tournament = six_with_wishes(names=names)
    assert public_names(tournament)[:3] == ["Anton Oberhuber", "Bnton O.", "Nr. 3"]
    assert public_names(tournament)[4] == others


def test_the_wall_names_everybody_in_full_but_who_does_not_want_it() -> None:
    tournament = six_with_wishes(names="short")
    assert wall_names(tournament) == {
        "Anton Oberhuber",
        "Bnton O.",
        "Nr. 3",
        "Dnton Oberhuber",
        "Enton Oberhuber",
        "Fnton Oberhuber",
    }


def test_numbers_come_after_the_names_on_the_seating_plan() -> None:
    tournament = six_with_wishes(names="short")
    found = public_view(tournament.slug).round
    assert found is not None
    assert [seat.listed_name for seat in found.by_name][-2:] == ["Oberhuber, Anton", "Nr. 3"]


def test_the_organiser_sees_every_name() -> None:
    tournament = six_with_wishes(names="number")
    assert {row.name.split()[1] for row in current_standings(tournament).rows} == {"Oberhuber"}


def test_an_objection_counts_at_once_wherever_the_public_looks(client: Client) -> None:
    tournament = TournamentFactory.create(names="full")
    for name in ("Zita Rosenmüller", *"ABCDE"):
        ParticipantFactory.create(tournament=tournament, name=name)
    a_played_round(tournament)
    a_round(tournament, 2)
    addresses = [
        "",
        "?q=1",
        "?q=Zita",
        "screen/",
        "leaderboard.json",
        "record.json",
        "rounds/1/",
        "rounds/2/",
        "rounds/1.json",
    ]
    shown = [address for address in addresses if "Zita" in _page(client, tournament, address)]
    assert shown == addresses[:-1]
    door.name_in_public(tournament, 1, names="number", by="kasse", at=AT)
    for address in addresses:
        assert "Rosenmüller" not in _page(client, tournament, address)
    for name, page in live_pages(tournament).items():
        assert name.startswith("wall") or "Rosenmüller" not in page


def test_how_it_was_drawn_names_people_as_they_wish_and_gives_no_reasons(client: Client) -> None:
    tournament = six_with_wishes(names="number")
    rounds = tournament.rounds
    wished = {"kind": "keep_apart", "a": 1, "b": 5, "reason": "Anton redet zu viel"}
    found = rounds.get(number=2).attempts.get()
    found.wishes, found.reason = [wished], "Enton kam zu spät"
    found.save()
    moved = {"kind": "swap", "a": 2, "b": 3}
    SeatChange.objects.create(
        attempt=found, sequence=1, data=moved, reason="Cnton hört schlecht", by="x", at=AT
    )
    shown = _page(client, tournament, "rounds/2/")
    assert [name in shown for name in ("Anton Oberhuber", "Bnton O.", "Nr. 3", "Nr. 5")] == [True] * 4
    assert [name in shown for name in ("Bnton Oberhuber", "Cnton", "Enton")] == [False] * 3
    document = client.get(f"/t/{tournament.slug}/rounds/2.json").json()
    assert document["draw"]["wishes"] == [{"kind": "keep_apart", "a": 1, "b": 5}]
    assert [{key: change[key] for key in moved} for change in document["draw"]["changes"]] == [moved]
    assert not re.search("Anton|Enton|Cnton|spielleitung", str(document))


@pytest.mark.parametrize("query", ["", "?by=table"])
def test_what_hangs_on_the_wall_names_everybody_in_full_but_who_does_not_want_it(query: str) -> None:
    desk = Staff()
    for first, names in zip("ABCDEF", ("", "short", "number", "", "", ""), strict=True):
        ParticipantFactory.create(tournament=desk.tournament, name=f"{first}nton Oberhuber", names=names)
    a_played_round(desk.tournament)
    plan = desk.client.get(desk.url("print_seating", 1) + query).content.decode()
    table_monitor = desk.client.get(desk.url("print_standings")).content.decode()
    in_full = (
        "Anton Oberhuber" if query else "Oberhuber, Anton"
    )  # one looks for the surname in the plan by name
    for page, name_in_full in ((plan, in_full), (table_monitor, "Anton Oberhuber")):
        assert [name in page for name in (name_in_full, "Bnton O.", "Nr. 3")] == [True] * 3
        assert [name in page for name in ("Bnton Oberhuber", "Oberhuber, Bnton", "Cnton")] == [False] * 3
    assert query or plan.index("Fnton") < plan.index("Nr. 3")


def test_the_tree_of_a_knockout_names_people_as_they_wish(client: Client) -> None:
    tournament = TournamentFactory.create(ruleset=preset("knockout").to_dict(), names="full")
    ParticipantFactory.create(tournament=tournament, name="Zita Rosenmüller", names="short")
    ParticipantFactory.create_batch(9, tournament=tournament)
    a_round(tournament)
    page = _page(client, tournament, "tree/")
    assert "Zita R." in page
    assert "Rosenmüller" not in page


def _page(client: Client, tournament: Tournament, address: str) -> str:
    response = client.get(f"/t/{tournament.slug}/{address}")
    assert response.status_code == 200
    return response.content.decode()


def test_who_is_a_number_is_found_by_it_alone() -> None:
    view = public_view(six_with_wishes(names="full").slug)
    assert [person.name for person in find(view, "3").players] == ["Nr. 3"]
    assert find(view, "Oberhuber").players != ()
    for query in ("Oberhuber", "Cnton", "Cnton Oberhuber"):
        assert 3 not in [person.start_number for person in find(view, query).players]


def test_full_names_are_not_found_by_their_short_form() -> None:
    tournament = TournamentFactory.create(names="full")
    ParticipantFactory.create(tournament=tournament, name="Sepp Hofer")
    assert find(public_view(tournament.slug), "Sepp Huber").players == ()


def test_the_database_knows_no_fourth_way(db: None) -> None:
    tournament = TournamentFactory.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        ParticipantFactory.create(tournament=tournament, names="nick")


def test_a_wish_travels_with_the_document() -> None:
    document = simple_evening("abend")
    document["participants"][0]["names"] = "number"
    tournament = import_tournament(text_of(document), at=AT)
    exported = export_tournament(tournament)
    assert [person["names"] for person in exported["participants"]][:2] == ["number", None]
    again = import_tournament(text_of(exported, slug="noch-einer"), at=AT)
    assert dump(export_tournament(again)) == dump(exported).replace('"abend"', '"noch-einer"')


# --- at the door ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["organiser", "cashier"])
def test_a_tap_at_the_door_takes_the_name_back_and_undo_brings_it_again(role: str) -> None:
    desk = Cashier(role)
    desk.register("Zita Rosenmüller")
    page = desk.act(1, "hide-name")
    assert "steht in der Öffentlichkeit nur noch mit der Nummer" in page
    assert "öffentlich nur Nr." in page
    assert desk.tournament.participants.get().names == "number"
    desk.act(1, "show-name")
    assert desk.tournament.participants.get().names == ""


def test_the_page_of_a_person_offers_all_ways() -> None:
    desk = Cashier()
    desk.register("Zita Rosenmüller")
    assert 'name="names"' in desk.get("person", 1)
    typed = {"name": "Zita Rosenmüller", "club": "", "names": "short"}
    assert desk.client.post(desk.url("person", 1), typed).status_code == 302
    assert desk.tournament.participants.get().names == "short"
    assert desk.client.post(desk.url("person", 1), typed | {"names": "nick"}).status_code == 422


# --- the time limit ------------------------------------------------------------------------------------------------

ADDRESSES = (
    "", "?q=1", "screen/", "leaderboard.json", "rounds/1/", "rounds/1.json", "hand/", "rules/", "check/", "check/file/", "live"
)  # fmt: skip


def ended_on(days_ago: int, **fields: Any) -> Tournament:
    """Create a tournament whose rounds were all closed at noon so many days ago: a clock change moves no noon to another day."""
    day = timezone.localdate() - timedelta(days=days_ago)
    at = timezone.make_aware(datetime.combine(day, time(12)))
    tournament: Tournament = TournamentFactory.create(played_on=day, public_until_on=None, **fields)
    ParticipantFactory.create_batch(5, tournament=tournament)
    for number in (1, 2, 3):
        a_played_round(tournament, number)
    tournament.rounds.update(drawn_at=at, released_at=at, closed_at=at)
    return tournament


def answers(client: Client, tournament: Tournament) -> set[int]:
    return {client.get(f"/t/{tournament.slug}/{address}").status_code for address in ADDRESSES}


def test_thirty_days_after_the_end_the_pages_are_gone(client: Client) -> None:
    assert answers(client, ended_on(29)) == {200, 503}  # the event stream is answered before Django
    over = ended_on(32)
    assert answers(client, over) == {410}
    assert "Dieses Turnier ist vorbei" in client.get(f"/t/{over.slug}/").content.decode()


def test_a_page_that_is_kept_in_memory_ends_on_its_day_too(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = ended_on(30)
    page_cache.is_enabled = True
    try:
        assert answers(client, last) == {200, 503}
        tomorrow, local = timezone.localdate() + timedelta(days=1), timezone.localdate
        monkeypatch.setattr(timezone, "localdate", lambda value=None: local(value) if value else tomorrow)
        with CaptureQueriesContext(connection) as queries:
            kept = {
                client.get(f"/t/{last.slug}/{address}").status_code for address in ("", "screen/", "live")
            }
        assert (kept, len(queries)) == ({410}, 0)
        assert answers(client, last) == {410}
    finally:
        page_cache.is_enabled = False
        page_cache.clear()


def test_the_first_page_no_longer_names_it(client: Client) -> None:
    over, shown = ended_on(32), ended_on(29)
    page = client.get("/").content.decode()
    assert [f"/t/{tournament.slug}/" in page for tournament in (over, shown)] == [False, True]


def test_the_organiser_names_another_day_in_the_settings() -> None:
    user = UserFactory.create()
    over = ended_on(40, owner=user)
    browser = Client()
    browser.force_login(user)
    address = reverse("organiser:settings", args=[over.slug])
    default = timezone.localdate() - timedelta(days=10)
    assert f"also bis {default:%d.%m.%Y}." in browser.get(address).content.decode()
    typed = {"name": over.name, "played_on": over.played_on.isoformat(), "names": "short"}
    tomorrow = timezone.localdate() + timedelta(days=1)
    assert browser.post(address, typed | {"public_until_on": tomorrow.isoformat()}).status_code == 302
    assert Client().get(f"/t/{over.slug}/").status_code == 200
    yesterday = timezone.localdate() - timedelta(days=1)
    assert browser.post(address, typed | {"public_until_on": yesterday.isoformat()}).status_code == 302
    assert Client().get(f"/t/{over.slug}/").status_code == 410
    assert browser.post(address, typed | {"public_until_on": ""}).status_code == 302
    assert public_until(tournament_by_slug(over.slug)) == default


def test_an_old_tournament_is_public_for_thirty_days_from_its_import(client: Client) -> None:
    document = simple_evening("abend")
    document["tournament"]["date"] = "2019-11-23"
    imported = import_tournament(text_of(document), at=timezone.now())
    assert client.get("/t/abend/").status_code == 200
    Tournament.objects.filter(pk=imported.pk).update(imported_at=timezone.now() - timedelta(days=32))
    imported.rounds.update(drawn_at=AT - timedelta(days=3000), released_at=None)
    assert client.get("/t/abend/").status_code == 410


def test_a_tournament_to_come_is_public_until_thirty_days_after_it() -> None:
    tournament = TournamentFactory.create(played_on=date(2031, 5, 1), public_until_on=None)
    assert public_until(tournament_by_slug(tournament.slug)) == date(2031, 5, 31)


def test_it_is_of_this_installation_only() -> None:
    document = export_tournament(ended_on(3))
    assert not {"public_until", "public_until_on", "imported_at"} & set(document["tournament"])


# --- after an erasure ----------------------------------------------------------------------------------------------


def with_a_history() -> tuple[Tournament, Participant]:
    """Create a tournament with texts about Zita Rosenmüller, number 1, in every field that takes a text."""
    tournament = TournamentFactory.create(names="full")
    zita = ParticipantFactory.create(
        tournament=tournament, name="Zita Rosenmüller", club="Rosenmüllers Stammtisch", town="Rosenmüllern"
    )
    ParticipantFactory.create_batch(11, tournament=tournament)
    wanted: Any = {"players": range(1, 13), "sizes": [6, 6], "by": "x", "at": AT}
    a_round(tournament, released=False)
    seating.redraw(tournament, 1, mode="random", reason="Rosenmüller kam zu spät", **wanted)
    seating.swap(tournament, 1, a=1, b=_away_from(tournament, 1), reason="Zita sieht schlecht", by="x", at=AT)
    seating.release(tournament, 1, at=AT)
    own, other = sorted(tournament.rounds.get().tables.all(), key=lambda table: not _sits(table, zita))
    sheets.write(own, [("stroke", {"seat_number": 1, "mark": "feuer"})], by="x", at=AT)
    sheets.write(own, [("objected", {"seat_number": 1, "note": "Zita hat geschummelt"})], by="x", at=AT)
    ranked = ("ranked", {"ranks": {str(seat): seat for seat in range(1, 7)}})
    note = SheetEntry.objects.get(kind="objected")
    void = ("voided", {"entry": str(note.entry_id), "reason": "geklärt mit Rosenmüller"})
    sheets.write(own, [void, ranked, ("accepted", {"reason": "vom Papier"})], by="x", at=AT)
    sheets.write(other, [ranked, ("accepted", {"reason": "Papier von Tisch 2"})], by="x", at=AT)
    close(tournament, 1, reason="ROSENMÜLLER musste heim", at=AT)
    tied = tied_groups(tournament)[0]
    standings.decide(tournament, kind="lot", order=tied, reason="Los, gezogen von Zita", by="x", at=AT)
    door.take_fee(tournament, 1, by="kasse", at=AT)
    lines: Any = {"tournament": tournament, "kind": "out", "cents": 100, "by": "kasse", "at": AT}
    desk = CashDesk.objects.create(tournament=tournament, number=2, name="Kasse 2")
    CashEntry.objects.create(desk=desk, reason="Taxi für Zita", **lines)
    CashEntry.objects.create(desk=desk, reason="Karten", **lines)
    desk.changes.create(kind="closed", by="kasse", at=AT)
    desk.changes.create(kind="opened", reason="Rosenmüller zahlt nach", by="kasse", at=AT)
    return tournament, zita


def _away_from(tournament: Tournament, number: int) -> int:
    table = tournament.seats.get(participant__start_number=number).table
    return int(tournament.seats.exclude(table=table).first().participant.start_number)  # type: ignore[union-attr]


def _sits(table: Any, person: Participant) -> bool:
    return bool(table.seats.filter(participant=person).exists())


def test_in_one_step_nothing_says_who_it_was_and_all_statistics_stay() -> None:
    tournament, zita = with_a_history()
    before = leaderboard_document(visible_standings(tournament.slug))
    erase_person(tournament, 1, by="leitung", at=AT)
    document = dump(export_tournament(tournament))
    assert [word for word in ("Rosenmüller", "ROSENMÜLLER", "Zita", "geschummelt") if word in document] == []
    after = leaderboard_document(visible_standings(tournament.slug))
    without_names = [
        [{**row, "name": ""} for row in table_monitor["rows"]] for table_monitor in (before, after)
    ]
    assert without_names[0] == without_names[1]
    assert {row["name"] for row in after["rows"] if row["start_number"] == 1} == {"Nr. 1"}
    zita.refresh_from_db()
    assert (zita.name, zita.club, zita.names) == ("Nr. 1", "", "number")
    assert zita.town == ""
    assert zita.payments.count() == 1
    assert [entry.reason for entry in tournament.cash_entries.order_by("id")] == ["–", "Karten"]


def test_the_logs_still_replay_and_the_draw_is_still_proven() -> None:
    tournament, _zita = with_a_history()
    erase_person(tournament, 1, by="leitung", at=AT)
    assert rebuild_results(tournament) == []
    document = export_tournament(tournament)
    assert [
        (check.round_number, check.attempts, check.changes) for check in verify_draws(dump(document))
    ] == [(1, 2, 1)]
    again = import_tournament(text_of(document, slug="noch-einer"), at=AT)
    assert rebuild_results(again) == []


def test_texts_that_are_not_about_him_stay() -> None:
    tournament, zita = with_a_history()
    erase_person(tournament, 1, by="leitung", at=AT)
    texts = SheetEntry.objects.filter(tournament=tournament).exclude(text="")
    assert {entry.text for entry in texts.filter(sheet__table__seats__participant=zita)} == {"–"}
    others = texts.exclude(sheet__table__seats__participant=zita)
    assert [entry.text for entry in others] == ["Papier von Tisch 2"]


def test_what_was_parked_loses_its_texts_too() -> None:
    tournament, zita = with_a_history()
    table = tournament.seats.get(participant=zita).table
    ParkedEntry.objects.create(
        tournament=tournament,
        sheet=table.sheet,
        entry_id="00000000-0000-4000-8000-000000000001",
        kind="objected",
        data={"seat_number": 1},
        text="Zita war es",
        made_at=AT,
        parked_at=AT,
        outcome="discarded",
        decided_at=AT,
        decided_reason="Zita weiß davon",
    )
    erase_person(tournament, 1, by="leitung", at=AT)
    parked = ParkedEntry.objects.get(tournament=tournament)
    assert (parked.text, parked.decided_reason) == ("–", "–")


def test_wishes_of_the_draw_keep_no_reason_about_him() -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(6, tournament=tournament)
    drawn = a_round(tournament)
    wish = {"kind": "fixed_table", "player": 1, "table": 1, "reason": "sitzt im Rollstuhl"}
    other = {"kind": "fixed_table", "player": 2, "table": 1, "reason": "schreibt"}
    drawn.attempts.update(wishes=[wish, other])
    Tournament.objects.filter(pk=tournament.pk).update(wishes=[other, wish])
    erase_person(tournament, 1, by="leitung", at=AT)
    assert [found["reason"] for found in drawn.attempts.get().wishes] == ["–", "schreibt"]
    tournament.refresh_from_db()
    assert [found["reason"] for found in tournament.wishes] == ["schreibt", "–"]


def test_what_was_done_with_him_by_hand_keeps_no_reason() -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=tournament)
    a_round(tournament)
    for player in (1, 2):
        leave_seat(tournament, 1, player=player, moves=(), reason="ist krank", by="x", at=AT)
    erase_person(tournament, 1, by="leitung", at=AT)
    changes = SeatChange.objects.filter(attempt__round__tournament=tournament).order_by("sequence")
    assert [change.reason for change in changes] == ["–", "ist krank"]


def test_who_was_excluded_keeps_a_reason_without_words() -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create(tournament=tournament, excluded_at=AT, excluded_reason="hat betrogen")
    erase_person(tournament, 1, by="leitung", at=AT)
    assert tournament.participants.get().excluded_reason == "–"


def test_nobody_is_erased_under_a_number_that_is_not_there() -> None:
    with pytest.raises(Refusal) as caught:
        erase_person(TournamentFactory.create(), 7, by="leitung", at=AT)
    assert caught.value.code == "unknown_participant"


@pytest.mark.parametrize(
    ("role", "status", "name"), [("organiser", 302, "Nr. 1"), ("cashier", 404, "Zita R")]
)
def test_only_an_organiser_erases_with_the_button_on_the_persons_page(
    role: str, status: int, name: str
) -> None:
    desk = Staff(role=role)
    ParticipantFactory.create(tournament=desk.tournament, name="Zita R")
    page = desk.client.get(reverse("door:person", args=[desk.tournament.slug, 1])).content.decode()
    address = desk.url("erase_person", 1)
    assert (f'action="{address}"' in page) == (role == "organiser")
    assert desk.client.post(address).status_code == status
    assert desk.tournament.participants.get().name == name


def test_other_tournaments_are_not_touched() -> None:
    tournament, _zita = with_a_history()
    bystander = TournamentFactory.create()
    ParticipantFactory.create_batch(6, tournament=bystander)
    a_paper_sheet(a_round(bystander).tables.get())
    before = dump(export_tournament(bystander))
    erase_person(tournament, 1, by="leitung", at=AT)
    assert dump(export_tournament(bystander)) == before
