"""The year's standing on the organiser's page and in public: rule, evenings, names, lot and JSON."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from scoring.core.series_rule import preset_text, series_preset
from scoring.models import Evening, EveningResult, Series
from scoring.queries.series import identity_of, series_page
from scoring.services.purge import erase_from_club, erase_person
from scoring.services.series import choose_evenings, make_series
from scoring.services.standings import freeze, release
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round, enter
from tests.scoring.pages import text_of
from tests.security.description import contradictions, schema_of
from tournaments.core.person_search import words_of
from tournaments.models import Appearance, Participant, Person, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services.people import merge

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"by": "leitung", "at": AT}
TODAY = AT.date()


def evening(name: str, *people: str, day: date = TODAY, **fields: Any) -> Tournament:
    """Return an evening of one round that has ended; `people` have clubs behind a slash."""
    tournament = TournamentFactory.create(name=name, played_on=day, **fields)
    tournament.ruleset |= {"rounds": 1}
    tournament.save()
    for person in people:
        player, _, club = person.partition("/")
        ParticipantFactory.create(tournament=tournament, name=player, club=club)
    a_played_round(tournament)
    return tournament


PEOPLE = ("Anna Berg/SV Hof", "Bert Maier", "Carl Huber", "Dora Kern", "Emil Lang")


@pytest.fixture
def client_of_owner(client: Client) -> Client:
    enter(client, UserFactory.create(is_superuser=True))
    return client


def series_of(*evenings: Tournament, rule: str = "best-seven", planned: int | None = None) -> Series:
    made = make_series(slug="jahr", name="Jahr 2026", rule=series_preset(rule), planned=planned, at=AT)
    ids = [each.pk for each in evenings]
    choose_evenings(made, ids)
    return made


def values(series: Series, today: date = TODAY) -> dict[str, str]:
    return {line.name: str(line.row.value) for line in series_page(series, today=today).lines}


def places(tournament: Tournament) -> dict[str, int]:
    """Return the ranks of an evening by name."""
    rows = Participant.objects.filter(tournament=tournament).select_related("evening_result")
    return {row.name: row.evening_result.rank for row in rows}


def test_a_series_is_made_from_a_preset_and_its_evenings_are_ticked(client_of_owner: Client) -> None:
    tournaments = [evening("Herbst", *PEOPLE), evening("Frühling", *PEOPLE, day=date(2026, 3, 1))]
    typed = {"name": "Jahr 2026", "preset": "best-seven", "planned": "9", "rule": ""}
    made = client_of_owner.post(reverse("organiser:all_series"), typed)
    assert made["Location"] == reverse("organiser:series", args=["jahr-2026"])
    assert "„Jahr 2026“ ist angelegt." in text_of(client_of_owner.get(made["Location"]))
    client_of_owner.post(made["Location"], {"evening": [str(each.pk) for each in tournaments]})
    page = text_of(client_of_owner.get(made["Location"]))
    assert page.index("Frühling, 1. März 2026") < page.index("Herbst, 21. November 2026")
    assert "Bei gleicher Wertung entscheidet der Reihe nach: der beste Abend, mehr gewonnene Abende." in page
    points = dict(zip(range(1, 6), (10, 8, 6, 5, 4), strict=True))
    together = {
        name: points[rank] + points[places(tournaments[1])[name]]
        for name, rank in places(tournaments[0]).items()
    }
    assert values(Series.objects.get()) == {name: str(value) for name, value in together.items()}
    client_of_owner.post(made["Location"], {})
    assert values(Series.objects.get()) == {}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"rule": "value = luck"}, "Diese Regel ist nicht lesbar."),
        ({"rule": 'title = "x"\nvalue = "luck"'}, "In der Regel fehlt das Feld „value“"),
        ({"planned": "0"}, "Bitte eine Zahl von 1 bis 400"),
        ({"name": ""}, "Namen"),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused_at_its_field(
    client_of_owner: Client, typed: dict[str, str], said: str
) -> None:
    body = {"name": "Jahr", "preset": "best-seven", "planned": "", "rule": ""} | typed
    answer = client_of_owner.post(reverse("organiser:all_series"), body)
    assert (answer.status_code, Series.objects.count()) == (422, 0)
    assert said in text_of(answer)


def test_a_rule_of_ones_own_is_kept_and_a_name_is_taken_once(client_of_owner: Client) -> None:
    body = {"name": "Jahr", "preset": "best-seven", "planned": "", "rule": preset_text("cup-with-final")}
    client_of_owner.post(reverse("organiser:all_series"), body)
    assert Series.objects.get().rule == series_preset("cup-with-final").to_dict()
    assert client_of_owner.post(reverse("organiser:all_series"), body).status_code == 422


def test_organisers_read_the_names_that_the_public_page_leaves_out(client_of_owner: Client) -> None:
    series_of(evening("Abend", *PEOPLE, names="number"))
    assert "Anna Berg" in text_of(client_of_owner.get(reverse("organiser:series", args=["jahr"])))
    assert "Anna Berg" not in text_of(client_of_owner.get(reverse("series", args=["jahr"])))


def test_the_organiser_of_an_evening_chooses_none(client: Client) -> None:
    others, mine = evening("Nachbarn", *PEOPLE), evening("Wir", *PEOPLE)
    made = series_of(others)
    user = UserFactory.create()
    mine.memberships.create(user=user, role="organiser")
    enter(client, user)
    address = reverse("organiser:series", args=["jahr"])
    assert client.post(address, {"evening": [str(mine.pk)]}).status_code == 404
    assert [str(each) for each in made.evenings.all()] == ["Nachbarn"]


def test_a_frozen_evening_counts_when_its_standings_are_released() -> None:
    first, second = evening("Erster", *PEOPLE), evening("Zweiter", *PEOPLE)
    made = series_of(first, second)
    together = values(made)
    freeze(second, **BY)
    assert values(made) == values(series_alone(first))
    release(second, **BY)
    assert values(made) == together


def series_alone(tournament: Tournament) -> Series:
    made = make_series(slug="nur", name="Nur", rule=series_preset("best-seven"), planned=None, at=AT)
    choose_evenings(made, [tournament.pk])
    return made


def test_the_same_name_and_club_are_one_person_and_another_club_is_another() -> None:
    people = [ParticipantFactory.create(name=name, club=club) for name, club in (
        ("Huber Sepp", "SV Hof"), ("Sepp Huber", "SV  HOF"), ("Sepp Huber", "TSV Au"), ("Nr. 4", ""), ("Nr. 4", ""),
    )]  # fmt: skip
    Participant.objects.filter(pk__in=[person.pk for person in people[3:]]).update(start_number=4)
    people = list(Participant.objects.order_by("pk"))
    keys = [identity_of(person, {}) for person in people]
    assert (len(set(keys)), keys[0]) == (4, keys[1])


def test_who_is_one_person_of_the_club_is_one_in_the_year_also_under_two_names_and_when_merged() -> None:
    first, second = evening("Erster", *PEOPLE), evening("Zweiter", *PEOPLE[1:], "Anna Neu")
    made = series_of(first, second)
    apart = len(series_page(made, today=TODAY).lines)
    old, new = (Person.objects.create(name=name, words=words_of(name)) for name in ("Anna Berg", "Anna Neu"))
    for tournament, person in ((first, old), (second, new)):
        participant = tournament.participants.get(name=person.name)
        Appearance.objects.create(participant=participant, person=person, how="typed", **BY)
    assert len(series_page(made, today=TODAY).lines) == apart
    merge(old.pk, new.pk)
    assert len(series_page(made, today=TODAY).lines) == apart - 1


def test_two_of_one_name_in_one_evening_stay_two() -> None:
    made = series_of(evening("Abend", "Sepp Huber", "Sepp Huber", *PEOPLE[:3]))
    page = series_page(made, today=TODAY)
    assert [line.name for line in page.lines].count("Sepp Huber") == 2


def test_a_wish_for_the_name_holds_for_the_whole_year_and_an_erased_person_has_none() -> None:
    first, second = evening("Erster", *PEOPLE), evening("Zweiter", *PEOPLE)
    first.participants.filter(name="Bert Maier").update(names="number")
    first.participants.filter(name="Carl Huber").update(names="short")
    erase_person(first, 4, **BY)
    erase_person(second, 4, **BY)
    page = series_page(series_of(first, second), today=TODAY)
    assert sorted(line.name for line in page.lines) == ["", "", "", "Anna Berg", "Carl H.", "Emil Lang"]


def test_names_are_shown_until_thirty_days_after_the_last_evening() -> None:
    made = series_of(evening("Abend", *PEOPLE))
    last = AT.date() + timedelta(days=30)
    assert "Anna Berg" in values(made, last)
    assert set(values(made, last + timedelta(days=1))) == {""}
    Series.objects.update(planned=2)
    assert "Anna Berg" in values(Series.objects.get(), last + timedelta(days=1))


def typed_evenings(client: Client, *tables: str, rule: str = "sum-of-three", planned: int = 9) -> Series:
    """Return a series of evenings of earlier times: "Anna Berg 20, Bert Maier 10", the best first."""
    made = series_of(rule=rule, planned=planned)
    for month, table in enumerate(tables, start=1):
        lines = [line.rsplit(" ", 1) for line in table.split(", ")]
        text = "".join(f"{rank}; {name}; {points}\n" for rank, (name, points) in enumerate(lines, start=1))
        type_in(client, name=f"Abend {month}", day=f"01.{month:02d}.2026", lines=text)
    return made


def test_the_page_says_what_the_latest_evening_has_changed(client_of_owner: Client) -> None:
    series = typed_evenings(client_of_owner, "Anna Berg 20, Bert Maier 10", "Carl Huber 40, Bert Maier 11")
    lines = series_page(series, today=TODAY).lines
    assert [(line.name, line.before, line.moved) for line in lines] == [
        ("Carl Huber", None, 0), ("Bert Maier", 2, 0), ("Anna Berg", 1, -2)
    ]  # fmt: skip
    page = text_of(client_of_owner.get(reverse("series", args=["jahr"])))
    assert "▼2" in page
    assert "(vorher Rang 1)" in page
    assert "durch „Abend 2“" in page


def test_an_only_evening_has_changed_nothing_and_its_values_stand_once(client_of_owner: Client) -> None:
    typed_evenings(client_of_owner, "Anna Berg 20, Bert Maier 10")
    page = text_of(client_of_owner.get(reverse("series", args=["jahr"])))
    assert (page.count("20<"), "vorher Rang" in page, "Durchgestrichen" in page) == (1, False, False)


def test_who_can_still_win_is_said_once_somebody_cannot(
    client_of_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "localdate", lambda *_: TODAY)  # a year later nobody is named
    tables = ["Anna Berg 9, Bert Maier 8, Carl Huber 7"] * 2 + ["Anna Berg 9, Bert Maier 8"] * 2
    typed_evenings(client_of_owner, *tables, rule="best-seven", planned=5)
    address = reverse("series", args=["jahr"])
    assert "Noch gewinnen können: <b>Anna Berg und Bert Maier</b>" in text_of(client_of_owner.get(address))
    Series.objects.update(planned=9)
    assert "Noch gewinnen" not in text_of(client_of_owner.get(address))


def test_the_list_says_how_far_each_series_is(client_of_owner: Client) -> None:
    made = typed_evenings(client_of_owner, "Anna Berg 9, Bert Maier 8", planned=9)
    coming = TournamentFactory.create(name="Herbst", played_on=timezone.localdate())
    choose_evenings(made, [coming.pk])
    page = text_of(client_of_owner.get(reverse("organiser:all_series")))
    assert "1 von 9 Abenden gespielt" in page
    assert "Vorn: <b>Anna Berg</b>" in page
    assert f"Als Nächstes: Herbst, {date_format(coming.played_on)}" in page


def test_points_of_different_sheets_are_refused_with_a_sentence(client: Client) -> None:
    first, second = evening("Erster", *PEOPLE), evening("Zweiter", *PEOPLE)
    Tournament.objects.filter(pk=second.pk).update(ruleset=preset("fce").to_dict())
    series_of(first, second, rule="sum-of-three")
    page = text_of(client.get(reverse("series", args=["jahr"])))
    assert "Mit Punkten nach dem Platz geht es." in page


def test_the_lot_is_drawn_once(client_of_owner: Client) -> None:
    made = series_of(evening("Abend", *PEOPLE), rule="sum-of-three")
    for _ in range(2):
        client_of_owner.post(reverse("organiser:draw_series_lot", args=["jahr"]))
        seeds = {Series.objects.get(pk=made.pk).lot_seed}
    assert len(seeds) == 1
    assert len(seeds.pop()) == 64


def test_the_json_has_the_rule_and_all_that_the_standing_follows_from(client: Client) -> None:
    series_of(evening("Abend", *PEOPLE), planned=9)
    found = client.get(reverse("series_json", args=["jahr"])).json()
    assert contradictions(schema_of("/series/{series}.json", "GET", 200), found) == []
    assert (found["rule"], found["problem"]) == (series_preset("best-seven").to_dict(), None)
    assert [len(each["results"]) for each in found["evenings"]] == [5]
    assert [(row["rank"], row["value"], row["player"]) for row in found["rows"]] == [
        (1, "10", 1), (2, "8", 2), (3, "6", 3), (4, "5", 4), (5, "4", 5)
    ]  # fmt: skip


TABLE = "1. ; Anna Berg; 20\n1;Bert Maier; 20\n3\tGustav Rot\t−2\n"


def type_in(client: Client, **other: str) -> Any:
    body = {"name": "Weihnachten", "day": "26.12.1998", "lines": TABLE} | other
    return client.post(reverse("organiser:type_evening", args=["jahr"]), body)


def test_an_evening_of_earlier_times_counts_as_any_other(client_of_owner: Client) -> None:
    """Anna Berg is the only one of her name, so the table need not say her club; Bert Maier is a person of the club."""
    person = Person.objects.create(name="Maier Bert", words=words_of("Maier Bert"))
    tournament = evening("Abend", *PEOPLE)
    Appearance.objects.create(
        participant=tournament.participants.get(name="Bert Maier"), person=person, how="typed", **BY
    )
    made = series_of(tournament, rule="sum-of-three")
    alone = values(made)
    type_in(client_of_owner)
    both = values(made)
    assert both.pop("Gustav Rot") == "-2"
    assert {name: int(value) - int(alone[name]) for name, value in both.items()} == {
        "Anna Berg": 20, "Bert Maier": 20, "Carl Huber": 0, "Dora Kern": 0, "Emil Lang": 0
    }  # fmt: skip
    page = client_of_owner.get(reverse("organiser:series", args=["jahr"]))
    assert "<span>Weihnachten, 26. Dezember 1998</span>" in text_of(page)
    document = client_of_owner.get(reverse("series_json", args=["jahr"])).json()
    assert contradictions(schema_of("/series/{series}.json", "GET", 200), document) == []
    typed = str(made.evenings.get(tournament=None).pk)
    kept = {"evening": [str(tournament.pk)], "drop": [typed]}
    client_of_owner.post(reverse("organiser:series", args=["jahr"]), kept)
    assert values(made) == alone
    assert Evening.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"lines": "1; Anna\n"}, "Zeile 1"), ({"lines": "1; Anna; 3\n3; Bert; 2"}, "Mit Rang 3"), ({"lines": ""}, "Feld"),
        ({"lines": "0; Anna; 3"}, "Zeile 1"), ({"lines": "1; Anna; viel"}, "Zeile 1"), ({"day": "gestern"}, "Tag"),
    ],
)  # fmt: skip
def test_a_table_that_does_not_add_up_is_refused(
    client_of_owner: Client, typed: dict[str, str], said: str
) -> None:
    series_of()
    answer = type_in(client_of_owner, **typed)
    assert (answer.status_code, Evening.objects.count()) == (422, 0)
    assert said in text_of(answer)


def test_who_is_erased_is_nobody_in_an_evening_that_was_typed_in(client_of_owner: Client) -> None:
    tournament = evening("Abend", *PEOPLE)
    made = series_of(tournament, rule="sum-of-three")
    person = Person.objects.create(name="Gustav Rot", words=words_of("Gustav Rot"))
    type_in(client_of_owner)
    before = sorted(str(line.row.value) for line in series_page(made, today=TODAY).lines)
    erase_from_club(person.key, **BY)
    erase_person(tournament, tournament.participants.get(name="Bert Maier").start_number, **BY)
    assert sorted(values(made)) == ["", "Anna Berg", "Carl Huber", "Dora Kern", "Emil Lang"]
    assert not EveningResult.objects.filter(name="Bert Maier").exists()
    after = [str(line.row.value) for line in series_page(made, today=TODAY).lines]
    assert len(after) == len(before) + 1  # nobody knows any more that two results are one person's


def test_in_english_the_rule_is_english(client_of_owner: Client) -> None:
    series_of(evening("Abend", *PEOPLE))
    for address in (reverse("series", args=["jahr"]), reverse("organiser:all_series")):
        page = text_of(client_of_owner.get(address, headers={"Accept-Language": "en"}))
        assert "Club championship, the best 7 evenings" in page
        assert ">Vereinsmeisterschaft" not in page
        assert "Wie viele Abende" not in page


def test_deleting_a_series_leaves_its_evenings(client_of_owner: Client) -> None:
    tournament = evening("Abend", *PEOPLE)
    series_of(tournament)
    client_of_owner.post(reverse("organiser:delete_series", args=["jahr"]))
    assert (Series.objects.count(), tournament.evening.results.count()) == (0, 5)


def test_certificates_name_the_first_ranks_whole_and_nobody_who_was_erased(client_of_owner: Client) -> None:
    tournament = evening("Abend", *PEOPLE, names="number")
    series = series_of(tournament)
    address = reverse("organiser:series_certificates", args=[series.slug])
    assert address in client_of_owner.get(reverse("organiser:series", args=[series.slug])).content.decode()
    erase_person(tournament, tournament.participants.get(name="Bert Maier").start_number, **BY)
    page = text_of(client_of_owner.get(address))
    assert page.count("<h1>Urkunde</h1>") == page.count("unter 5 Spielern") == 4
    assert "Anna Berg" in page
    assert "Wertung läuft noch" in page
    Series.objects.update(planned=1)
    assert "Wertung läuft noch" not in text_of(client_of_owner.get(address))


def test_a_club_that_has_only_practised_reads_why_there_is_no_evening_to_choose(
    client_of_owner: Client,
) -> None:
    TournamentFactory.create(is_practice=True)
    address = reverse("organiser:series", args=[series_of().slug])
    assert "Die zum Üben zählen nicht." in text_of(client_of_owner.get(address))
