"""Honours of earlier years, as the club has typed them in. Those of evenings and series follow from results and are not stored."""

from datetime import datetime

from django.db import transaction

from scoring.core.typed_years import TypedHonour, typed_honours
from scoring.models import Honour
from tournaments.models import Person
from tournaments.queries.people import people_named


def set_honours(text: str, *, by: str, at: datetime) -> None:
    """Store these honours, and delete those that are not among them. One that stays as it is remains untouched.

    A name that exactly one person of the club has is that person. Refuses what `typed_honours` refuses.
    """
    wanted = typed_honours(text)
    with transaction.atomic():
        left: dict[TypedHonour, list[Honour]] = {}
        for stored in Honour.objects.select_for_update(of=("self",)).select_related("person"):
            left.setdefault(as_typed(stored), []).append(stored)
        added = [line for line in wanted if not (left.get(line) and left[line].pop())]
        Honour.objects.filter(pk__in=[gone.pk for rows in left.values() for gone in rows]).delete()
        people = people_named(line.name for line in added)
        Honour.objects.bulk_create(_honour(line, people.get(line.name), by, at) for line in added)


def _honour(line: TypedHonour, person: Person | None, by: str, at: datetime) -> Honour:
    name = "" if person else line.name
    return Honour(year=line.year, title=line.title, person=person, name=name, by=by, at=at)


def as_typed(honour: Honour) -> TypedHonour:
    """Return a stored honour as a line of the text has it."""
    return TypedHonour(honour.year, f"{honour.person or honour.name}", honour.title)
