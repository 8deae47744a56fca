"""Quotas of a club: what is beyond one is refused with a sentence, and no evening in play is stopped."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError
from django.db import connection, transaction
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from schnauz_turnier.clubs.catalogue import ClubRefusal, UnknownClub, club_of
from schnauz_turnier.clubs.measures import measure_all
from schnauz_turnier.clubs.quotas import set_quotas
from scoring.documents import dump, export_tournament, import_tournament
from scoring.documents.club import import_club
from scoring.services import rounds
from scoring.services.copies import copy_evening
from tests.clubs.test_changes import told
from tests.clubs.test_engine import NewClub
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_round,
    enter,
)
from tests.pictures import a_picture
from tests.races import at_once, while_uncommitted
from tests.tournaments.organiser.test_making_a_tournament import TYPED
from tests.tournaments.services.test_sign_ups import signed_up, terms
from tournaments.core.refusal import Refusal
from tournaments.current_club import Club, Quotas, in_club
from tournaments.models import Participant, SignUp, Tournament
from tournaments.queries.club import ClubDetails
from tournaments.rulesets.loader import preset
from tournaments.services import quotas
from tournaments.services.club import set_club
from tournaments.services.door import Newcomer, hand_over, register
from tournaments.services.people_lists import announce
from tournaments.services.pictures import set_picture
from tournaments.services.tournaments import create_tournament

pytestmark = pytest.mark.usefixtures("hosting")

AHEAD = timezone.localdate(AT) + timedelta(days=30)
BY: dict[str, Any] = {"by": "spielleitung", "at": AT}


def with_quotas(club: Club, **most: Any) -> Club:
    return replace(club, quotas=Quotas(**most))


def a_tournament(slug: str = "winter", **more: Any) -> Tournament:
    values: dict[str, Any] = {"place": "", "names": "full", "ruleset": preset("schnauz-placing"), "at": AT}
    return create_tournament(slug=slug, name=slug, played_on=AHEAD, owner=None, **values | more)


def in_thread(club: Club, work: Callable[[], object]) -> Callable[[], object]:
    """Return `work` for a thread, which has a current club of its own."""

    def run() -> object:
        with in_club(club):
            return work()

    return run


def refused(code: str, *calls: Callable[[], object]) -> None:
    for call in calls:
        with pytest.raises(Refusal) as refusal:
            call()
        assert refusal.value.code == code


def an_organiser(tournament: Tournament | None = None) -> Client:
    user = UserFactory.create(is_superuser=True)
    if tournament is not None:
        tournament.memberships.create(user=user, role="organiser")
    client = Client()
    enter(client, user)
    return client


# --- tournaments ---------------------------------------------------------------------------------------------------


def test_beyond_the_quota_no_tournament_is_made_copied_or_read_in(new_club: NewClub) -> None:
    club = new_club("alpha")
    with in_club(club):
        before = a_tournament("herbst")
        document = dump(export_tournament(before))
    with in_club(with_quotas(club, tournaments=1)):
        owner = UserFactory.create()
        new: Any = {"slug": "neu", "name": "Neu", "played_on": AHEAD, "owner": owner, "at": AT}
        refused(
            "quota_tournaments",
            a_tournament,
            lambda: copy_evening(before, ["rules"], **new),
            lambda: import_tournament(document, slug="kopie", at=AT),
        )
        assert [*Tournament.objects.values_list("slug", flat=True)] == ["herbst"]
    with in_club(with_quotas(club, tournaments=2)):
        assert copy_evening(before, ["rules"], **new).slug == "neu"
    set_quotas("alpha", tournaments=2, people=None, megabytes=None)
    with pytest.raises(CommandError, match="höchstens haben kann: 2"):
        told("club", "alpha", "practice_tournament")


def test_a_refused_tournament_keeps_what_was_typed(new_club: NewClub) -> None:
    club = new_club("alpha")
    with in_club(with_quotas(club, tournaments=0)):
        client = an_organiser()
        said = client.get(reverse("organiser:new")).content.decode()
        assert "so viele Turniere, wie er höchstens haben kann: 0." in said
        answer = client.post(reverse("organiser:new"), TYPED | {"name": "Ostern im Saal"})
        assert (answer.status_code, answer.context["form"]["name"].value()) == (422, "Ostern im Saal")
        assert "so viele Turniere, wie er höchstens haben kann: 0." in answer.content.decode()
        assert "Bitte berichtigen" not in answer.content.decode()
        answer = client.post(reverse("organiser:new"), TYPED | {"name": ""})
        assert "Bitte berichtigen" in answer.content.decode()
        like = TournamentFactory.create()
        typed = {"name": "Ostern noch einmal", "played_on": "2027-01-09", "take": ["place"]}
        answer = an_organiser(like).post(reverse("organiser:again", args=[like.slug]), typed)
        assert (answer.status_code, answer.context["form"]["name"].value()) == (422, "Ostern noch einmal")
        assert answer.context["form"]["take"].value() == ["place"]
        assert "so viele Turniere, wie er höchstens haben kann: 0." in answer.content.decode()
        file = SimpleUploadedFile("abend.json", dump(export_tournament(like)).encode())
        answer = client.post(reverse("organiser:read_copy"), {"file": file, "slug": "kopie"})
        assert (answer.status_code, answer.context["form"]["slug"].value()) == (422, "kopie")
        assert "so viele Turniere, wie er höchstens haben kann: 0." in answer.content.decode()
        assert Tournament.objects.count() == 1


# --- players -------------------------------------------------------------------------------------------------------


def test_beyond_the_quota_nobody_comes_onto_a_list_before_its_day(new_club: NewClub) -> None:
    club = new_club("alpha")
    with in_club(club):
        ParticipantFactory.create_batch(5, tournament=a_tournament("herbst", is_hidden=True))
        winter = a_tournament()
        document = dump(export_tournament(Tournament.objects.get(slug="herbst")))
    with in_club(with_quotas(club, people=6)):
        refused(
            "quota_people",
            lambda: announce(winter, [Newcomer("Spieler A"), Newcomer("Spieler B")], **BY),
            lambda: import_tournament(document, slug="kopie", at=AT),
        )
        register(winter, Newcomer("Spieler A"), paid=False, **BY)
        refused("quota_people", lambda: register(winter, Newcomer("Spieler B"), paid=False, **BY))
        assert (Participant.objects.count(), Tournament.objects.count()) == (6, 2)


def test_on_the_day_everybody_comes_onto_the_list_and_the_evening_goes_on(new_club: NewClub) -> None:
    club = new_club("alpha")
    with in_club(with_quotas(club, people=0, tournaments=0, is_full=True)):
        tonight = TournamentFactory.create(slug="heute", played_on=timezone.localdate(AT))
        for number in range(5):
            register(tonight, Newcomer(f"Spieler {number}"), paid=True, **BY)
        announce(tonight, [Newcomer("Nachzügler")], **BY)
        a_round(tonight)
        hand_over(tonight, 1, Newcomer("Ersatz"), **BY)
        for table in tonight.rounds.get().tables.all():
            a_paper_sheet(table)
        rounds.close(tonight, 1, at=AT)
        assert Participant.objects.count() == 7


@pytest.mark.parametrize(
    ("days", "is_drawn", "is_refused"),
    [(1, False, True), (0, False, False), (-1, False, False), (-2, False, True), (-2, True, False)],
)
def test_in_play_is_today_yesterday_and_every_open_round(
    new_club: NewClub, *, days: int, is_drawn: bool, is_refused: bool
) -> None:
    club = new_club("alpha")
    with in_club(club):
        evening = TournamentFactory.create(played_on=timezone.localdate(AT) + timedelta(days=days))
        if is_drawn:
            ParticipantFactory.create_batch(5, tournament=evening)
            a_round(evening)
    with in_club(with_quotas(club, people=5 if is_drawn else 0)):
        if is_refused:
            refused("quota_people", lambda: register(evening, Newcomer("Spieler"), paid=False, **BY))
        else:
            register(evening, Newcomer("Spieler"), paid=False, **BY)


def test_a_refused_player_or_list_keeps_what_was_typed(new_club: NewClub) -> None:
    club = new_club("alpha")
    with in_club(with_quotas(club, people=0)):
        winter = TournamentFactory.create(played_on=timezone.localdate() + timedelta(days=30))
        client = an_organiser(winter)
        answer = client.post(reverse("door:register", args=[winter.slug]), {"name": "Huber Sepp"})
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "höchstens so viele Spieler stehen: 0." in page
        assert 'value="Huber Sepp"' in page

        address = reverse("door:import_list", args=[winter.slug])
        seen = client.post(address, {"text": "Huber Sepp\nMaier Resi"}).context["preview"].digest
        answer = client.post(address, {"text": "Huber Sepp\nMaier Resi", "enter": "", "seen": seen})
        page = answer.content.decode()
        assert "höchstens so viele Spieler stehen: 0." in page
        assert "Huber Sepp\nMaier Resi" in page
        assert Participant.objects.count() == 0


def test_guests_who_sign_up_are_told_of_no_quota_and_keep_what_they_typed(new_club: NewClub) -> None:
    club = new_club("alpha")
    with in_club(with_quotas(club, people=0)):
        winter = TournamentFactory.create(played_on=timezone.localdate() + timedelta(days=30))
        terms(winter, closes_at=timezone.now() + timedelta(days=29))
        refused("sign_up_no_room", lambda: signed_up(winter))
        guest, address = Client(), reverse("sign_up:form", args=[winter.slug])
        code = guest.get(address).context["form"]["code"].value()
        typed = {"name": "Huber Sepp", "club": "SV Ort", "names": "", "code": code, "hall": ""}
        answer = guest.post(address, typed)
        page = answer.content.decode()
        assert "Hier kann sich gerade niemand mehr anmelden. Bitte beim Verein nachfragen." in page
        assert (answer.status_code, answer.context["form"]["name"].value()) == (422, "Huber Sepp")
        assert SignUp.objects.count() == 0
    with in_club(club):
        assert guest.post(address, typed).status_code == 302


# --- room ----------------------------------------------------------------------------------------------------------


def test_a_full_club_takes_no_pictures_and_no_files(new_club: NewClub) -> None:
    club = new_club("alpha")
    details = ClubDetails(name="Verein")
    with in_club(club):
        winter = a_tournament()
        document = dump(export_tournament(winter))
    with in_club(with_quotas(club, is_full=True)):
        refused(
            "quota_room",
            lambda: set_picture(winter, a_picture()),
            lambda: set_club(details, uploaded=a_picture(), **BY),
            lambda: announce(winter, [Newcomer("Spieler")], **BY),
            lambda: import_tournament(document, slug="kopie", at=AT),
            lambda: import_club("{}", at=AT),
            lambda: a_tournament("neu"),
        )
        register(winter, Newcomer("Spieler"), paid=True, **BY)
        set_club(details, **BY)
        set_club(details, uploaded=b"", **BY)
        client = an_organiser()
        answer = client.post(
            reverse("account:club"),
            {
                "name": "Verein im Ort",
                "names": "full",
                "uploaded": SimpleUploadedFile("bild.png", a_picture()),
            },
        )
        assert (answer.status_code, answer.context["form"]["name"].value()) == (422, "Verein im Ort")
        assert "uploaded" in answer.context["form"].errors


def test_a_club_is_full_by_what_was_measured(new_club: NewClub) -> None:
    new_club("alpha")
    assert not club_of("alpha").is_full
    set_quotas("alpha", tournaments=None, people=None, megabytes=1)
    assert club_of("alpha").club.quotas.is_full  # empty tables and indexes have more
    set_quotas("alpha", tournaments=None, people=None, megabytes=1000)
    assert not club_of("alpha").is_full
    with override_settings(CLUB_MOST_MEGABYTES=1):
        measure_all(at=AT)
        assert not club_of("alpha").is_full  # its own quota counts
        set_quotas("alpha", tournaments=None, people=None, megabytes=None)
        assert club_of("alpha").is_full
    measure_all(at=AT)
    assert not club_of("alpha").is_full


# --- set by the operator -------------------------------------------------------------------------------------------


def test_own_quotas_go_before_those_of_the_settings(new_club: NewClub) -> None:
    new_club("alpha")
    assert club_of("alpha").club.quotas == Quotas()
    with override_settings(CLUB_MOST_TOURNAMENTS=20, CLUB_MOST_PEOPLE=500):
        assert club_of("alpha").club.quotas == Quotas(20, 500)
        said = told("limit_club", "alpha", "--tournaments", "0", "--megabytes", "300")
        assert re.fullmatch(r"tournaments: 0 of 0\npeople: 0 of default\nmegabytes: \d of 300\n", said)
        assert club_of("alpha").club.quotas == Quotas(0, 500)
        told("limit_club", "alpha", "--people", "7")
        assert club_of("alpha").club.quotas == Quotas(0, 7)
        told("limit_club", "alpha", "--tournaments", "default", "--people", "default")
        assert club_of("alpha").club.quotas == Quotas(20, 500)
    assert told("limit_club", "alpha").startswith("tournaments: 0 of default\n")


def test_a_quota_that_is_none_is_refused(new_club: NewClub) -> None:
    new_club("alpha")
    with pytest.raises(CommandError, match="a number, or default"):
        told("limit_club", "alpha", "--people", "-1")
    with pytest.raises(CommandError, match="from 0 to"):
        told("limit_club", "alpha", "--people", "9999999999")
    with pytest.raises(ClubRefusal):
        set_quotas("alpha", tournaments=-1, people=None, megabytes=None)
    with pytest.raises(UnknownClub):
        set_quotas("nobody", tournaments=1, people=None, megabytes=None)
    assert club_of("alpha").club.quotas == Quotas()


# --- at once -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("takes_turns", [True, False])
def test_of_two_who_add_the_last_one_at_once_one_is_refused(
    new_club: NewClub, monkeypatch: pytest.MonkeyPatch, *, takes_turns: bool
) -> None:
    """Two desks of two tournaments, and two organisers. The control does not take turns: both get in."""
    if not takes_turns:
        monkeypatch.setattr(quotas, "_take_turns", lambda: None)
    club = with_quotas(new_club("alpha"), tournaments=3, people=1)
    with in_club(club):
        evenings = [a_tournament("eins"), a_tournament("zwei")]
        first, second = (
            lambda evening=evening: register(evening, Newcomer("Spieler"), paid=False, **BY)
            for evening in evenings
        )
        [late] = while_uncommitted(first, in_thread(club, second))
        assert Participant.objects.count() == (1 if takes_turns else 2)
        assert isinstance(late, Refusal) == takes_turns
        [late] = while_uncommitted(
            lambda: a_tournament("drei"), in_thread(club, lambda: a_tournament("vier"))
        )
        assert Tournament.objects.count() == (3 if takes_turns else 4)
        assert isinstance(late, Refusal) == takes_turns


def test_clubs_do_not_wait_for_each_other(new_club: NewClub) -> None:
    alpha, beta = (with_quotas(new_club(slug), tournaments=1) for slug in ("alpha", "beta"))

    def impatient() -> object:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'")
            return a_tournament().slug

    with in_club(alpha), transaction.atomic():
        a_tournament()
        assert at_once(in_thread(beta, impatient)) == ["winter"]
