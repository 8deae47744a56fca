"""What the hall has reported, and the organiser's word on it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.forms import FlagWordForm
from scoring.models import Flag
from scoring.queries.flags import flags_of
from scoring.services.flags import close_flag
from tournaments.access import organiser_required
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament


@require_safe
@organiser_required()
def flags(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All of it, what is open first."""
    return _flags_page(request, tournament)


@require_POST
@organiser_required()
def close(request: HttpRequest, tournament: Tournament, flag: int) -> HttpResponse:
    form = FlagWordForm(request.POST, auto_id=f"flag-{flag}-%s")
    if form.is_valid():
        try:
            close_flag(
                tournament,
                flag,
                word=form.cleaned_data["word"],
                by=request.user.get_username(),
                at=timezone.now(),
            )
        except Flag.DoesNotExist:
            raise Http404 from None
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Erledigt."))
            return redirect("sheets:flags", tournament.slug)
    return _flags_page(request, tournament, flag, form)


def _flags_page(
    request: HttpRequest, tournament: Tournament, bound: int = 0, bound_form: FlagWordForm | None = None
) -> HttpResponse:
    """bound: the flag whose form says what is wrong with it."""
    found = flags_of(tournament)
    lines = [
        (flag, bound_form if flag.pk == bound else FlagWordForm(auto_id=f"flag-{flag.pk}-%s"))
        for flag in found.open
    ]
    context = {"tournament": tournament, "flags": found, "lines": lines, "refused": bound_form}
    status = 422 if bound_form else 200
    return render(request, "scoring/organiser/flags.html", context, status=status)
