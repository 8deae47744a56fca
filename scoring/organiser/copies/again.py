"""The next evening like one that was: what it takes over, each group with a tick."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import RefusableForm
from scoring.queries.screens import has_screens_set
from scoring.services.copies import copy_evening
from tournaments.access import organiser_view
from tournaments.forms import HOW_NAMES_ARE_SHOWN, DayField, NameField, form_page
from tournaments.models import Tournament
from tournaments.queries.desks import named_desks
from tournaments.queries.pictures import has_picture
from tournaments.queries.sign_ups import terms_of_sign_up
from tournaments.queries.tournaments import free_slug, members, next_free_day
from tournaments.requests import StaffRequest, posted
from tournaments.text.money import word_fees
from tournaments.text.ruleset_summary import title_of
from tournaments.text.start import word_start


class AgainForm(RefusableForm):
    field_of = {"prize_fee_unknown": "take", "slug_taken": "name"}

    name = NameField(label=gettext_lazy("Name des Turniers"), most=120)
    played_on = DayField(label=gettext_lazy("Tag"))
    take = forms.MultipleChoiceField(
        label=gettext_lazy("Was übernommen wird"), widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, data: Any, *, like: Tournament) -> None:
        groups = groups_of(like)
        day = next_free_day(like, timezone.localdate())
        super().__init__(data, initial={"name": like.name, "played_on": day, "take": list(groups)})
        self.set_choices("take", list(groups.items()))


def groups_of(like: Tournament) -> dict[str, str]:
    """Return what a copy can take over, by the names of `copy_evening`, with what it is here. Empty groups are left out."""
    has_screens = has_screens_set(like) or has_picture(like)
    fees = like.fees or like.hides_amounts
    contents = {
        "rules": (_("Regeln, wie sie hier gelten"), title_of(like.rules)),
        "fees": (_("Beiträge"), word_fees(like.fee_kinds) if fees else ""),
        "prizes": (_("Preisplan"), _("ohne Gewinner") if like.prize_plan else ""),
        "names": (_("Namen im Netz"), str(dict(HOW_NAMES_ARE_SHOWN)[like.names])),
        "place": (_("Ort"), like.place),
        "times": (_("Uhrzeiten"), word_start(like)),
        "sign_ups": (_("Voranmeldung"), _("ohne Angemeldete") if terms_of_sign_up(like) else ""),
        "desks": (_("Kassen"), ", ".join(named_desks(like))),
        "screens": (_("Leinwand und Urkunden"), _("Durchsage, WLAN und Bild") if has_screens else ""),
        "people": (_("Wer mitarbeitet"), ", ".join(member.user.get_username() for member in members(like))),
    }
    return {group: f"{name} – {content}" for group, (name, content) in contents.items() if content}


@organiser_view("GET", "POST")
def again(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show what the next evening takes over from this one, and make it on POST."""
    form = AgainForm(posted(request), like=tournament)
    if form.is_valid():
        data = form.cleaned_data
        with form.refusal_at_field():
            slug = free_slug(data["name"])
            made = copy_evening(tournament, **data, slug=slug, owner=request.user, at=timezone.now())
            day = f"{date_format(made.played_on, 'l')}, {date_format(made.played_on, 'DATE_FORMAT')}"
            messages.success(
                request, _("„%(name)s“ am %(day)s ist angelegt.") % {"name": made.name, "day": day}
            )
            return redirect("organiser:overview", made.slug)
    context = {"tournament": tournament, "form": form, "section": "settings"}
    return form_page(request, "scoring/organiser/copies/again.html", context, form)
