"""The organiser's overview of a tournament, its export, its early end, and deletions."""

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import Min
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.documents import dump, export_tournament
from scoring.forms import CloseForm, ReasonForm, RefusableForm, refusal_as_message
from scoring.models import SheetEntry
from scoring.open_screens import open_screens
from scoring.queries.dashboard import dashboard_of
from scoring.queries.flags import count_open
from scoring.queries.live_strip import live_strip_of, version_of
from scoring.queries.screens import ceremony_of
from scoring.queries.series import is_in_series
from scoring.services import ending, exclusion, purge
from scoring.services import rounds as scored_rounds
from scoring.services.backup import last_note
from tournaments.access import organiser_view
from tournaments.core.refusal import Refusal
from tournaments.current_club import current_club
from tournaments.disk_room import failed_writes, least_room
from tournaments.forms import ExclusionForm, form_page
from tournaments.models import EventKind, Participant, Tournament
from tournaments.queries.accounts import organises_another
from tournaments.queries.own_evening import said_by_phone
from tournaments.requests import StaffRequest, posted, signed
from tournaments.security_log import download, record
from tournaments.text.table_sizes import (
    explain_next_stages,
    explain_stages,
)


class DeleteForm(RefusableForm):
    """The tournament's name, typed to confirm."""

    field_of = {"name_differs": "name"}

    name = forms.CharField(
        label=gettext_lazy("Name des Turniers"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Bitte den Namen des Turniers eintippen.")},
    )
    from_series = forms.BooleanField(
        required=False,
        label=gettext_lazy("Auch aus der Jahreswertung löschen"),
        help_text=gettext_lazy(
            "Ohne Häkchen zählt der Abend dort weiter, mit den Namen derer, die der Verein unter „Leute“ hat."
        ),
    )


@organiser_view("GET")
def overview(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the evening. htmx gets the part that the page keeps current."""
    version = version_of(live_strip_of(tournament))  # before what it is of, which may be newer, but not older
    dashboard = dashboard_of(tournament)
    context = {"tournament": tournament, "dashboard": dashboard, "version": version, **_machine(tournament)}
    if dashboard.next == "close":
        context["close_form"] = CloseForm(
            ends=dashboard.shows_the_end, has_prizes=bool(tournament.prize_plan)
        )
    if dashboard.is_played:
        context["ceremony"] = ceremony_of(tournament, open_screens.of(tournament.slug))
    context["by_phone"] = () if dashboard.is_played else said_by_phone(tournament)
    context["flags"] = count_open(tournament)
    context["plan"] = (explain_next_stages if dashboard.begun else explain_stages)(dashboard.ahead)
    context["outlook"] = dashboard.outlook(timezone.now())
    page, part = "scoring/organiser/dashboard/overview.html", "scoring/organiser/dashboard/_now.html"
    return render(request, part if request.htmx else page, context)


@organiser_view("GET")
def backup_fragment(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    context = {"tournament": tournament, **_machine(tournament)}
    return render(request, "scoring/organiser/dashboard/_backup.html", context)


@organiser_view("GET", by_itself=True)
def strip_fragment(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Render the strip of every page of the organiser; 204 if the page shows it already."""
    strip = live_strip_of(tournament)
    if request.GET.get("seen", "") == version_of(strip):
        return HttpResponse(status=204)
    left = strip.seconds_left(timezone.now()) if strip else None
    return render(
        request, "scoring/organiser/_strip.html", {"tournament": tournament, "strip": strip, "left": left}
    )


@organiser_view("GET")
def export(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Return the whole tournament as one document, unreleased seeds included."""
    document = dump(export_tournament(tournament))
    response = download(request, f"{tournament.slug}.json", document, "application/json")
    response["Cache-Control"] = "no-store"
    return response


@organiser_view("POST")
def delete_practice(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    with refusal_as_message(request):
        purge.delete_practice_tournament(tournament, **signed(request))
        record(EventKind.PURGED, request, about=tournament.slug)
        messages.success(request, _("Das Übungsturnier ist gelöscht."))
        return redirect("organiser:home")
    return redirect("organiser:settings", tournament.slug)


@organiser_view("POST")
def erase_person(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """Erase a person in one step. The form is on the person's page (see `tournaments.door`)."""
    try:
        purge.erase_person(tournament, start_number, **signed(request))
    except Refusal:
        raise Http404 from None
    record(EventKind.PURGED, request, about=f"{tournament.slug}: {start_number}")
    messages.success(
        request,
        _("Nr. %(number)s ist gelöscht: kein Name, kein Verein, keine Texte mehr.")
        % {"number": start_number},
    )
    return redirect("door:person", tournament.slug, start_number)


@organiser_view("POST")
def exclude(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    form = ExclusionForm(request.POST, rules=tournament.rules)
    reason = form.cleaned_data["reason"] if form.is_valid() else request.POST.get("reason", "")
    with refusal_as_message(request):
        person = exclusion.exclude(tournament, start_number, reason=reason, **signed(request))
        said = _("%(name)s ist ausgeschlossen und steht nicht mehr in der Rangliste.")
        messages.success(request, said % {"name": person.name})
    return redirect("door:person", tournament.slug, start_number)


@organiser_view("POST")
def readmit(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    with refusal_as_message(request):
        person = exclusion.readmit(tournament, start_number, **signed(request))
        said = _("Der Ausschluss von %(name)s ist zurückgenommen.")
        messages.success(request, said % {"name": person.name})
    return redirect("door:person", tournament.slug, start_number)


@organiser_view("GET", "POST")
def end(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the reason on GET, end the tournament on POST. While a round is in play, the page says what to do first."""
    form = ReasonForm(posted(request))
    if form.is_valid():
        with form.refusal_at_field():
            ending.end_evening(tournament, reason=form.cleaned_data["reason"], **signed(request))
            messages.success(request, _("Das Turnier ist beendet. Was abgeschlossen ist, ist der Endstand."))
            return redirect("organiser:overview", tournament.slug)
    context = {"tournament": tournament, "dashboard": dashboard_of(tournament), "form": form}
    return form_page(request, "scoring/organiser/dashboard/end.html", context, form)


@organiser_view("POST")
def resume(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    with refusal_as_message(request):
        ending.resume_evening(tournament)
        messages.success(request, _("Das Turnier geht weiter. Der Stand ist wieder ein Zwischenstand."))
    return redirect("organiser:overview", tournament.slug)


@organiser_view("POST")
def take_back_release(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    with refusal_as_message(request):
        scored_rounds.take_back_release(tournament, number)
        said = _(
            "Die Freigabe der %(number)s. Spielrunde ist zurückgenommen. Die Codes auf den Tischen gelten nicht mehr."
        )
        messages.success(request, said % {"number": number})
    return redirect("organiser:end", tournament.slug)


@organiser_view("GET", "POST")
def delete(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the tournament's name on GET, delete the tournament on POST."""
    form = DeleteForm(posted(request))
    if form.is_valid():
        with form.refusal_at_field():
            purge.delete_tournament(
                tournament,
                typed=form.cleaned_data["name"],
                from_series=form.cleaned_data["from_series"],
                **signed(request),
            )
            record(EventKind.PURGED, request, about=tournament.slug)
            messages.success(request, _("„%(name)s“ ist gelöscht.") % {"name": tournament.name})
            return redirect("organiser:home")
    is_last = not organises_another(request.user, tournament)
    context = {
        "tournament": tournament,
        "form": form,
        "is_last": is_last,
        "is_in_series": is_in_series(tournament),
    }
    return form_page(request, "scoring/organiser/dashboard/delete.html", context, form)


def _machine(tournament: Tournament) -> dict[str, Any]:
    """Return the template context of the backups (None without a backup folder) and of the disks."""
    folder = settings.BACKUP_DIR
    backup = backup_state(folder, tournament, now=timezone.now()) if folder else None
    return {
        "backup": backup,
        "room": least_room(),
        "is_full": failed_writes.is_recent,
        "is_hosted": current_club() is not None,  # no folders of the operator's machine are shown
    }


LATE = timedelta(minutes=3)
"""Age after which an entry without a backup is overdue. Backups are made once a minute."""

Problem = Literal["", "gone", "not_writable", "failed", "late"]


@dataclass(frozen=True, slots=True)
class BackupState:
    """The state of the backups.

    made_at: time of the last successful backup, None without one. reason: the system's message if the problem is `failed`.
    """

    folder: Path
    made_at: datetime | None
    problem: Problem
    reason: str = ""

    @property
    def is_beside_the_data(self) -> bool:
        return self.folder == settings.OWN_BACKUP_DIR


def backup_state(folder: Path, tournament: Tournament, *, now: datetime) -> BackupState:
    note = last_note()
    if not folder.is_dir():
        return BackupState(folder, note.made_at, "gone")
    if not os.access(folder, os.W_OK | os.X_OK):
        return BackupState(folder, note.made_at, "not_writable")
    if note.failure:
        return BackupState(folder, note.made_at, "failed", note.failure)
    unsaved_at = _unsaved_since(tournament, note.made_at)
    is_late = unsaved_at is not None and now - unsaved_at > LATE
    return BackupState(folder, note.made_at, "late" if is_late else "")


def _unsaved_since(tournament: Tournament, made_at: datetime | None) -> datetime | None:
    """Return the time of the oldest entry or registration since the last backup, None without one."""
    entries = SheetEntry.objects.filter(tournament=tournament)
    people = Participant.objects.filter(tournament=tournament)
    if made_at is not None:
        entries, people = entries.filter(recorded_at__gt=made_at), people.filter(registered_at__gt=made_at)
    moments = [
        entries.aggregate(at=Min("recorded_at"))["at"],
        people.aggregate(at=Min("registered_at"))["at"],
    ]
    return min((at for at in moments if at is not None), default=None)
