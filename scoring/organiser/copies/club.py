"""The whole club as a file, and reading it back into an empty club."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.documents import dump
from scoring.documents.club import export_club, import_club
from scoring.organiser.copies.views import FileForm
from tournaments.access import club_view
from tournaments.core.document_reader import DocumentError
from tournaments.forms import form_page
from tournaments.requests import StaffRequest, posted
from tournaments.security_log import download


class ClubFileForm(FileForm):
    file = forms.FileField(
        label=gettext_lazy("Vereinsdatei"),
        help_text=gettext_lazy("Die Datei, die „Alles als Datei“ gespeichert hat. Höchstens 3 MB."),
        error_messages=FileForm.NO_FILE,
        widget=FileForm.JSON,
    )


@club_view("GET")
def club_file(request: StaffRequest) -> HttpResponse:
    """Return settings, people, series and honours of the club as one document."""
    response = download(request, "verein.json", dump(export_club()), "application/json")
    response["Cache-Control"] = "no-store"
    return response


@club_view("GET", "POST")
def read_club(request: StaffRequest) -> HttpResponse:
    """Ask for the file on GET, store its club on POST, all or nothing."""
    form = ClubFileForm(posted(request), request.FILES or None)
    if form.is_valid():
        with form.refusal_at_field():
            try:
                import_club(form.cleaned_data["file"], at=timezone.now())
            except DocumentError as error:
                form.refuse_document(error)
            else:
                messages.success(request, _("Der Verein ist eingelesen."))
                return redirect("organiser:club_people")
    return form_page(request, "scoring/organiser/copies/read_club.html", {"form": form}, form)
