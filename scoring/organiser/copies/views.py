"""Reading back the saved copy of a tournament."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.documents import import_tournament
from scoring.forms import RefusableForm
from scoring.text.refusals import message
from tournaments.access import maker_view
from tournaments.core.document_reader import DocumentError
from tournaments.core.refusal import Refusal
from tournaments.forms import CleanField, clean_slug, form_page
from tournaments.requests import StaffRequest, posted


class FileForm(RefusableForm):
    """A form with the file of a document, cleaned to its text."""

    default_field = "file"

    NO_FILE = {
        "required": gettext_lazy("Bitte die Datei auswählen."),
        "empty": gettext_lazy("Diese Datei ist leer. Bitte eine andere wählen."),
    }
    JSON = forms.FileInput(attrs={"accept": ".json,application/json"})

    def clean_file(self) -> str:
        try:
            return str(self.cleaned_data["file"].read(), "utf-8")
        except UnicodeDecodeError:
            raise self.error_of(Refusal("document_no_json", what="UTF-8")) from None

    def refuse_document(self, error: DocumentError) -> None:
        """Say what is wrong, and where in the file."""
        sentence = message(error.refusal)
        if error.path == "$.tournament.slug" and "slug" in self.fields:
            self.add_error("slug", sentence)
        elif error.path == "$":
            self.add_error("file", sentence)
        else:
            self.add_error(
                "file", _("In der Datei bei %(path)s: %(error)s") % {"path": error.path, "error": sentence}
            )


class CopyForm(FileForm):
    """The file of a saved copy, and another web address if that of the copy is taken."""

    file = forms.FileField(
        label=gettext_lazy("Sicherungskopie"),
        help_text=gettext_lazy(
            "Die Datei, die „Sicherungskopie speichern“ gespeichert hat; sie endet auf .json. Höchstens 3 MB."
        ),
        error_messages=FileForm.NO_FILE,
        widget=FileForm.JSON,
    )
    slug = CleanField(
        clean_slug,
        label=gettext_lazy("Webadresse"),
        help_text=gettext_lazy("Bleibt sie leer, gilt die der Kopie."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )


@maker_view("GET", "POST")
def read_copy(request: StaffRequest) -> HttpResponse:
    """Ask for the file on GET, store its tournament on POST, all or nothing. The account becomes its first organiser."""
    form = CopyForm(posted(request), request.FILES or None)
    if form.is_valid():
        text, slug = form.cleaned_data["file"], form.cleaned_data["slug"]
        with form.refusal_at_field():
            try:
                tournament = import_tournament(text, slug=slug, owner=request.user, at=timezone.now())
            except DocumentError as error:
                form.refuse_document(error)
            else:
                messages.success(request, _("„%(name)s“ ist eingelesen.") % {"name": tournament.name})
                return redirect("organiser:overview", tournament.slug)
    return form_page(request, "scoring/organiser/copies/read.html", {"form": form}, form)
