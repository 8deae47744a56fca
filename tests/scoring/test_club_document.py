"""The club's document: there and back without loss, and a sentence for everything else."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings

from scoring.documents import dump, import_tournament
from scoring.documents.club import export_club, import_club
from scoring.models import EveningResult, Honour, Series
from scoring.services.projection import rebuild_results
from scoring.services.purge import delete_tournament, erase_from_club
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, enter
from tests.scoring.a_club import BY, ERASED, a_club, an_evening, everything, forget_club
from tests.scoring.pages import text_of
from tournaments.core.document_reader import DocumentError
from tournaments.models import Appearance, ClubRole, ClubSettings, Consent, Person, Tournament
from tournaments.queries.people import known_people
from tournaments.services.people import remember

pytestmark = pytest.mark.django_db

CHANGED = Callable[[dict[str, Any]], object]


def forget_everything() -> None:
    for tournament in Tournament.objects.all():
        delete_tournament(tournament, typed=tournament.name, **BY)
    forget_club()


def read_tournaments(before: dict[str, Any]) -> None:
    for text in before["tournaments"].values():
        import_tournament(text, at=AT)


def stored() -> list[int]:
    models = (Person, Consent, Appearance, Series, Honour, ClubSettings)
    return [model.objects.count() for model in models]


# --- there and back ------------------------------------------------------------------------------------------------


def test_club_and_evenings_come_back_from_their_documents_and_no_number_is_another() -> None:
    a_club()
    before = everything()
    assert [len(each["rows"]) for each in before["series"]] == [8, 9]
    forget_everything()
    assert export_club()["people"] == []
    read_tournaments(before)
    assert import_club(before["club"], at=AT) == 4
    connection.check_constraints()
    assert everything() == before
    assert [rebuild_results(each) for each in Tournament.objects.all()] == [[], [], []]


def test_what_was_imported_goes_on() -> None:
    """Suggestions, a merged double, a withdrawn word: what is derived is there again."""
    a_club()
    before = everything()
    forget_everything()
    read_tournaments(before)
    import_club(before["club"], at=AT)
    evening = TournamentFactory.create()
    assert [person.name for person in known_people(evening, "Berg")] == ["Anna Berg"]
    erase_from_club(Person.objects.get(member_number="17").key, **BY)
    assert "Berg" not in dump(export_club())


def test_the_club_of_a_program_without_people_has_an_empty_document() -> None:
    document = export_club()
    assert document.pop("schema") == "schnauz-club/1"
    assert document.pop("settings") is None
    assert set(map(len, document.values())) == {0}
    assert import_club(dump(export_club()), at=AT) == 0


def test_a_document_made_after_an_erasure_names_nobody_who_was_erased() -> None:
    a_club()
    document = export_club()
    assert ERASED not in json.dumps(document, ensure_ascii=False)
    erased = [person for person in document["people"] if person["erased_at"]]
    assert [person["name"] for person in erased] == [None]


def test_practice_is_no_evening_of_the_club() -> None:
    practice = TournamentFactory.create(is_practice=True)
    ParticipantFactory.create(tournament=practice, name="Wer Anders")
    remember(practice, 1, **BY)
    document = export_club()
    assert (len(document["people"]), document["tournaments"]) == (1, [])


def test_settings_that_are_there_stay() -> None:
    a_club()
    before = dump(export_club())
    for name, place in (("Schnauzfreunde", None), ("Andere", "Andere")):
        document = json.loads(before)
        document |= {
            "people": [],
            "consents": [],
            "tournaments": [],
            "series": [],
            "honours": [],
            "evenings": [],
        }
        forget_everything()
        if place:
            ClubSettings.objects.create(pk=1, name=place, **BY)
        import_club(json.dumps(document), at=AT)
        assert ClubSettings.objects.get().name == name


# --- what is refused -----------------------------------------------------------------------------------------------


def change(path: str, value: object) -> CHANGED:
    *names, last = path.split(".")

    def changed(document: Any) -> None:
        for name in names:
            document = document[int(name) if name.isdigit() else name]
        if last.isdigit() and int(last) == len(document):
            document.append(value)
        else:
            document[int(last) if last.isdigit() else last] = value

    return changed


def again(path: str) -> CHANGED:
    """Append the first item of a list once more."""

    def changed(document: Any) -> None:
        for name in path.split("."):
            document = document[int(name) if name.isdigit() else name]
        document.append(document[0])

    return changed


def circle(document: dict[str, Any]) -> None:
    merged = next(person for person in document["people"] if person["merged_into"])
    target = next(person for person in document["people"] if person["key"] == merged["merged_into"])
    target["merged_into"] = merged["key"]


def apart_from_oneself(document: dict[str, Any]) -> None:
    document["people"][0]["apart"] = [document["people"][0]["key"]]


def both_in_one_evening(document: dict[str, Any]) -> None:
    merged = next(person for person in document["people"] if person["merged_into"])
    seated = document["tournaments"][0]["appearances"]
    seated[1]["person"] = merged["key"]


def erased_with_a_name(document: dict[str, Any]) -> None:
    document["people"][0] |= {"name": "Wer Anders", "erased_at": "2026-11-21T20:00:00Z"}


DAMAGED: list[tuple[CHANGED, str, str]] = [
    (change("schema", "schnauz-club/2"), "document_schema_newer", "$.schema"),
    (change("schema", "schnauz-turnier/2"), "document_schema_unknown", "$.schema"),
    (change("secrets", []), "document_unknown_key", "$.secrets"),
    (change("settings.names", "none"), "document_choice_expected", "$.settings.names"),
    (change("settings.retention_months", 0), "document_number_expected", "$.settings.retention_months"),
    (change("people", None), "document_list_expected", "$.people"),
    (change("people.0.key", "x"), "document_uuid_expected", "$.people[0].key"),
    (change("people.0.town", "x" * 81), "text_too_long", "$.people[0].town"),
    (again("people"), "club_twice", "$.people[4].key"),
    (change("people.0.apart", [str(uuid4())]), "club_person_unknown", "$.people[0].apart[0]"),
    (apart_from_oneself, "club_person_unknown", "$.people[0].apart"),
    (change("people.0.table", 501), "document_number_expected", "$.people[0].table"),
    (circle, "club_circle", "$.people"),
    (erased_with_a_name, "club_erased_or_named", "$.people[0].name"),
    (change("people.0.merged_into", str(uuid4())), "club_person_unknown", "$.people[0].merged_into"),
    (change("consents.0.person", None), "club_person_unknown", "$.consents[0].person"),
    (change("consents.0.what", "all"), "document_choice_expected", "$.consents[0].what"),
    (change("tournaments.0.slug", "fehlt"), "club_tournament_missing", "$.tournaments[0].slug"),
    (change("tournaments.0.date", "2020-01-01"), "club_tournament_other", "$.tournaments[0].date"),
    (again("tournaments"), "club_twice", "$.tournaments[3].slug"),
    (
        change("tournaments.0.appearances.0.start_number", 99),
        "unknown_participant",
        "$.tournaments[0].appearances[0].start_number",
    ),
    (
        again("tournaments.0.appearances"),
        "club_twice",
        "$.tournaments[0].appearances[3].start_number",
    ),
    (both_in_one_evening, "club_twice", "$.tournaments[0].appearances[1].person"),
    (change("evenings.0.name", ""), "text_empty", "$.evenings[0].name"),
    (change("evenings.0.results.0.rank", 0), "document_number_expected", "$.evenings[0].results[0].rank"),
    (change("series.0.rule.value", "luck"), "series_field_bad", "$.series[0].rule"),
    (change("series.1.slug", "jahr"), "club_twice", "$.series[1].slug"),
    (change("series.0.lot_seed", "x"), "seed_bad", "$.series[0].lot_seed"),
    (change("series.0.evenings.0", 3), "club_evening_unknown", "$.series[0].evenings[0]"),
    (change("series.0.evenings.0", True), "club_evening_unknown", "$.series[0].evenings[0]"),
    (again("series.0.evenings"), "club_twice", "$.series[0].evenings[4]"),
    (change("honours.0.name", "Wer Anders"), "club_person_or_name", "$.honours[0].name"),
    (change("honours.0.year", 17), "document_number_expected", "$.honours[0].year"),
]


def test_a_damaged_document_is_refused_where_it_is_damaged() -> None:
    a_club()
    before = everything()
    forget_everything()
    read_tournaments(before)
    for changed, code, path in DAMAGED:
        document = json.loads(before["club"])
        changed(document)
        with pytest.raises(DocumentError) as error:
            import_club(json.dumps(document), at=AT)
        assert (error.value.refusal.code, error.value.path) == (code, path)
        assert stored() == [0] * 6
        assert not EveningResult.objects.filter(evening__tournament=None).exists()


def test_nothing_is_overwritten_in_a_club_with_people() -> None:
    a_club()
    before = everything()
    with pytest.raises(DocumentError, match="club_not_empty"):
        import_club(before["club"], at=AT)
    assert everything() == before


# --- page and command ----------------------------------------------------------------------------------------------

FILE, READ, PAGE = "/o/+/club.json", "/o/+/club/", "/account/club/"


@pytest.fixture
def owner(client: Client) -> Client:
    enter(client, UserFactory.create(is_superuser=True))
    return client


def test_the_owner_takes_the_club_along_and_reads_it_where_it_is_empty(owner: Client) -> None:
    a_club()
    before = everything()
    page = owner.get(PAGE).content.decode()
    assert FILE in page
    assert READ in page
    saved = owner.get(FILE)
    assert saved["Content-Disposition"] == 'attachment; filename="verein.json"'
    assert saved.content.decode() == before["club"]
    refused = owner.post(READ, {"file": SimpleUploadedFile("verein.json", saved.content)})
    assert refused.status_code == 422
    assert "Der Verein hat schon Leute, Jahreswertungen oder Ehrungen." in text_of(refused)
    forget_everything()
    missing = owner.post(READ, {"file": SimpleUploadedFile("verein.json", saved.content)})
    assert "In der Datei bei $.tournaments[0].slug: Das Turnier „abend-1“ fehlt hier." in text_of(missing)
    assert stored() == [0] * 6
    read_tournaments(before)
    done = owner.post(READ, {"file": SimpleUploadedFile("verein.json", saved.content)}, follow=True)
    assert "Der Verein ist eingelesen." in text_of(done)
    assert everything() == before


def test_only_organisers_of_the_club_take_it_along(client: Client) -> None:
    evening = an_evening(
        "abend", AT.date(), "Anna Berg", "Bert Maier", "Carl Huber", "Dora Kern", "Emil Lang"
    )
    user = UserFactory.create()
    evening.memberships.create(user=user, role="organiser")
    enter(client, user)
    assert [client.get(address).status_code for address in (FILE, READ)] == [404, 404]
    ClubRole.objects.create(user=user, role="cashier")
    assert [client.get(address).status_code for address in (FILE, READ)] == [404, 404]
    ClubRole.objects.update(role="organiser")
    assert [client.get(address).status_code for address in (FILE, READ)] == [200, 200]


def test_commands_write_and_read_it(tmp_path: Path) -> None:
    a_club()
    before, out = everything(), io.StringIO()
    call_command("export_club", stdout=out)
    file = tmp_path / "verein.json"
    file.write_text(out.getvalue(), encoding="utf-8")
    with pytest.raises(CommandError, match=r"\$: Der Verein hat schon Leute"):
        call_command("import_club", str(file))
    with override_settings(DOCUMENT_CHARACTERS=100), pytest.raises(CommandError, match="more than 100 char"):
        call_command("import_club", str(file))
    forget_everything()
    read_tournaments(before)
    out = io.StringIO()
    call_command("import_club", str(file), stdout=out)
    assert out.getvalue() == "4 people\n"
    assert everything() == before
