"""„Das stimmt nicht“: flags that readers raise on a sheet, and that the organiser closes with an answer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.documents import dump, export_tournament
from scoring.models import Flag
from scoring.queries.table_monitor import table_monitor
from scoring.services import sheets
from scoring.services.flags import (
    MOST_OF_A_BROWSER,
    MOST_OF_AN_ADDRESS,
    MOST_OPEN,
    close_flag,
    mark_in_progress,
    raise_flag,
    reopen_flag,
)
from scoring.services.purge import erase_person
from tests.factories import AT, ParticipantFactory, a_paper_sheet
from tests.scoring.pages import Staff, text_of
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """Create a round of two tables in play."""
    desk = Staff(10)
    desk.draw()
    return desk


def address(desk: Staff, table: int = 1, round_number: int = 1) -> str:
    return f"/t/{desk.tournament.slug}/rounds/{round_number}/tables/{table}/"


def say(desk: Staff, note: str = "Mein Strich fehlt", table: int = 1, **more: Any) -> Any:
    """Submit the form of the table's page as a reader."""
    client, headers = more.pop("client", None) or Client(), more.pop("headers", {})
    return client.post(
        f"{address(desk, table)}flag/", {"note": note, "name": "Sepp", **more}, headers=headers
    )


def raised(desk: Staff, note: str = "falsch", **more: Any) -> Flag:
    """Raise a flag by the service, at table 1 by default."""
    sender = {"name": "Sepp", "address": "10.0.0.7", "browser": "a", "at": AT, **more}
    return raise_flag(desk.tournament, 1, sender.pop("table", 1), note=note, **sender)


def refusal_of(desk: Staff, note: str = "falsch", **more: Any) -> str:
    with pytest.raises(Refusal) as caught:
        raised(desk, note, **more)
    return caught.value.code


# --- readers -------------------------------------------------------------------------------------------------------


def test_the_form_stands_below_the_sheet_and_in_ones_own_answer(desk: Staff, client: Client) -> None:
    assert f'action="{address(desk)}flag/"' in client.get(address(desk)).content.decode()
    person = desk.table(2).seats.select_related("participant")[0].participant
    mine = client.get(f"/t/{desk.tournament.slug}/me/{person.start_number}/").content.decode()
    assert f'action="{address(desk, 2)}flag/"' in mine
    assert f'value="{person.name} ({person.start_number})"' in mine


def test_sheet_5_the_flag_says_that_a_complaint_is_closed_with_the_next_deal(client: Client) -> None:
    """RULES 5.5: on the sheet, in one's own answer and for the organiser; under sheet 1 nothing is said of it."""
    strict, lenient = Staff(4, ruleset="schafkopf"), Staff(5)
    for desk, says in ((strict, True), (lenient, False)):
        desk.draw()
        person = desk.table().seats.select_related("participant")[0].participant
        mine = f"/t/{desk.tournament.slug}/me/{person.start_number}/"
        for page in (client.get(address(desk)), client.get(mine)):
            assert ("bis am Tisch das nächste Spiel angeschrieben ist" in text_of(page)) is says
        assert ("Eine Reklamation ist abgeschlossen" in text_of(desk.get("flags"))) is says


GAME = {"game": "ruf", "declarer": 1, "partner": 3, "won": True, "level": "normal"}


def test_sheet_5_a_complaint_about_a_deal_is_closed_with_the_next_one() -> None:
    """RULES 5.5: it is refused with a sentence, and what was typed stays; the latest deal and the whole list are open."""
    desk = Staff(4, ruleset="schafkopf")
    desk.draw()
    sheets.write(desk.table(), [("deal", GAME)], by="x", at=AT)
    assert say(desk, "Es war Schneider", deal="1").status_code == 302
    sheets.write(desk.table(), [("deal", GAME)], by="x", at=AT)
    refused = say(desk, "Der Rufer stimmt nicht", deal="1")
    text = text_of(refused)
    assert refused.status_code == 422
    assert "Das 1. Spiel ist abgeschlossen, denn auf der Tischliste steht schon das 2." in text
    assert ("Der Rufer stimmt nicht" in text, 'value="Sepp"' in text) == (True, True)
    assert say(desk, "Es war Schneider", deal="2").status_code == 302
    assert say(desk, "Der Abzug stimmt nicht").status_code == 302
    assert list(Flag.objects.order_by("id").values_list("deal", flat=True)) == [1, 2, None]
    assert "Zum 2. Spiel: „Es war Schneider“" in text_of(desk.get("flags"))


def test_a_deal_that_was_taken_back_closes_no_complaint() -> None:
    desk = Staff(4, ruleset="schafkopf")
    desk.draw()
    log = sheets.write(desk.table(), [("deal", GAME), ("deal", GAME)], by="x", at=AT).log
    assert say(desk, deal="1").status_code == 422
    back = {"entry": log.entries[-1].id, "reason": "doppelt"}
    sheets.write(desk.table(), [("voided", back)], by="x", at=AT)
    assert say(desk, deal="1").status_code == 302


def test_under_other_sheets_no_deal_is_asked_for(desk: Staff) -> None:
    """The control: the first of two deals, and a number that the form does not take."""
    knock = {"losers": [1], "ended_by": "knock", "finisher": None}
    sheets.write(desk.table(), [("deal", knock), ("deal", knock)], by="x", at=AT)
    assert say(desk, deal="1").status_code == 302
    assert Flag.objects.get().deal is None


@pytest.mark.parametrize("deal", ["0", "-1", "1000", "x", "1.5"])
def test_a_number_that_no_deal_has_is_asked_for_again(deal: str) -> None:
    desk = Staff(4, ruleset="schafkopf")
    desk.draw()
    refused = say(desk, deal=deal)
    assert (refused.status_code, f'value="{deal}"' in text_of(refused)) == (422, True)
    assert not Flag.objects.exists()


def test_a_flag_is_stored_and_its_sender_thanked(desk: Staff) -> None:
    client = Client()
    answer = say(desk, client=client)
    assert answer.url == address(desk)
    assert "Danke. Die Spielleitung sieht es jetzt." in text_of(client.get(address(desk)))
    flag = Flag.objects.get()
    assert (flag.table, flag.note, flag.name, flag.closed_at) == (
        desk.table(), "Mein Strich fehlt", "Sepp", None
    )  # fmt: skip


def test_from_ones_own_answer_it_leads_back_there(desk: Staff) -> None:
    assert say(desk, me="3").url == f"/t/{desk.tournament.slug}/?me=3"
    assert say(desk, note="Noch was", me="//boese.example").url == address(desk)


def test_a_repeated_flag_is_stored_once(desk: Staff) -> None:
    client = Client()
    assert [say(desk, client=client).status_code for _ in range(2)] == [302, 302]
    assert Flag.objects.count() == 1


@pytest.mark.parametrize("note", ["", "   ", "x" * 301, "a\u202eb"])
def test_empty_and_too_long_flags_are_refused_in_the_form(desk: Staff, note: str) -> None:
    answer = say(desk, note)
    assert answer.status_code == 422
    assert '<details class="disclosure" open>' in text_of(answer)
    assert not Flag.objects.exists()


def test_only_sheets_of_released_rounds_can_be_flagged(desk: Staff) -> None:
    other = Staff(5)
    other.draw(released=False)
    assert say(other).status_code == 404
    assert say(desk, table=9).status_code == 404
    assert Client().get(f"{address(desk)}flag/").headers["Location"] == address(desk)


def test_after_the_last_public_day_flags_are_refused(desk: Staff) -> None:
    today = timezone.localdate()
    Tournament.objects.update(public_until_on=today - timedelta(days=365))
    assert say(desk).status_code == 410
    assert not Flag.objects.exists()


def test_a_flag_from_another_site_is_refused(desk: Staff) -> None:
    for foreign in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        client = Client(enforce_csrf_checks=True)
        assert say(desk, client=client, headers=foreign).status_code == 403
    assert not Flag.objects.exists()
    assert say(desk, client=client, headers={"Origin": "http://testserver"}).status_code == 302
    assert (
        say(desk, "Noch etwas", client=client, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 302
    )
    assert Flag.objects.count() == 2


def test_a_browser_is_told_apart_from_its_second_flag_on(desk: Staff) -> None:
    client = Client()
    assert say(desk, "das erste", client=client).status_code == 302
    answers = [say(desk, f"{number}", client=client).status_code for number in range(MOST_OF_A_BROWSER + 1)]
    assert answers == [302] * MOST_OF_A_BROWSER + [429]
    cookie = client.cookies["flag"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (
        f"/t/{desk.tournament.slug}/",
        True,
        "Lax",
    )
    assert say(desk, "von einem anderen").status_code == 302


def test_the_public_sees_nothing_of_it(desk: Staff, client: Client) -> None:
    pages = ["", "screen/", "leaderboard.json", "rounds/1.json", "rounds/1/tables/1/", "me/1/"]
    raised(desk, "Geheimes Wort")
    assert [
        page
        for page in pages
        if "Geheimes Wort" in client.get(f"/t/{desk.tournament.slug}/{page}").content.decode()
    ] == []


# --- what became of it ---------------------------------------------------------------------------------------------


def test_the_phone_that_reported_sees_what_became_of_it_and_no_other(desk: Staff) -> None:
    phone, other = Client(), Client()
    page = f"/t/{desk.tournament.slug}/reports/"
    say(desk, "Mein Strich fehlt", client=phone)
    say(desk, "Rang falsch", client=other)
    assert "Mein Strich fehlt" in (before := text_of(phone.get(page)))
    assert "gemeldet" in before
    assert "Rang falsch" not in before
    close_flag(
        desk.tournament, Flag.objects.get(note="Mein Strich fehlt").pk, word="Nachgetragen", by="x", at=AT
    )
    assert "„Nachgetragen“" in text_of(phone.get(page))
    assert "Nachgetragen" not in text_of(other.get(page))
    assert "nichts gemeldet" in text_of(Client().get(page))


def test_a_flag_goes_from_open_to_in_progress_to_closed(desk: Staff) -> None:
    phone = Client()
    page = f"/t/{desk.tournament.slug}/reports/"
    say(desk, client=phone)
    flag = Flag.objects.get()
    seen = [text_of(phone.get(page))]
    desk.post("look_at_flag", flag.pk)
    seen.append(text_of(phone.get(page)))
    desk.post("close_flag", flag.pk, word="Nachgetragen")
    seen.append(text_of(phone.get(page)))
    words = ("gemeldet", "wird angesehen", "erledigt")
    badges = [[word for word in words if f">{word}<" in text] for text in seen]
    assert badges == [["gemeldet"], ["wird angesehen"], ["erledigt"]]
    assert [desk.user.username in text for text in seen] == [False] * 3


@pytest.mark.parametrize("change", [lambda value: value[:-1], lambda value: "x", lambda value: ""])
def test_a_cookie_that_was_tampered_with_shows_nothing(desk: Staff, change: Callable[[str], str]) -> None:
    phone = Client()
    say(desk, "Mein Strich fehlt", client=phone)
    phone.cookies["reports"] = change(phone.cookies["reports"].value)
    assert "nichts gemeldet" in text_of(phone.get(f"/t/{desk.tournament.slug}/reports/"))


def test_the_reports_of_one_tournament_show_nothing_in_another(desk: Staff) -> None:
    phone, other = Client(), Staff(5)
    say(desk, "Mein Strich fehlt", client=phone)
    phone.cookies["reports"]["path"] = "/"
    assert "nichts gemeldet" in text_of(phone.get(f"/t/{other.tournament.slug}/reports/"))


# --- limits --------------------------------------------------------------------------------------------------------


def test_a_browser_says_a_few_things_in_ten_minutes_and_others_behind_its_address_go_on(desk: Staff) -> None:
    for number in range(MOST_OF_A_BROWSER):
        raised(desk, f"{number}")
    assert refusal_of(desk) == "flags_too_many"
    raised(desk, browser="b")
    raised(desk, "später", at=AT + timedelta(minutes=11))


def test_an_address_says_as_much_as_a_hall_and_another_goes_on(desk: Staff) -> None:
    rows = [
        Flag(tournament=desk.tournament, table=desk.table(2), note="x", raised_at=AT)
        for _ in range(MOST_OF_AN_ADDRESS)
    ]
    origin = raised(desk).origin
    for row in rows[1:]:
        row.origin = origin
    Flag.objects.bulk_create(rows[1:])
    assert refusal_of(desk, browser="new") == "flags_too_many"
    assert refusal_of(desk, browser="") == "flags_too_many"
    raised(desk, address="10.0.0.8")


def test_a_table_has_so_many_open_ones_and_no_more_until_one_is_closed(desk: Staff) -> None:
    flags = [raised(desk, browser=str(number)) for number in range(MOST_OPEN)]
    assert refusal_of(desk, browser="x") == "flags_enough"
    raised(desk, browser="x", table=2)
    close_flag(desk.tournament, flags[0].pk, word="stimmt", by="chef", at=AT)
    raised(desk, browser="y")


def test_too_many_is_said_with_429(desk: Staff) -> None:
    client = Client()
    client.cookies["flag"] = "a" * 32
    answers = [say(desk, str(number), client=client) for number in range(MOST_OF_A_BROWSER + 1)]
    assert [answer.status_code for answer in answers] == [302] * MOST_OF_A_BROWSER + [429]
    assert "Bitte die Spielleitung direkt ansprechen." in text_of(answers[-1])


def test_the_sender_of_a_flag_is_stored_as_digest_and_deleted_when_it_is_closed(desk: Staff) -> None:
    flag = raised(desk)
    assert len(flag.origin) == 32
    assert "10.0.0.7" not in flag.origin
    other = Staff(5)
    other.draw()
    assert raised(other).origin != flag.origin
    closed = close_flag(desk.tournament, flag.pk, word="stimmt", by="chef", at=AT)
    assert (closed.origin, closed.phone) == ("", "")


# --- the organiser -------------------------------------------------------------------------------------------------


def test_the_organiser_sees_a_flag_on_monitor_sheet_and_overview(desk: Staff) -> None:
    before = table_monitor(desk.tournament, 1)
    assert before is not None
    assert before.needing == []
    raised(desk, "Der Strich fehlt")
    after = table_monitor(desk.tournament, 1)
    assert after is not None
    assert [table.number for table in after.needing] == [1]
    assert after.version != before.version
    assert "Der Strich fehlt" in text_of(desk.get("round", 1))
    assert "Der Strich fehlt" in text_of(desk.get("sheet", 1, 1))
    assert "Aus dem Saal gemeldet" in text_of(desk.get("overview"))


def test_a_flag_of_an_earlier_round_is_still_on_the_overview(desk: Staff) -> None:
    desk.type_in_everything()
    desk.post("close", 1)
    raised(desk)
    assert "Aus dem Saal gemeldet" in text_of(desk.get("overview"))


def test_the_organiser_closes_a_flag_with_an_answer_which_stays_readable(desk: Staff) -> None:
    flag = raised(desk, "Der Strich fehlt")
    assert desk.post("close_flag", flag.pk, word="").status_code == 422
    assert (
        desk.post("close_flag", flag.pk, word="Nachgetragen").url
        == f"{desk.url('flags')}?done={flag.pk}#flag-{flag.pk}"
    )
    flag.refresh_from_db()
    assert (flag.closed_by, flag.closed_word, flag.closed_at is not None) == (
        desk.user.username, "Nachgetragen", True
    )  # fmt: skip
    page = text_of(desk.get("flags"))
    assert "Nichts offen" in page
    assert "„Der Strich fehlt“ (Sepp) → „Nachgetragen“" in page
    monitor = table_monitor(desk.tournament, 1)
    assert monitor is not None
    assert monitor.needing == []


def test_a_flag_in_progress_is_shown_to_the_other_organisers(desk: Staff) -> None:
    flag = raised(desk, "Der Strich fehlt")
    before = table_monitor(desk.tournament, 1)
    assert "Ich sehe nach" in text_of(desk.get("flags"))
    assert desk.post("look_at_flag", flag.pk).url == f"{desk.url('flags')}#flag-{flag.pk}"
    flag.refresh_from_db()
    assert (flag.looked_by, flag.looked_at is not None, flag.closed_at) == (desk.user.username, True, None)
    page = text_of(desk.get("flags"))
    assert "Ich sehe nach" not in page
    assert f"{desk.user.username} sieht nach, seit" in page
    assert f"({desk.user.username} sieht nach)" in text_of(desk.get("round", 1))
    after = table_monitor(desk.tournament, 1)
    assert before is not None
    assert after is not None
    assert before.version != after.version


def test_marking_a_flag_twice_keeps_the_first_organiser_and_time(desk: Staff) -> None:
    flag = raised(desk)
    later = AT + timedelta(minutes=5)
    mark_in_progress(desk.tournament, flag.pk, by=desk.user.username, at=AT)
    mark_in_progress(desk.tournament, flag.pk, by=desk.user.username, at=later)
    with pytest.raises(Refusal, match="flag_is_looked_at"):
        mark_in_progress(desk.tournament, flag.pk, by="andere", at=later)
    flag.refresh_from_db()
    assert (flag.looked_by, flag.looked_at) == (desk.user.username, AT)
    Flag.objects.update(looked_by="chef")
    answer = desk.post("look_at_flag", flag.pk, follow=True)
    assert "Hier sieht schon chef nach." in text_of(answer)


def test_what_was_done_with_a_flag_stays_in_its_place_and_can_be_taken_back(desk: Staff) -> None:
    older, newer = raised(desk, "falsch"), raised(desk, "Rang")
    page = desk.post("look_at_flag", older.pk, follow=True)
    assert page.content.decode().count("Rückgängig") == 1
    mark_in_progress(desk.tournament, newer.pk, by="chef", at=AT)
    assert desk.get("flags").content.decode().count("Rückgängig") == 1
    desk.post("look_at_flag", older.pk, back="1")
    desk.post("look_at_flag", newer.pk, back="1")
    assert list(Flag.objects.order_by("id").values_list("looked_by", flat=True)) == ["", "chef"]
    page = desk.post("close_flag", newer.pk, word="Nachgetragen", follow=True).content.decode()
    assert page.index("Erledigt: „Nachgetragen“") < page.index(f'id="flag-{older.pk}"')
    assert page.count("Nachgetragen") == 1
    desk.post("close_flag", newer.pk, back="1")
    assert list(Flag.objects.values_list("closed_at", "closed_by", "closed_word")) == [(None, "", "")] * 2
    assert "Nachgetragen" not in desk.get("flags").content.decode()


def test_only_who_has_closed_a_flag_opens_it_again(desk: Staff) -> None:
    flag = raised(desk)
    close_flag(desk.tournament, flag.pk, word="so", by="chef", at=AT)
    answer = desk.post("close_flag", flag.pk, back="1", follow=True)
    assert "Diese Meldung hat chef inzwischen erledigt." in text_of(answer)
    assert Flag.objects.get().closed_word == "so"
    assert "Rückgängig" not in text_of(desk.get("flags", done=flag.pk))
    assert reopen_flag(desk.tournament, flag.pk, by="chef") == reopen_flag(desk.tournament, flag.pk, by="x")
    assert Flag.objects.get().closed_at is None


def test_a_closed_flag_cannot_be_marked(desk: Staff) -> None:
    flag = raised(desk)
    close_flag(desk.tournament, flag.pk, word="so", by="chef", at=AT)
    answer = desk.post("look_at_flag", flag.pk, follow=True)
    assert "Diese Meldung hat chef inzwischen erledigt." in text_of(answer)
    assert Flag.objects.get().looked_at is None


def test_another_organiser_may_close_a_flag_in_progress(desk: Staff) -> None:
    flag = raised(desk)
    mark_in_progress(desk.tournament, flag.pk, by="chef", at=AT)
    assert desk.post("close_flag", flag.pk, word="Nachgetragen").status_code == 302


def test_closing_a_flag_twice_names_the_first_organiser(desk: Staff) -> None:
    flag = raised(desk)
    close_flag(desk.tournament, flag.pk, word="so", by="chef", at=AT)
    answer = desk.post("close_flag", flag.pk, word="anders")
    assert answer.status_code == 422
    assert "Diese Meldung hat chef inzwischen erledigt." in text_of(answer)
    flag.refresh_from_db()
    assert flag.closed_word == "so"


def test_flags_of_another_tournament_are_404(desk: Staff) -> None:
    other = Staff(5)
    other.draw()
    flag = raised(other)
    assert desk.post("close_flag", flag.pk, word="meins").status_code == 404
    assert desk.post("look_at_flag", flag.pk).status_code == 404
    assert desk.client.get(other.url("flags")).status_code == 404
    assert Client().get(desk.url("flags")).status_code == 302


def test_the_database_requires_an_answer_of_a_closed_flag(desk: Staff) -> None:
    flag = raised(desk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Flag.objects.filter(pk=flag.pk).update(closed_at=AT)


def test_the_database_requires_the_organiser_of_a_flag_in_progress(desk: Staff) -> None:
    flag = raised(desk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Flag.objects.filter(pk=flag.pk).update(looked_at=AT)


@pytest.mark.parametrize("name", ["flags", "overview"])
def test_the_page_takes_as_many_queries_for_one_flag_as_for_ten(desk: Staff, name: str) -> None:
    counted = []
    for several in (range(1), range(1, 10)):
        for number in several:
            raised(desk, browser=str(number), table=number % 2 + 1)
        with CaptureQueriesContext(connection) as queries:
            desk.get(name)
        counted.append(len(queries))
    assert counted[0] == counted[1]


# --- side effects --------------------------------------------------------------------------------------------------


def test_documents_contain_no_flags(desk: Staff) -> None:
    before = dump(export_tournament(desk.tournament))
    raised(desk)
    assert dump(export_tournament(desk.tournament)) == before


def test_erasing_a_player_deletes_the_flags_on_their_sheets_and_with_their_name(desk: Staff) -> None:
    zita = ParticipantFactory.create(tournament=desk.tournament, name="Zita Rosenmüller")
    raised(desk, "Die rosenmüller hat gelogen")
    raised(desk, "Schreibfehler", name="Zita R.", browser="b")
    raised(desk, "bleibt")
    raised(desk, "bleibt auch", table=2)
    erase_person(desk.tournament, zita.start_number, by="leitung", at=AT)
    assert set(Flag.objects.values_list("note", flat=True)) == {"bleibt", "bleibt auch"}
    player = desk.table(2).seats.all()[0].participant
    player.name = "Qq Xx"
    player.save()
    erase_person(desk.tournament, player.start_number, by="leitung", at=AT)
    assert set(Flag.objects.values_list("note", flat=True)) == {"bleibt"}


def test_a_round_with_a_flag_can_be_drawn_again(desk: Staff) -> None:
    raised(desk)
    desk.post("redraw", 1, reason="neu")
    assert Table.objects.filter(round__tournament=desk.tournament).exists()
    assert not Flag.objects.exists()


def test_a_flag_changes_nothing_on_the_sheet(desk: Staff) -> None:
    a_paper_sheet(desk.table())
    before = list(desk.table().sheet.entries.values_list("kind", flat=True))
    raised(desk)
    assert list(desk.table().sheet.entries.values_list("kind", flat=True)) == before
