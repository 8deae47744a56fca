"""Views of the owner of the installation: accounts, links for a new password, security log, deletions, the cash of a year."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.access import owner_view
from tournaments.accounts.owner.forms import InviteToClubForm
from tournaments.current_club import origin
from tournaments.forms import refusal_as_message
from tournaments.links import qr_code
from tournaments.models import EventKind
from tournaments.own_address import staff_url
from tournaments.queries import accounts as queries
from tournaments.queries import ledger
from tournaments.queries.tournaments import open_invitations
from tournaments.requests import StaffRequest
from tournaments.security_log import DAYS, download, record
from tournaments.services import accounts as services
from tournaments.services import second_factor as factors
from tournaments.spreadsheets import CONTENT_TYPES, Cell, file_of
from tournaments.text.money import word_desk
from tournaments.text.states import KINDS_OF_EVENTS

YEARS = range(2000, 2200)


@never_cache
@owner_view("GET")
def accounts(request: StaffRequest) -> HttpResponse:
    return accounts_page(request, InviteToClubForm())


@owner_view("POST")
def close(request: StaffRequest, user_id: int) -> HttpResponse:
    with refusal_as_message(request):
        closed = services.close_account(user_id, at=timezone.now())
        name = closed.get_username()
        record(EventKind.CLOSED, request, about=name)
        messages.success(request, _("Das Konto „%(name)s“ ist geschlossen.") % {"name": name})
    return redirect("account:accounts")


@never_cache
@owner_view("POST")
def make_link(request: StaffRequest, user_id: int) -> HttpResponse:
    """Make a link for a new password and show it once: only a hash of its code is stored."""
    with refusal_as_message(request):
        name, code = services.make_password_link(user_id, at=timezone.now())
        record(EventKind.LINK_MADE, request, about=name)
        link = f"{staff_url() or origin()}{reverse('account:new_password')}#{code}"
        return accounts_page(
            request,
            InviteToClubForm(),
            link=link,
            code=code,
            link_name=name,
            hours=services.PASSWORD_LINK_HOURS,
            qr=qr_code(link),
        )
    return redirect("account:accounts")


@owner_view("POST")
def remove_second_factor(request: StaffRequest, user_id: int) -> HttpResponse:
    """Remove the second factor of an account whose app and recovery codes are lost."""
    name = factors.remove_of(user_id)
    if name is not None:
        record(EventKind.SECOND_FACTOR, request, about=name)
        messages.success(request, _("Das Konto „%(name)s“ braucht keinen Code mehr.") % {"name": name})
    return redirect("account:accounts")


@never_cache
@owner_view("GET")
def log(request: StaffRequest) -> HttpResponse:
    """Show the security log, newest first, all kinds or one."""
    kind = request.GET.get("kind", "")
    kind = kind if kind in KINDS_OF_EVENTS else ""
    page = queries.security_events(kind=kind, page=request.GET.get("page", "1")[:6], at=timezone.now())
    context = {
        "page": page,
        "kept": f"{urlencode({'kind': kind})}&",
        "lines": [(event, KINDS_OF_EVENTS.get(event.kind, event.kind)) for event in page],
        "kind": kind,
        "kinds": KINDS_OF_EVENTS,
        "days": DAYS,
    }
    return render(request, "tournaments/accounts/owner/log.html", context)


@never_cache
@owner_view("GET")
def year_book(request: StaffRequest, year: int) -> HttpResponse:
    """Print the cash book of a year over all tournaments: a line for each desk and day."""
    if year not in YEARS:
        raise Http404
    context = {"book": ledger.year_book(year), "before": year - 1, "after": year + 1, "at": timezone.now()}
    return render(request, "tournaments/accounts/owner/year_book.html", context)


@never_cache
@owner_view("GET")
def download_year_book(request: StaffRequest, year: int, kind: str) -> HttpResponse:
    """Return the cash book of a year as a file. kind: csv or xlsx."""
    if year not in YEARS or kind not in CONTENT_TYPES:
        raise Http404
    headings = [
        _("Tag"), _("Turnier"), _("Kasse"), _("Anfangsbestand"), _("Einnahmen"), _("Einlagen"), _("Entnahmen"),
        _("Ausgaben"), _("Endbestand"), _("Startgebühren"), _("Differenz"), _("Gezählt"),
    ]  # fmt: skip
    rows: list[Sequence[Cell]] = []
    for name, day in ledger.year_book(year).days:
        cents = [day.opening_cents, day.takings_cents, day.deposits_cents, day.withdrawals_cents]
        cents += [day.expenses_cents, day.closing_cents, day.receipts_cents, day.difference_cents]
        counted = _("ja") if day.is_counted else _("nein")
        amounts = [Decimal(amount) / 100 for amount in cents]
        rows.append((day.day.isoformat(), name, word_desk(day.desk), *amounts, counted))
    title = _("Kassenbuch")
    content = file_of(kind, f"{title} {year}", headings, rows)
    return download(request, f"{title.lower()}-{year}.{kind}", content, CONTENT_TYPES[kind])


@never_cache
@owner_view("GET")
def deletions(request: StaffRequest) -> HttpResponse:
    """Show which tournaments were deleted and who was erased, newest first, without names."""
    page = queries.deletions(page=request.GET.get("page", "1")[:6])
    return render(request, "tournaments/accounts/owner/deletions.html", {"page": page})


def accounts_page(
    request: StaffRequest, form: InviteToClubForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Return the page of all accounts. more: a link that is shown once."""
    context = {
        "accounts": queries.accounts(),
        "form": form,
        "invitations": open_invitations(None, timezone.now()),
    }
    return render(request, "tournaments/accounts/owner/accounts.html", context | more, status=status)
