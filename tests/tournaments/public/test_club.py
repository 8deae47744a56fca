"""The club: its settings, and the pages that are made of them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from scoring.core.series_rule import series_preset
from scoring.queries.screens import SentScene
from scoring.services.screens import set_scene
from scoring.services.series import make_series
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_round, enter
from tests.pictures import a_picture
from tests.scoring.pages import text_of
from tests.tournaments.sign_up.test_sign_up_pages import opened
from tournaments.core.refusal import Refusal
from tournaments.models import ClubSettings, Tournament
from tournaments.queries.club import ClubDetails, club
from tournaments.services.club import set_club
from tournaments.services.pictures import set_picture

pytestmark = pytest.mark.django_db

BY: Any = {"by": "inhaber", "at": AT}
KARO = ClubDetails(
    name="Kartenclub Karo",
    legal_form="eingetragener Verein",
    street="Dorfstraße 1",
    town="83000 Musterdorf",
    represented_by="den Vorstand",
    contact="post@karo.example",
    register="Amtsgericht Musterdorf, VR 17",
    place="Gasthaus zur Post",
    names="number",
    retention_months=24,
    announcement="Am 6. Januar ist Dreikönigsschnauzen",
)


def as_owner() -> Client:
    client = Client()
    enter(client, UserFactory.create(is_superuser=True))
    return client


def typed(settings: ClubDetails) -> dict[str, Any]:
    return {name: value for name, value in settings.to_dict().items() if value is not None}


def test_what_the_owner_types_is_stored_and_can_be_changed() -> None:
    owner = as_owner()
    page = reverse("account:club")
    assert "Verein" in text_of(owner.get(page))
    for settings in (KARO, replace(KARO, name="Karo und Herz", retention_months=None, name_days=45)):
        assert owner.post(page, typed(settings)).status_code == 302
        assert club() == settings
    assert ClubSettings.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 121),
        ("contact", "a\u202eb"),
        ("retention_months", "121"),
        ("retention_months", "0"),
        ("name_days", "29"),
        ("names", "all"),
        ("announcement", "x" * 201),
    ],
)
def test_an_error_keeps_what_was_typed_and_stores_nothing(field: str, value: str) -> None:
    answer = as_owner().post(reverse("account:club"), {**typed(KARO), field: value})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert 'value="Amtsgericht Musterdorf, VR 17"' in answer.content.decode()
    assert club() is None


def test_there_is_one_row_and_the_service_checks_what_comes_past_the_form() -> None:
    set_club(KARO, **BY)
    with pytest.raises(IntegrityError), transaction.atomic():
        ClubSettings.objects.create(pk=2, name="Noch einer", **BY)
    for bad in (replace(KARO, name=" "), replace(KARO, street="x" * 121), replace(KARO, retention_months=0)):
        with pytest.raises(Refusal):
            set_club(bad, **BY)


def test_the_imprint_says_who_runs_the_site(client: Client) -> None:
    assert client.get("/imprint").status_code == 404
    assert client.get("/imprint", headers={"Accept-Language": "en"}).status_code == 404
    set_club(KARO, **BY)
    said = text_of(client.get("/imprint"))
    for fact in (
        KARO.name,
        KARO.legal_form,
        KARO.street,
        KARO.town,
        KARO.represented_by,
        KARO.contact,
        KARO.register,
    ):
        assert fact in said


def test_the_privacy_page_says_how_long_with_and_without_a_club(client: Client) -> None:
    said = text_of(client.get("/privacy"))
    assert "30 Tage nach dem letzten Spiel" in said
    assert "7 Tage nach dem Turnier" in said
    assert "bis er das Turnier löscht" in said
    assert "Impressum" not in said
    set_club(KARO, **BY)
    said = text_of(client.get("/privacy"))
    assert "Nach 24 Monaten löscht der Verein das Turnier." in said
    assert "zu Nummern" not in said
    assert "steht der Name darin bis 30 Tage nach ihrem Ende" in said
    set_club(replace(KARO, name_days=45), **BY)
    said = text_of(client.get("/privacy"))
    assert (
        "45 Tage nach dem Turnier, aber nicht solange es öffentlich ist, werden die Namen von selbst zu Nummern, außer"
        in said
    )
    assert "Verantwortlich ist Kartenclub Karo." in said
    assert "mailto:post@karo.example" in said


@pytest.mark.parametrize("page", ["", "standings/", "tables/", "rules/", "check/", "sign-up/"])
def test_every_public_page_leads_to_both_in_one_tap(client: Client, page: str) -> None:
    tournament = TournamentFactory.create()
    address = f"/t/{tournament.slug}/{page}"
    assert 'href="/privacy"' in client.get(address).content.decode()
    assert 'href="/imprint"' not in client.get(address).content.decode()
    set_club(KARO, **BY)
    assert 'href="/imprint"' in client.get(address).content.decode()


def test_a_new_tournament_begins_with_the_place_and_the_names_of_the_club() -> None:
    set_club(KARO, **BY)
    form = as_owner().get(reverse("organiser:new")).context["form"]
    assert (form["place"].value(), form["names"].value()) == ("Gasthaus zur Post", "number")


def evening(days: int, **more: Any) -> Tournament:
    """An evening in so many days, to which one can sign up."""
    made = TournamentFactory.create(played_on=timezone.localdate() + timedelta(days), **more)
    return opened(made)


def test_the_page_of_the_club_shows_the_next_evening_large_then_the_others(client: Client) -> None:
    later, following = evening(40, name="Übernächster"), evening(7, name="Nächster")
    ParticipantFactory.create_batch(
        5, tournament=(over := TournamentFactory.create(played_on=timezone.localdate() - timedelta(9)))
    )
    a_round(over)
    without = client.get("/").content.decode()
    assert "card--today" not in without
    assert "Übernächster" not in without
    set_club(KARO, **BY)
    page = client.get("/").content.decode()
    assert "<title>Kartenclub Karo</title>" in page
    assert [page.count(part) for part in ("card--today", f"/t/{following.slug}/sign-up/calendar.ics")] == [
        1,
        1,
    ]
    places = [
        page.index(part) for part in ("card--today", "Nächster", f"/t/{later.slug}/", f"/t/{over.slug}/")
    ]
    assert places == sorted(places)
    assert 'href="/calendar.ics"' in page


def test_the_calendar_has_all_announced_evenings_to_come_and_nothing_else(client: Client) -> None:
    following, later = evening(3, place="Krone"), evening(200)
    for others in ({"is_hidden": True}, {"is_practice": True}):
        evening(5, **others)
    TournamentFactory.create(
        played_on=timezone.localdate() + timedelta(4)
    )  # nobody can sign up: not announced
    evening(-3)
    set_club(KARO, **BY)
    answer = client.get("/calendar.ics")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    file = Calendar.from_ical(answer.content)
    assert file["x-wr-calname"] == "Kartenclub Karo"
    assert [str(event["url"]).split("/t/")[1] for event in file.walk("VEVENT")] == [
        f"{following.slug}/sign-up/", f"{later.slug}/sign-up/",
    ]  # fmt: skip


def test_without_evenings_the_calendar_is_empty_and_nothing_leads_to_it(client: Client) -> None:
    assert Calendar.from_ical(client.get("/calendar.ics").content).walk("VEVENT") == []
    assert "calendar.ics" not in client.get("/").content.decode()


def test_the_page_of_a_phone_leads_there_too(client: Client) -> None:
    assert 'href="/privacy"' in client.get("/s/").content.decode()


def test_the_start_page_of_a_named_club_leads_to_its_year(client: Client) -> None:
    made = make_series(slug="jahr", name="Jahr 2026", rule=series_preset("best-seven"), planned=None, at=AT)
    roll = reverse("roll_of_honour")
    assert roll not in client.get("/").content.decode()
    set_club(KARO, **BY)
    page = client.get("/").content.decode()
    assert reverse("series", args=[made.slug]) in page
    assert roll in page


def test_a_day_stands_before_its_month_in_english_too(client: Client) -> None:
    today = timezone.localdate()
    TournamentFactory.create(played_on=today)
    assert f"{today.day} {today:%B %Y}" in text_of(client.get("/", headers={"accept-language": "en"}))


def uploaded(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("wappen.png", data)


def test_what_the_club_announces_stands_on_its_start_page_and_on_the_wall_while_it_welcomes(
    client: Client,
) -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=tournament)
    wall = f"/t/{tournament.slug}/screen/"
    set_club(KARO, **BY)
    for page in ("/", wall):
        assert text_of(client.get(page)).count(KARO.announcement) == 1
    set_club(replace(KARO, announcement=""), **BY)
    assert 'data-kind="club"' not in client.get(wall).content.decode()
    set_club(KARO, **BY)
    a_round(tournament)
    assert KARO.announcement not in text_of(client.get(wall))
    set_scene(tournament, (1,), SentScene("welcome"), **BY)
    assert KARO.announcement in text_of(client.get(wall))


def test_the_picture_of_the_club_is_on_start_page_wall_and_certificates_until_it_is_deleted(
    client: Client,
) -> None:
    owner, page, address = as_owner(), reverse("account:club"), reverse("club_picture")
    tournament = TournamentFactory.create(owner=User.objects.get())
    paper = reverse("organiser:print_picture", args=[tournament.slug])
    assert (
        owner.post(page, {**typed(KARO), "uploaded": uploaded(a_picture(colour="blue"))}).status_code == 302
    )
    assert owner.post(page, typed(KARO)).status_code == 302  # without another one it stays
    jpeg = client.get(address).content
    assert jpeg[:3] == b"\xff\xd8\xff"
    for where in ("/", f"/t/{tournament.slug}/screen/"):
        assert f"{address}?" in client.get(where).content.decode()
    assert owner.get(paper).content == jpeg
    set_picture(tournament, a_picture(colour="red"))
    assert owner.get(paper).content not in (jpeg, b"")
    assert owner.post(page, {**typed(KARO), "no_picture": "on"}).status_code == 302
    assert client.get(address).status_code == 404
    assert address not in client.get("/").content.decode()


def test_a_file_that_is_no_picture_is_refused_at_its_field_and_nothing_is_stored() -> None:
    answer = as_owner().post(reverse("account:club"), {**typed(KARO), "uploaded": uploaded(b"GIF89a")})
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"uploaded"})
    assert club() is None


def test_the_record_of_processing_follows_what_is_set() -> None:
    owner, address = as_owner(), reverse("account:record")
    assert "Der Verein hat noch keinen Namen." in text_of(owner.get(address))
    set_club(ClubDetails("Kartenclub Herz"), **BY)
    assert "·" not in text_of(owner.get(address)).partition("Kartenclub Herz")[2].partition("</p>")[0]
    set_club(replace(KARO, name_days=90), **BY)
    page = text_of(owner.get(address))
    for said in (
        "Kartenclub Karo",
        "vertreten durch den Vorstand",
        "nach 24 Monaten gelöscht",
        "nach 90 Tagen nur noch Nummern",
    ):
        assert said in page
    assert address in owner.get(reverse("account:club")).content.decode()
