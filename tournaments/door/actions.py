"""Actions on one participant: check-in, withdrawal, fee, name in public, registration."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.models import Tournament
from tournaments.queries.door import DoorRow
from tournaments.services import door as services
from tournaments.services import own_evening, people, people_lists

BOOKED, SIGNED = ("by", "at", "desk"), ("by", "at")


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its service, its text in the note, and the name of the action that undoes it.

    undo: "" for none; for a check-in see `undo_of_check_in`. takes: the parts of a booking that are arguments of the service.
    """

    service: Callable[..., object]
    detail: Promise
    undo: str = ""
    takes: Sequence[str] = BOOKED

    def do(self, tournament: Tournament, start_number: int, booking: Mapping[str, object]) -> object:
        return self.service(tournament, start_number, **{name: booking[name] for name in self.takes})


ACTIONS: Mapping[str, Action] = {
    "present": Action(partial(services.set_presence, present=True), gettext_lazy("ist da"), takes=()),
    "present-paid": Action(services.check_in, gettext_lazy("ist da")),
    "announced-refund": Action(
        partial(services.take_back_paid_check_in, announced=True),
        gettext_lazy("ist angekündigt, noch nicht da; das Geld ist zurückgebucht"),
        "present-paid",
    ),
    "absent-refund": Action(
        partial(services.take_back_paid_check_in, announced=False),
        gettext_lazy("fehlt; das Geld ist zurückgebucht"),
        "present-paid",
    ),
    "absent": Action(
        partial(services.set_presence, present=False), gettext_lazy("fehlt"), "present", takes=()
    ),
    "announced": Action(
        services.take_back_check_in, gettext_lazy("ist angekündigt, noch nicht da"), "present", takes=()
    ),
    "withdraw": Action(services.withdraw, gettext_lazy("ist abgemeldet"), "stay", SIGNED),
    "withdraw-refund": Action(services.withdraw_with_refund, gettext_lazy("ist abgemeldet"), "stay-paid"),
    "withdraw-latest": Action(
        partial(services.withdraw_with_refund, latest_only=True),
        gettext_lazy("ist wieder abgemeldet; das Geld ist zurückgebucht"),
        "stay-paid",
    ),
    "stay": Action(
        partial(services.take_back_withdrawal, is_here=False),
        gettext_lazy("ist wieder angemeldet"),
        "withdraw",
        SIGNED,
    ),
    "stay-paid": Action(
        services.take_back_refunded_withdrawal,
        gettext_lazy("ist wieder angemeldet; das Geld ist wieder gebucht"),
        "withdraw-latest",
    ),
    "return": Action(services.take_back_withdrawal, gettext_lazy("spielt wieder mit"), "withdraw", SIGNED),
    "end-pause": Action(
        own_evening.end_pause_of, gettext_lazy("spielt auch in der nächsten Runde mit"), takes=()
    ),
    "pay": Action(services.take_fee, gettext_lazy("hat bezahlt"), "take-back-pay"),
    "take-back-pay": Action(services.take_back_fee, gettext_lazy("hat das Geld zurück"), "pay"),
    "refund": Action(services.refund_fee, gettext_lazy("hat das Geld zurück"), "pay"),
    "refund-surplus": Action(services.refund_surplus, gettext_lazy("hat zurück, was zu viel war")),
    "hide-name": Action(
        partial(services.name_in_public, names=Tournament.Names.NUMBER.value),
        gettext_lazy("steht in der Öffentlichkeit nur noch mit der Nummer"),
        "show-name",
        SIGNED,
    ),
    "show-name": Action(
        partial(services.name_in_public, names=""),
        gettext_lazy("wird in der Öffentlichkeit genannt, wie es im Turnier eingestellt ist"),
        "hide-name",
        SIGNED,
    ),
    "capitals": Action(services.write_in_capitals, gettext_lazy("ist großgeschrieben"), takes=SIGNED),
    "take-out": Action(people_lists.take_out, gettext_lazy("ist herausgenommen"), takes=("at",)),
    "remember": Action(
        people.remember, gettext_lazy("ist für die nächsten Abende gemerkt"), "forget", SIGNED
    ),
    "recognise": Action(
        people.recognise_namesake, gettext_lazy("ist von früheren Abenden bekannt"), "forget", SIGNED
    ),
    "forget": Action(
        people.take_back_recognition, gettext_lazy("ist nur noch an diesem Abend bekannt"), takes=()
    ),
    "unregister": Action(services.take_back_registration, gettext_lazy("Anmeldung zurückgenommen")),
}


def undo_of_check_in(before: DoorRow, *, paid: bool) -> str:
    """Return the name of the action that undoes a check-in. before: the participant before it."""
    state = "announced" if before.is_announced else "absent"
    return f"{state}-refund" if paid else state
