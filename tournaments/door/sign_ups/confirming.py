"""Confirmation of a sign-up at the desk, by a button or by its name in the one field, and the note about it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.door.meaning import Line
from tournaments.door.page import Note, changed_fee, fee_in_words
from tournaments.models import Participant, Tournament
from tournaments.queries.door import Door, DoorRow, person_at_door
from tournaments.queries.sign_ups import SignUpRow
from tournaments.requests import StaffRequest, booked
from tournaments.services import sign_ups


@dataclass(frozen=True, slots=True)
class Pays:
    """The payment at a confirmation. part_cents: None for what the fee lacks. fee: key of a kind, "" for the default."""

    paid: bool
    part_cents: int | None = None
    fee: str = ""


def confirm_typed(
    request: StaffRequest,
    tournament: Tournament,
    found: Door,
    row: SignUpRow,
    line: Line,
    data: Mapping[str, Any],
) -> Note:
    """Confirm the sign-up that the typed line names, with the kind of fee that was chosen. Refuses as `confirm` does."""
    part = line.part_cents
    pays = Pays(part is not None or not data["unpaid"], part, changed_fee(tournament, data))
    player = found.person(row.start_number) if row.start_number else None
    # Whoever types a number has its name before them, with the players who are called alike.
    others = [one.start_number for one in found.namesakes(row.name)]
    return confirm(request, tournament, row.number, player, pays, others=others)


def confirm(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    known: DoorRow | None,
    pays: Pays,
    *,
    same_as: int | None = None,
    others: Collection[int] = (),
) -> Note:
    """Confirm a sign-up and return what to say about it. Refuses as the service does.

    known: the player, if the confirmation makes none: one who takes part without a desk, or who is `same_as` another.
    others: start numbers of the players of that name whom the cashier was shown.
    """
    person = sign_ups.confirm(
        tournament,
        number,
        paid=pays.paid,
        part_cents=pays.part_cents,
        fee=pays.fee,
        same_as=same_as,
        others=others,
        **booked(request),
    )
    before = (("presence", known.presence), ("names", known.names)) if known else ()
    detail = _("ist angesehen") if known and same_as is None else _("ist da")
    undo, money = "take-back-look" if known else "take-back", _money(tournament, person, known)
    return Note.about(person, detail, *money, undo=undo, sign_up=number, before=before)


def _money(tournament: Tournament, person: Participant, known: DoorRow | None) -> tuple[str, str]:
    """Return in words what was paid just now, and what is missing."""
    row = person_at_door(tournament, person.start_number)
    if row is None:
        return "", ""
    taken = row.paid_cents - (known.paid_cents if known else 0)
    return fee_in_words(taken, paid=True), fee_in_words(row.missing_cents, paid=False)
