"""Lists of people that were read in, and who of them can be taken out again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.core.refusal import Refusal
from tournaments.core.wishes import wish_from_dict
from tournaments.models import (
    Commitment,
    DrawAttempt,
    ImportedList,
    Participant,
    Payment,
    Seat,
    SignUp,
    Tournament,
)


@dataclass(frozen=True, slots=True)
class ListRow:
    """A list that was read in. present: the names of its people who are here; staying: why some cannot be taken out.

    left: how many of its people are still registered.
    """

    imported: ImportedList
    left: int
    present: tuple[str, ...]
    staying: tuple[Refusal, ...]

    @property
    def removable(self) -> int:
        return self.left - len(self.staying)


def imported_lists(tournament: Tournament) -> list[ListRow]:
    """Return the lists, the latest first."""
    people = tournament.participants.exclude(imported_list=None)
    staying = reasons_to_stay(tournament, people) if people else {}
    rows = []
    for imported in tournament.imported_lists.order_by("-number"):
        of_list = [person for person in people if person.imported_list_id == imported.pk]
        rows.append(
            ListRow(
                imported,
                len(of_list),
                tuple(person.name for person in of_list if person.state == Participant.Presence.PRESENT),
                tuple(staying[number] for person in of_list if (number := person.start_number) in staying),
            )
        )
    return rows


def reasons_to_stay(
    tournament: Tournament, people: QuerySet[Participant], *, changed_at: datetime | None = None
) -> dict[int, Refusal]:
    """Return by start number why people cannot be taken out: more is known of them than what their list says.

    has_been_seated, is_drawn, has_paid_since, is_excluded, has_signed_up, is_wished (name). changed_at: when a list has
    changed the people, who were there before: then payments until then, sign-ups and wishes are no reasons.
    """
    wished = {number for wish in tournament.wishes for number in wish_from_dict(wish).players}
    drawn = set[int]()
    for players in DrawAttempt.objects.filter(round__tournament=tournament).values_list("players", flat=True):
        drawn.update(players)
    for value in Commitment.objects.filter(tournament=tournament).values_list("value", flat=True):
        drawn.update(value.get("players", ()))
    rows: QuerySet[Any] = (
        people.select_related("imported_list")
        .prefetch_related("payments")
        .annotate(has_seat=Exists(Seat.objects.filter(participant=OuterRef("pk"))))
        .annotate(has_sign_up=Exists(SignUp.objects.filter(participant=OuterRef("pk"))))
        .order_by("start_number")
    )
    codes = {
        row: (
            "has_been_seated" if row.has_seat
            else "is_drawn" if row.start_number in drawn
            else "has_paid_since" if any(_is_since(payment, row, changed_at) for payment in row.payments.all())
            else "is_excluded" if row.excluded_at
            else "" if changed_at
            else "has_signed_up" if row.has_sign_up
            else "is_wished" if row.start_number in wished
            else ""
        )
        for row in rows
    }  # fmt: skip
    return {row.start_number: Refusal(code, name=row.name) for row, code in codes.items() if code}


def _is_since(payment: Payment, person: Participant, changed_at: datetime | None) -> bool:
    """Whether the payment is later than the change, or without one: not booked by the import of the person's list."""
    if changed_at is not None:
        return payment.at > changed_at
    imported = person.imported_list
    return imported is None or payment.kind != Payment.Kind.FEE or payment.at != imported.at
