"""Flags raised by readers of a sheet, and the organiser's answers to them."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from scoring.forms import LONGEST_REASON, TEXT_CODES, RefusableForm, refusal_as_message
from scoring.organiser.tables import gone_is_404
from scoring.queries.flags import flags_of
from scoring.services.flags import close_flag, mark_in_progress, reopen_flag, take_mark_back
from tournaments.access import organiser_view
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, number_in, signed


class FlagWordForm(RefusableForm):
    """The organiser's answer to a flag."""

    field_of = dict.fromkeys(TEXT_CODES, "word")

    word = forms.CharField(
        label=gettext_lazy("Was ist daraus geworden?"),
        max_length=LONGEST_REASON,
        widget=forms.TextInput({"data-long": ""}),
        error_messages={"required": gettext_lazy("Bitte in einem Wort sagen, was daraus geworden ist.")},
    )


@organiser_view("GET")
def flags(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show all flags, open ones first. done: the flag that was closed a moment ago, which stays among them."""
    return _flags_page(request, tournament, done=number_in(request.GET.get("done", "")) or 0)


@gone_is_404
@organiser_view("POST")
def mark_flag(request: StaffRequest, tournament: Tournament, flag: int) -> HttpResponse:
    """Mark a flag as being looked into, or with `back` undo that."""
    with refusal_as_message(request):
        if "back" in request.POST:
            take_mark_back(tournament, flag, by=signed(request)["by"])
        else:
            mark_in_progress(tournament, flag, **signed(request))
    return redirect(f"{reverse('organiser:flags', args=[tournament.slug])}#flag-{flag}")


@gone_is_404
@organiser_view("POST")
def close(request: StaffRequest, tournament: Tournament, flag: int) -> HttpResponse:
    """Close a flag with a word, or with `back` undo that."""
    page = reverse("organiser:flags", args=[tournament.slug])
    if "back" in request.POST:
        with refusal_as_message(request):
            reopen_flag(tournament, flag, by=signed(request)["by"])
        return redirect(f"{page}#flag-{flag}")
    form = FlagWordForm(request.POST, auto_id=f"flag-{flag}-%s")
    if form.is_valid():
        with form.refusal_at_field():
            close_flag(tournament, flag, **form.cleaned_data, **signed(request))
            return redirect(f"{page}?done={flag}#flag-{flag}")
    return _flags_page(request, tournament, flag, form)


def _flags_page(
    request: StaffRequest,
    tournament: Tournament,
    bound: int = 0,
    bound_form: FlagWordForm | None = None,
    done: int = 0,
) -> HttpResponse:
    """Render the page of flags. bound: the flag whose form shows errors. done: the one that was closed a moment ago."""
    flag_list = flags_of(tournament)
    lines = [
        (flag, bound_form if flag.pk == bound else FlagWordForm(auto_id=f"flag-{flag.pk}-%s"))
        for flag in flag_list.rows
        if flag.closed_at is None or flag.pk == done
    ]
    closed = [flag for flag in flag_list.closed if flag.pk != done]
    context = {"tournament": tournament, "lines": lines, "refused": bound_form, "closed": closed}
    status = 422 if bound_form else 200
    return render(request, "scoring/organiser/flags/flags.html", context, status=status)
