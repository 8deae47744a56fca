"""The organiser's views of the prize plan."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scoring.core.prize_plan import PrizePlan
from scoring.organiser.prizes.forms import PrizePlanForm
from scoring.organiser.prizes.presets import PLAN_PRESETS, preset_plan
from scoring.queries.prizes import outlook_now, outlooks_around, plan_of, plan_version
from scoring.services.prizes import set_prize_plan
from scoring.text.prizes import outlook_lines, outlook_rows
from tournaments.access import organiser_view
from tournaments.models import Tournament
from tournaments.once import mark_unchanged
from tournaments.queries.tournaments import has_rounds
from tournaments.requests import StaffRequest


@organiser_view("GET", "POST")
def prize_plan(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the plan and its outlook on GET; store it on POST, or with `look` only show its outlook."""
    if request.method == "POST":
        return _posted(request, tournament)
    stored = plan_of(tournament)
    chosen = request.GET.get("preset", "")
    preset = preset_plan(chosen, tournament)
    if preset and stored:
        preset = replace(preset, costs_cents=stored.costs_cents, public=stored.public)
    plan = preset or stored
    form = PrizePlanForm(None, tournament=tournament, plan=plan)
    return _page(request, tournament, form, plan, is_stored=preset is None, chosen=chosen if preset else "")


def _posted(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    form = PrizePlanForm(request.POST, tournament=tournament, plan=plan_of(tournament))
    plan, seen = form.plan(), request.POST.get("seen")
    if request.htmx or "look" in request.POST:
        mark_unchanged(request)
    if request.htmx:
        return _fragment(request, tournament, plan)
    if plan is not None and "look" not in request.POST:
        with form.refusal_at_field():
            set_prize_plan(tournament, None if plan.is_empty else plan, seen=seen)
            messages.success(request, _stored_words(plan))
            return redirect("organiser:prize_plan", tournament.slug)
        seen = plan_version(tournament)
    status = 200 if form.is_right else 422
    return _page(request, tournament, form, plan, is_stored=False, status=status, seen=seen)


def _fragment(request: StaffRequest, tournament: Tournament, plan: PrizePlan | None) -> HttpResponse:
    """Render the outlook of a plan while it is typed; 204 while it has errors."""
    if plan is None:
        return HttpResponse(status=204)
    context = {"tournament": tournament, **_outlook_context(tournament, plan)}
    return render(request, "scoring/organiser/prizes/_outlook.html", context)


def _stored_words(plan: PrizePlan) -> str:
    return _("Es gibt jetzt keinen Preisplan.") if plan.is_empty else _("Der Preisplan ist gespeichert.")


def _page(
    request: StaffRequest,
    tournament: Tournament,
    form: PrizePlanForm,
    plan: PrizePlan | None,
    *,
    is_stored: bool,
    chosen: str = "",
    status: int = 200,
    seen: str | None = None,
) -> HttpResponse:
    """Render the page. seen: the version of the plan that the form replaces; None: the stored one."""
    context: dict[str, Any] = {
        "tournament": tournament,
        "form": form,
        "is_stored": is_stored,
        "seen": plan_version(tournament) if seen is None else seen,
        "presets": [
            (key, name, key == chosen)
            for key, (name, _make) in PLAN_PRESETS.items()
            if key == "things" or not tournament.hides_amounts
        ],
        **_outlook_context(tournament, plan),
    }
    return render(request, "scoring/organiser/prizes/plan.html", context, status=status)


def _outlook_context(tournament: Tournament, plan: PrizePlan | None) -> dict[str, Any]:
    if plan is None or not plan.prizes:
        return {"outlook": None}
    outlook, kinds = outlook_now(tournament, plan), tournament.fee_kinds
    around = () if has_rounds(tournament) else outlooks_around(tournament, plan)
    lines = outlook_lines(outlook.prizes, kinds)
    return {
        "outlook": outlook,
        "lines": lines,
        "around": outlook_rows(around, kinds),
        "players": outlook.players,
    }
