"""A club with everything that outlives an evening, and all that is to be the same wherever it goes."""

from datetime import date, timedelta
from typing import Any

from scoring.core.series_rule import series_preset
from scoring.documents import dump, export_tournament
from scoring.documents.club import export_club
from scoring.models import Evening, Honour, Series
from scoring.public.series import series_document
from scoring.queries.honours import honours_by_year
from scoring.queries.series import series_page
from scoring.services.honours import set_honours
from scoring.services.purge import delete_tournament, erase_from_club
from scoring.services.series import choose_evenings, draw_lot, make_series, type_evening
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round
from tournaments.models import Appearance, ClubSettings, Consent, Person, Tournament
from tournaments.queries.club import ClubDetails
from tournaments.services.club import set_club
from tournaments.services.people import edit_person, merge, recognise, record_consent, remember
from tournaments.services.tournaments import allow_purge

BY: dict[str, Any] = {"by": "leitung", "at": AT}
TODAY = AT.date()
ERASED = "Ludwig Sauer"
NAMES = ("Anna Berg", "Bert Maier", "Carl Huber", ERASED, "Emil Lang")


def an_evening(slug: str, day: date, *names: str) -> Tournament:
    """Return an evening of one round that has ended."""
    tournament = TournamentFactory.create(slug=slug, name=slug.title(), played_on=day)
    tournament.ruleset |= {"rounds": 1}
    tournament.save()
    for name in names:
        ParticipantFactory.create(tournament=tournament, name=name)
    a_played_round(tournament)
    return tournament


def a_club() -> None:
    """Three evenings that are over, one of them deleted, one to come, one of earlier times; a double, an erased person, a withdrawn word."""
    set_club(ClubDetails("Schnauzfreunde", town="Hof", retention_months=12, name_days=400), **BY)
    days = [TODAY - timedelta(days=7 * weeks) for weeks in (3, 2, 1)]
    first, second, third = (
        an_evening(f"abend-{number}", day, *NAMES) for number, day in enumerate(days, start=1)
    )
    coming = TournamentFactory.create(slug="abend-4", name="Abend 4", played_on=TODAY)
    people = {number: remember(first, number, **BY).key for number in (1, 2, 4)}
    for number, key in people.items():
        for later in (second, third):
            if number > 1:
                recognise(later, number, key, how="suggested", **BY)  # type: ignore[arg-type]
    double = remember(second, 1, **BY).key
    merge(double, people[1])
    details: dict[str, Any] = {"club": "SV Hof", "town": "Hof", "fee": "full", "names": "short"}
    membership: dict[str, Any] = {"member_from_on": date(2001, 1, 1), "member_until_on": None}
    edit_person(
        people[1],
        name="Anna Berg",
        member_number="17",
        table=2,
        apart=["Bert Maier"],
        **details,
        **membership,
    )
    record_consent(people[2], what="honours", is_given=True, on=TODAY, how="paper")
    record_consent(people[2], what="keep", is_given=False, on=TODAY, how="own_phone")
    for slug, rule in (("jahr", "best-seven"), ("pokal", "sum-of-three")):
        series = make_series(slug=slug, name=slug.title(), rule=series_preset(rule), planned=9, at=AT)
        ids = [first.pk, second.pk, third.pk, coming.pk]
        choose_evenings(series, ids)
    type_evening(
        series, "1; Anna Berg; 30\n2; Wer Anders; -3", name="Vereinsabend", day=TODAY - timedelta(days=90)
    )
    draw_lot(series)
    set_honours("1998; Anna Berg\n1999; Alter Meister; Vereinsmeister", **BY)
    delete_tournament(third, typed=third.name, from_series=False, **BY)
    erase_from_club(people[4], **BY)


def forget_club() -> None:
    """Delete what lies above tournaments."""
    Series.objects.all().delete()
    Evening.objects.filter(tournament=None).delete()
    Honour.objects.all().delete()
    ClubSettings.objects.all().delete()
    Appearance.objects.all().delete()
    allow_purge()
    Consent.objects.all().delete()
    Person.objects.update(merged_into=None)
    Person.objects.all().delete()


def everything() -> dict[str, Any]:
    """Return all that has to be the same: documents, standings with all inputs, honours."""
    tournaments = Tournament.objects.order_by("slug")
    return {
        "club": dump(export_club()),
        "tournaments": {each.slug: dump(export_tournament(each)) for each in tournaments},
        "series": [
            series_document(series_page(each, today=TODAY)) for each in Series.objects.order_by("slug")
        ],
        "honours": honours_by_year(today=TODAY),
    }
