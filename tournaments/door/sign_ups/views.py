"""View of the desk's actions on one sign-up."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.access import cashier_view
from tournaments.core.refusal import Refusal
from tournaments.door.page import Note, Selection, changed_fee, done
from tournaments.door.sign_ups.confirming import confirm
from tournaments.models import Participant, Tournament
from tournaments.queries.door import person_at_door
from tournaments.queries.sign_ups import sign_ups_to_confirm
from tournaments.requests import StaffRequest, booked, number_in, signed
from tournaments.services import sign_ups
from tournaments.text.refusals import level_of, message


@cashier_view("POST")
def act_on_sign_up(request: StaffRequest, tournament: Tournament, number: int, action: str) -> HttpResponse:
    """Confirm or discard a sign-up, or undo that; the note that follows offers to undo it.

    Optional POST data: same_as, the start number of the same person; others, the start numbers of the players shown beside the
    sign-ups; for undoing, presence and names of that player.
    """
    if action not in _ACTIONS:
        raise Http404
    try:
        note = _ACTIONS[action](request, tournament, number)
    except Refusal as refusal:
        note = Note(message(refusal), level=level_of(refusal))
    return done(request, tournament, note, "_list", selection=replace(Selection.of(request.POST), fee=""))


def _confirm(request: StaffRequest, tournament: Tournament, number: int, *, paid: bool) -> Note:
    row = next((row for row in sign_ups_to_confirm(tournament) if row.number == number), None)
    same_as = _start_number(request.POST.get("same_as", ""))
    player = person_at_door(tournament, (row.start_number if row else 0) or same_as or 0)
    others = {_start_number(text) or 0 for text in request.POST.getlist("others")}
    fee = "" if player else changed_fee(tournament, request.POST.get("chosen", ""))
    return confirm(request, tournament, number, player, paid=paid, fee=fee, same_as=same_as, others=others)


def _start_number(text: str) -> int | None:
    number = number_in(text)
    if text and number is None:
        raise Http404
    return number


def _take_back(request: StaffRequest, tournament: Tournament, number: int) -> Note:
    sign_ups.take_back_confirmation(tournament, number, **booked(request))
    return _about(number, _("wartet wieder; was bezahlt war, ist zurückgebucht"))


def _take_back_look(request: StaffRequest, tournament: Tournament, number: int) -> Note:
    presence, names = request.POST.get("presence", ""), request.POST.get("names", "")
    if presence not in ("", *Participant.Presence.values) or names not in ("", *Tournament.Names.values):
        raise Http404
    sign_ups.take_back_look(tournament, number, presence=presence, names=names, **booked(request))
    return _about(number, _("wartet wieder; was bezahlt war, ist zurückgebucht"))


def _discard(request: StaffRequest, tournament: Tournament, number: int) -> Note:
    sign_ups.discard(tournament, number, **signed(request))
    return _about(number, _("ist gestrichen"), undo="keep")


def _discard_all(request: StaffRequest, tournament: Tournament, number: int) -> Note:
    count = sign_ups.discard(tournament, number, of_sender=True, **signed(request))
    said = ngettext("Eine Anmeldung gestrichen", "%(count)s Anmeldungen gestrichen", count)
    return Note(said % {"count": count}, undo="keep", sign_up=number)


def _keep(request: StaffRequest, tournament: Tournament, number: int) -> Note:
    count = sign_ups.take_back_discard(tournament, number, at=timezone.now())
    said = ngettext("wartet wieder", "%(count)s Anmeldungen warten wieder", count) % {"count": count}
    return _about(number, said) if count == 1 else Note(said)


def _about(number: int, detail: str, undo: str = "") -> Note:
    return Note(_("Anmelde-Nr. A%(number)s") % {"number": number}, detail, undo=undo, sign_up=number)


_ACTIONS: Mapping[str, Callable[[StaffRequest, Tournament, int], Note]] = {
    "confirm-paid": partial(_confirm, paid=True),
    "confirm": partial(_confirm, paid=False),
    "take-back": _take_back,
    "take-back-look": _take_back_look,
    "discard": _discard,
    "discard-all": _discard_all,
    "keep": _keep,
}
