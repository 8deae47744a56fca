"""Actions on one participant: check-in, withdrawal, fee, name in public, registration."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.models import Tournament
from tournaments.queries.door import DoorRow
from tournaments.requests import Signature, StaffRequest, desk_name
from tournaments.services import door as services
from tournaments.services import own_evening


@dataclass(frozen=True, slots=True)
class Desk:
    """The author, time and cash desk of an action."""

    by: str
    at: datetime
    desk: str

    @classmethod
    def of(cls, request: StaffRequest) -> "Desk":
        return cls(request.user.get_username(), timezone.now(), desk_name(request))

    @property
    def booked(self) -> dict[str, Any]:
        return {"by": self.by, "at": self.at, "desk": self.desk}

    @property
    def signed(self) -> Signature:
        return {"by": self.by, "at": self.at}


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its service, its text in the note, the name of the action that undoes it.

    undo is "" if nothing undoes it; for a check-in see `undo_of_check_in`.
    """

    do: Callable[[Tournament, int, Desk], object]
    detail: Promise
    undo: str = ""


ACTIONS: Mapping[str, Action] = {
    "present": Action(lambda t, n, _desk: services.set_presence(t, n, present=True), gettext_lazy("ist da")),
    "present-paid": Action(lambda t, n, desk: services.check_in(t, n, **desk.booked), gettext_lazy("ist da")),
    "announced-refund": Action(
        lambda t, n, desk: services.take_back_paid_check_in(t, n, announced=True, **desk.booked),
        gettext_lazy("ist angekündigt, noch nicht da; das Geld ist zurückgebucht"),
        undo="present-paid",
    ),
    "absent-refund": Action(
        lambda t, n, desk: services.take_back_paid_check_in(t, n, announced=False, **desk.booked),
        gettext_lazy("fehlt; das Geld ist zurückgebucht"),
        undo="present-paid",
    ),
    "absent": Action(
        lambda t, n, _desk: services.set_presence(t, n, present=False), gettext_lazy("fehlt"), undo="present"
    ),
    "announced": Action(
        lambda t, n, _desk: services.take_back_check_in(t, n),
        gettext_lazy("ist angekündigt, noch nicht da"),
        undo="present",
    ),
    "withdraw": Action(
        lambda t, n, desk: services.withdraw(t, n, **desk.signed),
        gettext_lazy("ist abgemeldet"),
        undo="return",
    ),
    "return": Action(
        lambda t, n, desk: services.take_back_withdrawal(t, n, **desk.signed),
        gettext_lazy("spielt wieder mit"),
        undo="withdraw",
    ),
    "end-pause": Action(
        lambda t, n, _desk: own_evening.end_pause_of(t, n),
        gettext_lazy("spielt auch in der nächsten Runde mit"),
    ),
    "pay": Action(
        lambda t, n, desk: services.take_fee(t, n, **desk.booked),
        gettext_lazy("hat bezahlt"),
        undo="take-back-pay",
    ),
    "take-back-pay": Action(
        lambda t, n, desk: services.take_back_fee(t, n, **desk.booked),
        gettext_lazy("hat das Geld zurück"),
        undo="pay",
    ),
    "refund": Action(
        lambda t, n, desk: services.refund_fee(t, n, **desk.booked),
        gettext_lazy("hat das Geld zurück"),
        undo="pay",
    ),
    "refund-surplus": Action(
        lambda t, n, desk: services.refund_surplus(t, n, **desk.booked),
        gettext_lazy("hat zurück, was zu viel war"),
    ),
    "hide-name": Action(
        lambda t, n, desk: services.name_in_public(t, n, names=Tournament.Names.NUMBER.value, **desk.signed),
        gettext_lazy("steht in der Öffentlichkeit nur noch mit der Nummer"),
        undo="show-name",
    ),
    "show-name": Action(
        lambda t, n, desk: services.name_in_public(t, n, names="", **desk.signed),
        gettext_lazy("wird in der Öffentlichkeit genannt, wie es im Turnier eingestellt ist"),
        undo="hide-name",
    ),
    "unregister": Action(
        lambda t, n, desk: services.take_back_registration(t, n, **desk.booked),
        gettext_lazy("Anmeldung zurückgenommen"),
    ),
}


def undo_of_check_in(before: DoorRow, *, paid: bool) -> str:
    """Return the name of the action that undoes a check-in. before: the participant until then."""
    state = "announced" if before.is_announced else "absent"
    return f"{state}-refund" if paid else state
