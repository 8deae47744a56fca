"""The organiser's page of honours (Ehrentafel): all that everybody sees, and the earlier years as text."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import RefusableForm
from scoring.models import Honour
from scoring.queries.honours import honours_by_year, unnamed_honours
from scoring.services.honours import as_typed, set_honours
from tournaments.access import club_view
from tournaments.forms import form_page
from tournaments.requests import StaffRequest, posted, signed


class LinesField(forms.CharField):
    """A pasted text, line by line."""

    def __init__(self, *, rows: int, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "spellcheck": "false", "autocomplete": "off"})
        super().__init__(widget=widget, strip=False, max_length=100_000, **kwargs)


class HonoursForm(RefusableForm):
    """The honours of earlier years, a line each."""

    default_field = "lines"
    field_of = {}

    lines = LinesField(
        rows=12,
        required=False,
        label=gettext_lazy("Frühere Jahre"),
        help_text=gettext_lazy("Eine Zeile je Ehrung: „1998; Name“ oder „1998; Name; Vereinsmeister“."),
    )


@club_view("GET", "POST")
def honours(request: StaffRequest) -> HttpResponse:
    """Show the honours on GET, store those of earlier years on POST."""
    form = HonoursForm(posted(request), initial={"lines": _typed()})
    if form.is_valid():
        with form.refusal_at_field():
            set_honours(form.cleaned_data["lines"], **signed(request))
            messages.success(request, _("Gespeichert."))
            return redirect("organiser:roll_of_honour")
    context = {
        "form": form,
        "years": honours_by_year(today=timezone.localdate()),
        "unnamed": unnamed_honours(),
    }
    return form_page(request, "scoring/organiser/series/honours.html", context, form)


def _typed() -> str:
    """Return the stored honours as `set_honours` reads them."""
    typed = (as_typed(honour) for honour in Honour.objects.select_related("person"))
    return "\n".join("; ".join(filter(None, (f"{each.year}", each.name, each.title))) for each in typed)
