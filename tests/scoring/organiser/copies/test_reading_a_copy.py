"""A saved copy that is read back in the browser, and the winner of a finished evening in the list of tournaments."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from scoring.documents import dump, export_tournament
from scoring.queries.standings import current_standings
from scoring.services.purge import delete_tournament
from scoring.services.standings import freeze
from tests.factories import AT, TournamentFactory, a_played_round
from tests.scoring.evenings import simple_evening, text_of
from tests.scoring.pages import Staff
from tests.scoring.pages import text_of as words_of
from tournaments.models import Membership, Tournament
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset
from tournaments.text.numbers import listed

pytestmark = pytest.mark.django_db

PAGE = "/o/+/copy/"


@pytest.fixture
def desk() -> Staff:
    return Staff(10, ruleset=Ruleset.from_dict(preset("schnauz-placing").to_dict() | {"rounds": 1}))


def read(client: Client, text: str | bytes, **more: str) -> HttpResponse:
    data = text.encode() if isinstance(text, str) else text
    file = SimpleUploadedFile("abend.json", data)
    return client.post(PAGE, {"file": file, "slug": "", **more})  # type: ignore[return-value]


def error_of(answer: HttpResponse) -> str:
    assert answer.status_code == 422
    return words_of(answer)


def test_a_saved_copy_comes_back_whole_and_its_reader_is_organiser(desk: Staff) -> None:
    a_played_round(desk.tournament)
    slug, copy = desk.tournament.slug, dump(export_tournament(desk.tournament))
    TournamentFactory.create(owner=desk.user)  # so that the account is an organiser still
    delete_tournament(desk.tournament, typed=desk.tournament.name, by="x", at=AT)
    assert "Kopie einlesen" in words_of(desk.client.get("/o/"))
    assert 'name="file"' in desk.client.get(PAGE).content.decode()
    assert read(desk.client, copy)["Location"] == f"/o/{slug}/"
    again = Tournament.objects.get(slug=slug)
    assert dump(export_tournament(again)) == copy
    assert list(again.memberships.values_list("user__username", "role")) == [
        (desk.user.username, Membership.Role.ORGANISER)
    ]


def test_a_taken_address_is_said_and_another_one_is_taken(desk: Staff) -> None:
    copy = dump(export_tournament(desk.tournament))
    sentence = f"Die Webadresse „{desk.tournament.slug}“ gehört schon einem Turnier."
    assert sentence in error_of(read(desk.client, copy))
    assert "Die Webadresse darf nur aus Buchstaben" in error_of(read(desk.client, copy, slug="a b"))
    assert read(desk.client, copy, slug="zweite-kopie")["Location"] == "/o/zweite-kopie/"
    assert Tournament.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Diese Datei ist leer."),
        ("Huber;Sepp", "Das ist keine Datei dieses Programms"),
        ("Übel".encode("latin-1"), "Das ist keine Datei dieses Programms (UTF-8)."),
        ("[]", "Hier müssen Felder in geschweiften Klammern stehen."),
        (
            text_of(simple_evening("abend") | {"schema": "schnauz-turnier/9"}),
            "In der Datei bei $.schema: Diese Datei ist von einer neueren Version des Programms.",
        ),
        (
            text_of(simple_evening("abend") | {"participants": [{"start_number": 1, "name": ""}]}),
            "In der Datei bei $.participants[0].name: ",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_and_nothing_is_stored(
    desk: Staff, text: str | bytes, sentence: str
) -> None:
    assert sentence in error_of(read(desk.client, text))
    assert Tournament.objects.count() == 1


def test_a_cashier_reads_no_copy(desk: Staff) -> None:
    Membership.objects.filter(user=desk.user).update(role=Membership.Role.CASHIER)
    assert desk.client.get(PAGE).status_code == 404
    assert read(desk.client, text_of(simple_evening("abend"))).status_code == 404
    assert "Kopie einlesen" not in desk.client.get("/o/").content.decode()
    assert Tournament.objects.count() == 1


# --- the winner -----------------------------------------------------------------------------------------------------


def test_the_card_of_a_finished_evening_names_the_winner_once_the_result_is_shown(desk: Staff) -> None:
    assert "Gewonnen" not in words_of(desk.client.get("/o/"))
    freeze(desk.tournament, by="x", at=AT)
    a_played_round(desk.tournament)
    assert "Gewonnen" not in words_of(desk.client.get("/o/"))
    desk.post("show")
    names = [row.name for row in current_standings(desk.tournament).winners]
    assert f"Gewonnen haben {listed(names)}" in words_of(desk.client.get("/o/"))
