"""The list of members: read in with a preview, changed and never doubled, and saved as a file that is read again."""

from datetime import date
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from scoring.organiser.people.member_list import member_file, read_members
from tests.factories import AT, TournamentFactory, UserFactory, enter
from tests.tournaments.services.test_people import a_person
from tournaments.core.refusal import Refusal
from tournaments.list_files import text_of
from tournaments.models import Consent, Person
from tournaments.queries.member_list import MEMBER_COLUMNS, MemberPlan, member_plan
from tournaments.queries.people import known_people
from tournaments.services.people import merge, take_members

pytestmark = pytest.mark.django_db

TODAY = AT.date()
LIST = "Name;Verein;Ort;Mitglieds-Nr.;Mitglied seit;Mitglied bis\n"


@pytest.fixture
def client() -> Client:
    user: User = UserFactory.create(is_superuser=True)
    made = Client()
    enter(made, user)
    return made


def take(text: str) -> MemberPlan:
    lines = read_members(text).lines
    return take_members(lines, seen=member_plan(lines, on=TODAY).digest, on=TODAY)


def refused(plan: MemberPlan) -> list[tuple[int, str]]:
    return [(line, refusal.code) for line, _name, refusal in plan.refused]


def kept() -> list[tuple[object, ...]]:
    return list(Person.objects.order_by("name", "town").values_list(*MEMBER_COLUMNS))


# --- reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"{LIST}Huber Sepp;SV Ort;Hof;7;1.4.1972;31.12.2027",
        "Mitgliederliste 2026\n\nNachname;Vorname;Club;Wohnort;Nr.;Eintritt;Austritt;IBAN\n"
        "Sepp;Huber;SV Ort;Hof;7;1972-04-01;31.12.2027;DE00",
        "Name\tVorname\tVerein\tTown\tMember number\tMember since\tMember until\n"
        "Sepp\tHuber\tSV Ort\tHof\t7\t1972-04-01 00:00:00\t2027-12-31",
    ],
)
def test_columns_are_known_by_their_headings(text: str) -> None:
    members = read_members(text)
    wanted = ("Huber Sepp", "SV Ort", "Hof", "7", date(1972, 4, 1), date(2027, 12, 31))
    assert [tuple(line.values.values()) for line in members.lines] == [wanted]
    assert members.dropped == (("IBAN",) if "IBAN" in text else ())


def test_a_year_alone_is_its_first_day_and_what_is_empty_says_nothing() -> None:
    (line,) = read_members(f"{LIST}Kern Lena;;;;1998;").lines
    assert line.values == {"name": "Kern Lena", "member_from_on": date(1998, 1, 1)}


def test_a_line_that_cannot_be_read_is_named_and_the_others_are_taken() -> None:
    members = read_members(f"{LIST}Huber Sepp;;;7;gestern;\n;;Hof;8;;\n0171 123456;;;;;\nKern Lena;;;;;")
    assert [(line, refusal.code) for line, _text, refusal in members.bad] == [
        (2, "date_bad"),
        (3, "name_empty"),
        (4, "name_is_number"),
    ]
    assert [line.name for line in members.lines] == ["Kern Lena"]


def test_a_list_without_headings_and_one_that_is_too_long_are_refused() -> None:
    with pytest.raises(Refusal, match="members_without_headings"):
        read_members("Huber Sepp;SV Ort\nKern Lena;SV Ort")
    with pytest.raises(Refusal, match="too_many_lines"):
        read_members("Name\n" + "".join(f"Huber {at}a\n" for at in range(2001)))


# --- who is who ----------------------------------------------------------------------------------------------------


def test_a_second_import_changes_and_never_doubles() -> None:
    take(f"{LIST}Huber Sepp;;Hof;7;;\nKern Lena;;Hof;;;\nKern Lena;;Selb;;;")
    text = f"{LIST}Kern Lena;SV Ort;Selb;9;;\nSepp Huber-Kern;;Regen;7;2020;\nKern Lena;;Hof;;2021;"
    plan = take(text)
    assert (len(plan.new), len(plan.changed), refused(plan)) == (0, 3, [])
    assert kept() == [
        ("Kern Lena", "", "Hof", "", date(2021, 1, 1), None),
        ("Kern Lena", "SV Ort", "Selb", "9", None, None),
        ("Sepp Huber-Kern", "", "Regen", "7", date(2020, 1, 1), None),
    ]
    plan = take(text)
    assert (len(plan.new), len(plan.changed), plan.unchanged) == (0, 0, 3)
    assert known_people(TournamentFactory.create(), "huber")[0].name == "Sepp Huber-Kern"
    assert not Consent.objects.exists()


def test_an_ambiguous_line_is_named_and_not_taken() -> None:
    a_person("Huber Sepp", town="Hof")
    a_person("Sepp Huber", town="Selb")
    before = kept()
    plan = take(f"{LIST}Huber Sepp;SV Ort;;;;\nKern Lena;;;;;\nLena Kern;;;;;")
    assert refused(plan) == [(2, "member_ambiguous"), (4, "member_twice")]
    assert kept() == sorted([*before, ("Kern Lena", "", "", "", None, None)], key=str)


def test_a_number_is_the_person_and_two_numbers_are_two_people() -> None:
    a_person("Huber Sepp", town="Hof", member_number="7")
    plan = take(f"{LIST}Huber Sepp;;Hof;8;;\nMaier Anna;;Regen;7;;")
    assert [(line.name, line.values["member_number"]) for line in plan.new] == [("Huber Sepp", "8")]
    assert [(change.name, change.values) for change in plan.changed] == [
        ("Huber Sepp", {"name": "Maier Anna", "town": "Regen"})
    ]


def test_a_merged_row_is_found_by_its_number_and_an_erased_one_is_nobody() -> None:
    sepp, double = a_person("Huber Sepp"), a_person("Sepp Huber", member_number="7")
    merge(double.key, sepp.key)
    Person.objects.create(erased_at=AT)
    plan = take(f"{LIST}Huber Josef;;;7;;")
    assert [(change.key, change.values) for change in plan.changed] == [(sepp.key, {"name": "Huber Josef"})]


def test_who_is_missing_is_only_named() -> None:
    a_person("Huber Sepp", member_number="7")
    a_person("Kern Lena", member_from_on=date(2020, 1, 1))
    a_person("Vogt Max", member_number="8", member_until_on=date(2020, 1, 1))
    a_person("Gast Eva")
    plan = take(f"{LIST}Huber Sepp;;;7;;")
    assert [person.name for person in plan.missing] == ["Kern Lena"]
    assert Person.objects.count() == 4


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_what_is_saved_as_a_file_is_read_again_and_changes_nothing(kind: str, language: str) -> None:
    a_person("Huber, Sepp", club="=SUMME(1)", town="Hof; Saale", member_number="007")
    a_person("Lena Kern", member_from_on=date(1972, 4, 1), member_until_on=date(2027, 12, 31))
    merge(a_person("Kern Lena").key, Person.objects.get(name="Lena Kern").key)
    before = kept()
    with override(language):
        members = read_members(text_of(member_file(kind)))
        plan = member_plan(members.lines, on=TODAY)
    assert (members.bad, members.dropped, plan.new, plan.changed, plan.unchanged) == ((), (), (), (), 2)
    assert kept() == before


# --- the page ------------------------------------------------------------------------------------------------------


def test_a_list_is_checked_before_it_is_taken(client: Client) -> None:
    a_person("Huber Sepp", member_number="7")
    address = reverse("organiser:club_members")
    text = f"{LIST}Huber Sepp;;Hof;7;;\nKern Lena;;;8;;\nVogt Max;;;9;gestern;"
    upload = SimpleUploadedFile("mitglieder.csv", text.encode("cp1252"))
    page = client.post(address, {"file": upload, "check": "1"})
    assert [(line, who) for line, who, _why in page.context["refused"]] == [(4, "Vogt Max · 9 · gestern")]
    assert (Person.objects.count(), page.context["text"].splitlines()) == (1, text.splitlines())
    seen = page.context["plan"].digest
    a_person("Lena Kern")
    again = client.post(address, {"text": text, "seen": seen, "enter": "1"})
    assert (again.status_code, Person.objects.count()) == (422, 2)
    assert "Inzwischen hat sich bei den Leuten etwas geändert" in again.content.decode()
    seen = again.context["plan"].digest
    answer = client.post(address, {"text": text, "seen": seen, "enter": "1"}, follow=True)
    assert "Neu: 0. Geändert: 2." in answer.content.decode()
    assert list(Person.objects.order_by("name").values_list("name", "town", "member_number")) == [
        ("Huber Sepp", "Hof", "7"),
        ("Kern Lena", "", "8"),
    ]


def test_a_refused_list_is_still_there(client: Client) -> None:
    page = client.post(reverse("organiser:club_members"), {"text": "Huber Sepp;SV Ort"})
    assert page.status_code == 422
    assert "Huber Sepp;SV Ort</textarea>" in page.content.decode()


def test_the_people_are_downloaded_and_only_as_one_of_the_kinds(client: Client) -> None:
    a_person("Huber Sepp", member_number="7")
    answer = client.get(reverse("organiser:club_members_file", args=["csv"]))
    assert answer["Content-Disposition"] == 'attachment; filename="mitglieder.csv"'
    assert BytesIO(answer.content).read().decode("utf-8-sig").splitlines()[1] == "Huber Sepp;;;7;;"
    assert client.get(reverse("organiser:club_members_file", args=["pdf"])).status_code == 404
