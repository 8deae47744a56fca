"""Series (Jahreswertung): make, change, choose evenings, make the final, draw the lot between equal players."""

import secrets
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring.core.series_rule import SeriesRule
from scoring.core.typed_years import typed_results
from scoring.models import Evening, EveningResult, Series, SeriesEvening
from scoring.queries.series import SeriesLine, person_of, series_page
from scoring.services.copies import copy_evening
from tournaments.core.names import clean_name
from tournaments.core.refusal import Refusal
from tournaments.models import Appearance, Person, Tournament
from tournaments.queries.people import people_named
from tournaments.queries.tournaments import free_slug
from tournaments.services.door import Newcomer
from tournaments.services.people import recognise
from tournaments.services.people_lists import announce

_OF_A_FINAL = ("rules", "fees", "prizes", "names", "place", "times", "desks", "screens", "people")


def make_series(*, slug: str, name: str, rule: SeriesRule, planned: int | None, at: datetime) -> Series:
    """Make a series without evenings, with its own copy of the rule. Refuses slug_taken (slug), name_...."""
    columns = {"name": clean_name(name, most=120), "rule": rule.to_dict(), "planned": planned}
    try:
        with transaction.atomic():
            return Series.objects.create(slug=slug, created_at=at, **columns)
    except IntegrityError:
        raise Refusal("slug_taken", slug=slug) from None


def choose_evenings(series: Series, chosen: Collection[int], *, dropped: Collection[int] = ()) -> None:
    """Let the series have `chosen` (ids of tournaments) and no other tournament. It keeps the evenings without one.

    dropped: evenings without a tournament that it loses; they are deleted, unless another series has them. The evenings
    are in the order of their days. Practice never counts.
    """
    with transaction.atomic():
        Series.objects.select_for_update().get(pk=series.pk)
        series.places.filter(evening__tournament=None, evening__in=dropped).delete()
        playing = Tournament.objects.filter(pk__in=chosen, is_practice=False)
        added = [Evening.objects.get_or_create(tournament=tournament)[0] for tournament in playing]
        kept = series.evenings.filter(tournament=None)
        _put_in_order(series, [*added, *kept])
        Evening.objects.filter(tournament=None, places=None).delete()


def type_evening(series: Series, text: str, *, name: str, day: date) -> Evening:
    """Store an evening of earlier times with its table, and let the series have it.

    A name that exactly one person of the club has is that person. Refuses what `typed_results` refuses, and name_....
    """
    lines = typed_results(text)
    with transaction.atomic():
        Series.objects.select_for_update().get(pk=series.pk)
        evening = Evening.objects.create(name=clean_name(name, most=120), played_on=day)
        people = people_named(line.name for line in lines)
        EveningResult.objects.bulk_create(
            EveningResult(
                evening=evening,
                person=people.get(line.name),
                name="" if line.name in people else line.name,
                rank=line.rank,
                shared=line.shared,
                points=line.points,
                strokes=0,
                table_wins=0,
            )
            for line in lines
        )
        _put_in_order(series, [*series.evenings.select_related("tournament"), evening])
    return evening


def _put_in_order(series: Series, evenings: Iterable[Evening]) -> None:
    in_order = sorted(evenings, key=lambda evening: (evening.day, evening.pk))
    series.places.all().delete()
    SeriesEvening.objects.bulk_create(
        SeriesEvening(series=series, evening=evening, number=number)
        for number, evening in enumerate(in_order, start=1)
    )


def make_final(
    series: Series, like: Tournament, *, name: str, played_on: date, owner: User, at: datetime
) -> Tournament:
    """Create the evening of the final like an evening of the series, with those who may play it as its announced players.

    Who is a person of the club is that person there. Nobody else is invited to register. Refuses final_without_players, and
    what `copy_evening` refuses.
    """
    with transaction.atomic():
        page = series_page(Series.objects.select_for_update().get(pk=series.pk), today=timezone.localdate(at))
        if not page.finalists:
            raise Refusal("final_without_players")
        final = copy_evening(
            like, _OF_A_FINAL, slug=free_slug(name), name=name, played_on=played_on, owner=owner, at=at
        )
        people = Person.objects.in_bulk(
            [key for line in page.finalists if (key := person_of(line.row.player))]
        )
        signature: Any = {"by": owner.username, "at": at}
        newcomers = [_finalist(line, people, final) for line in page.finalists]
        announced = announce(final, newcomers, **signature)
        for line, player in zip(page.finalists, announced, strict=True):
            if key := person_of(line.row.player):
                recognise(final, player.start_number, key, how=Appearance.Way.LIST, **signature)
    return final


def _finalist(line: SeriesLine, people: Mapping[UUID, Person], final: Tournament) -> Newcomer:
    """Return a player of the final; a person of the club pays their usual kind of fee, if there is such a one."""
    name, club = line.known_as
    key = person_of(line.row.player)
    if key is None:
        return Newcomer(name, club)
    person = people[key]
    fee = person.fee if person.fee in {kind.key for kind in final.fee_kinds} else ""
    return Newcomer(person.name, person.club, fee=fee, details={"town": person.town})


def draw_lot(series: Series) -> None:
    """Draw the lot between players who are equal in everything, once: a recorded seed gives their order."""
    Series.objects.filter(pk=series.pk, lot_seed="").update(lot_seed=secrets.token_hex(32))


def delete_series(series: Series) -> None:
    """Delete a series, and evenings without a tournament that no other one has. All other evenings and their results stay."""
    with transaction.atomic():
        series.delete()
        Evening.objects.filter(tournament=None, places=None).delete()
