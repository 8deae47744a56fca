"""Confirmation of a sign-up at the desk, by a button or by its typed name, and the note about it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.core.names import in_capitals
from tournaments.door.meaning import Line
from tournaments.door.page import Note, changed_fee, fee_in_words
from tournaments.models import Participant, Tournament
from tournaments.queries.door import Door, DoorRow, person_at_door
from tournaments.queries.sign_ups import SignUpRow
from tournaments.requests import StaffRequest, booked
from tournaments.services import sign_ups


def confirm_typed(
    request: StaffRequest,
    tournament: Tournament,
    door: Door,
    row: SignUpRow,
    line: Line,
    data: Mapping[str, Any],
) -> Note:
    """Confirm the sign-up of a typed line, with the chosen kind of fee. Refuses as `confirm` does."""
    part = line.part_cents
    paid, fee = part is not None or not data["unpaid"], changed_fee(tournament, data["fee"])
    player = door.person(row.start_number) if row.start_number else None
    # The page shows the sign-up's name while its number is typed, with the namesakes.
    others = [namesake.start_number for namesake in door.namesakes(row.name)]
    return confirm(
        request, tournament, row.number, player, paid=paid, part_cents=part, fee=fee, others=others
    )


def confirm(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    player: DoorRow | None,
    *,
    same_as: int | None = None,
    **choices: Any,
) -> Note:
    """Confirm a sign-up and return the note about it. choices: as the service takes them. Refuses as it does.

    player: the existing player, if the confirmation adds none: who joined without a desk, or is `same_as`.
    """
    person = sign_ups.confirm(tournament, number, same_as=same_as, **choices, **booked(request))
    before = (("presence", player.presence), ("names", player.names)) if player else ()
    detail = _("ist angesehen") if player and same_as is None else _("ist da")
    undo, money = "take-back-look" if player else "take-back", _money(tournament, person, player)
    capitals = in_capitals(person.name)
    note = Note.about(person, detail, *money, undo=undo, sign_up=number, capitals=capitals, before=before)
    return note if player and player.is_known else note.asking(tournament, person.name, person.town)


def _money(tournament: Tournament, person: Participant, player: DoorRow | None) -> tuple[str, str]:
    """Return the amount paid just now and the unpaid rest, in words."""
    row = person_at_door(tournament, person.start_number)
    if row is None:
        return "", ""
    taken = row.paid_cents - (player.paid_cents if player else 0)
    return fee_in_words(tournament, taken, paid=True), fee_in_words(tournament, row.missing_cents, paid=False)
