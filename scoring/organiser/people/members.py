"""Views of the members' list: read in with a preview, and saved as a file."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.organiser.people.member_list import MemberList, member_file, read_members
from tournaments.access import club_view
from tournaments.core.refusal import Refusal
from tournaments.list_files import posted_list
from tournaments.once import mark_unchanged
from tournaments.queries.member_list import member_plan
from tournaments.requests import StaffRequest
from tournaments.security_log import download
from tournaments.services.people import take_members
from tournaments.services.people_lists import MOST_AT_ONCE
from tournaments.spreadsheets import CONTENT_TYPES
from tournaments.text.refusals import message


@never_cache
@club_view("GET", "POST")
def members(request: StaffRequest) -> HttpResponse:
    """Paste or upload a list of members, preview what becomes of it, save. Only what was previewed is saved."""
    text, error, members, today = request.POST.get("text", ""), "", None, timezone.localdate()
    if request.method == "POST":
        try:
            text = posted_list(request)
            members = read_members(text)
            if "enter" in request.POST:
                plan = take_members(members.lines, seen=request.POST.get("seen", ""), on=today)
                counts = {"new": len(plan.new), "changed": len(plan.changed)}
                messages.success(request, _("Neu: %(new)s. Geändert: %(changed)s.") % counts)
                return redirect("organiser:club_people")
        except Refusal as refusal:
            error = message(refusal)
    return _page(request, text, members, error)


def _page(request: StaffRequest, text: str, members: MemberList | None, error: str) -> HttpResponse:
    plan = member_plan(members.lines, on=timezone.localdate()) if members else None
    refused = [*members.bad, *plan.refused] if members and plan else []
    context = {
        "text": text.replace("\0", "\ufffd"),
        "error": error,
        "members": members,
        "plan": plan,
        "refused": [
            (line, who, message(refusal)) for line, who, refusal in sorted(refused, key=lambda row: row[0])
        ],
        "most": MOST_AT_ONCE,
    }
    mark_unchanged(request)
    return render(request, "scoring/organiser/people/members.html", context, status=422 if error else 200)


@never_cache
@club_view("GET")
def download_members(request: StaffRequest, kind: str) -> HttpResponse:
    if kind not in CONTENT_TYPES:
        raise Http404
    return download(request, f"{_('Mitglieder').lower()}.{kind}", member_file(kind), CONTENT_TYPES[kind])
