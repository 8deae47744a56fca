"""Roles in the club: giving and ending them, and invitations. Views of the owner of the installation."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.access import owner_view
from tournaments.accounts.owner.forms import ClubRoleForm, InviteToClubForm
from tournaments.accounts.owner.views import accounts_page
from tournaments.current_club import origin
from tournaments.forms import refusal_as_message
from tournaments.links import qr_code
from tournaments.models import EventKind
from tournaments.own_address import staff_url
from tournaments.requests import StaffRequest, signed
from tournaments.security_log import record
from tournaments.services import accounts as services


@owner_view("POST")
def set_club_role(request: StaffRequest, user_id: int) -> HttpResponse:
    form = ClubRoleForm(request.POST)
    if form.is_valid():
        with refusal_as_message(request):
            role = form.cleaned_data["role"]
            name = services.set_club_role(user_id, role=role, at=timezone.now()).get_username()
            record(EventKind.CLUB_ROLE, request, about=f"{name}: {role or '–'}")
            messages.success(request, _("Gespeichert."))
    return redirect("account:accounts")


@never_cache
@owner_view("POST")
def invite(request: StaffRequest) -> HttpResponse:
    """Create an invitation to the club and show its link once: only a hash of its code is stored."""
    form = InviteToClubForm(request.POST)
    if not form.is_valid():
        return accounts_page(request, form, status=422)
    role = form.cleaned_data["role"]
    code = services.invite(None, role=role, **signed(request))
    record(EventKind.INVITED, request, about=f"+: {role}")
    link = f"{staff_url() or origin()}{reverse('account:join')}#{code}"
    return accounts_page(
        request,
        form,
        link=link,
        code=code,
        days=services.INVITATION_DAYS,
        qr=qr_code(link),
    )


@owner_view("POST")
def withdraw_invitation(request: StaffRequest, invitation_id: int) -> HttpResponse:
    with refusal_as_message(request):
        services.withdraw_invitation(None, invitation_id=invitation_id, at=timezone.now())
        record(EventKind.WITHDRAWN, request, about="+")
        messages.success(request, _("Die Einladung ist zurückgezogen."))
    return redirect("account:accounts")
