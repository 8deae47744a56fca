"""Flags raised by readers of a sheet, and the organiser's answers to them."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import LONGEST_REASON, TEXT_CODES, RefusableForm, refusal_as_message
from scoring.organiser.tables import gone_is_404
from scoring.queries.flags import flags_of
from scoring.services.flags import close_flag, mark_in_progress
from tournaments.access import organiser_view
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, signed


class FlagWordForm(RefusableForm):
    """The organiser's answer to a flag."""

    field_of = dict.fromkeys(TEXT_CODES, "word")

    word = forms.CharField(
        label=gettext_lazy("Was ist daraus geworden?"),
        max_length=LONGEST_REASON,
        error_messages={"required": gettext_lazy("Bitte in einem Wort sagen, was daraus geworden ist.")},
    )


@organiser_view("GET")
def flags(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show all flags, open ones first."""
    return _flags_page(request, tournament)


@gone_is_404
@organiser_view("POST")
def mark_flag(request: StaffRequest, tournament: Tournament, flag: int) -> HttpResponse:
    """Mark a flag as being looked into."""
    with refusal_as_message(request):
        mark_in_progress(tournament, flag, **signed(request))
    return redirect(f"{reverse('organiser:flags', args=[tournament.slug])}#flag-{flag}")


@gone_is_404
@organiser_view("POST")
def close(request: StaffRequest, tournament: Tournament, flag: int) -> HttpResponse:
    form = FlagWordForm(request.POST, auto_id=f"flag-{flag}-%s")
    if form.is_valid():
        with form.refusal_at_field():
            close_flag(tournament, flag, **form.cleaned_data, **signed(request))
            messages.success(request, _("Erledigt."))
            return redirect("organiser:flags", tournament.slug)
    return _flags_page(request, tournament, flag, form)


def _flags_page(
    request: StaffRequest, tournament: Tournament, bound: int = 0, bound_form: FlagWordForm | None = None
) -> HttpResponse:
    """Render the page of flags. bound: the flag whose form shows errors."""
    flag_list = flags_of(tournament)
    lines = [
        (flag, bound_form if flag.pk == bound else FlagWordForm(auto_id=f"flag-{flag.pk}-%s"))
        for flag in flag_list.open
    ]
    context = {"tournament": tournament, "flags": flag_list, "lines": lines, "refused": bound_form}
    status = 422 if bound_form else 200
    return render(request, "scoring/organiser/flags/flags.html", context, status=status)
