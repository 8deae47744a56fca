"""Pages of a club about itself, for its owner: it takes its backup, moves out, ends its account."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from datetime import datetime
from typing import IO, cast
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from schnauz_turnier.clubs.catalogue import ClubRefusal, club_of
from schnauz_turnier.clubs.ending import GRACE, end_club, move_out, reopen
from scoring.services.dump import dump, snapshot
from tournaments.access import form_of_everybody, owner_view, public_view
from tournaments.accounts.confirmation import ConfirmedForm
from tournaments.accounts.forms import CodeForm, code_field
from tournaments.current_club import current_club, public_address, signing_key
from tournaments.forms import CleanField, NameField, form_page
from tournaments.links import new_code, qr_code
from tournaments.mail import send_later
from tournaments.models import EventKind, Person, Tournament
from tournaments.own_address import public_url
from tournaments.requests import Request, StaffRequest, posted
from tournaments.security_log import record
from tournaments.services.turns import take_turn

MOST_BACKUPS = 5
LONGEST_ADDRESS = 200
BLOCK = 1 << 18
MOST_IN_MEMORY = 16 << 20


def _address(text: str) -> str:
    """Return the address of a start page without its last slash. Raises ValidationError for what is none."""
    text = text.strip().rstrip("/")
    try:
        url = urlsplit(text)
        is_right = url.scheme in ("http", "https") and url.hostname and (url.port or True)
    except ValueError:
        is_right = False
    beyond = (
        len(text) > LONGEST_ADDRESS or not text.isprintable() or any(mark in text for mark in " ?#@\\\"'<>")
    )
    if text and (not is_right or beyond):
        raise forms.ValidationError(
            _(
                "Bitte die Adresse der Startseite dort, zum Beispiel https://turnier.example.org, oder nichts."
            ),
            code="address_bad",
        )
    return text


class BackupForm(ConfirmedForm):
    """A backup of now. with_key: for a club that moves out."""

    with_key = forms.BooleanField(required=False, widget=forms.HiddenInput)


class _TypedSlugForm(ConfirmedForm):
    typed = NameField(most=80, label=gettext_lazy("Kurzname des Vereins"))

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed.strip() != slug_of_club():
            raise forms.ValidationError(
                _("Das ist nicht der Kurzname. Bitte genau so eintippen."), code="typed_wrong"
            )
        return typed


class MoveOutForm(_TypedSlugForm):
    address = CleanField(
        _address,
        label=gettext_lazy("Neue Adresse"),
        help_text=gettext_lazy(
            "Wohin die Codes auf den Tischen und alte Links weiterführen. Ohne Adresse steht hier nur, dass der Verein geschlossen ist."
        ),
    )


class EndForm(_TypedSlugForm):
    """The end of the account."""


class OpenAgainForm(CodeForm):
    code = code_field()


@never_cache
@owner_view("GET")
def home(request: StaffRequest) -> HttpResponse:
    """Show what a club can do about itself."""
    return render(request, "clubs/own/home.html")


@never_cache
@sensitive_post_parameters("confirmation")
@owner_view("GET", "POST", once=False)
def backup(request: StaffRequest) -> HttpResponse:
    """Ask for the password on GET, return a backup of now on POST."""
    form = BackupForm(request, auto_id="backup_%s")
    if form.is_valid():
        if take_turn("backup", most=MOST_BACKUPS, at=timezone.now()):
            return _backup(request, with_key=form.cleaned_data["with_key"])
        form.add_error(
            None, _("Das waren schon einige Sicherungen. Bitte in einer Viertelstunde noch einmal.")
        )
    if form.data.get("with_key"):
        return _move_page(request, form, MoveOutForm(request, is_sent=False, auto_id="move_%s"))
    return form_page(request, "clubs/own/backup.html", {"form": form, **_numbers()}, form)


def _backup(request: StaffRequest, *, with_key: bool) -> HttpResponse:
    """Return the dump of the club as a file. A large one is written to the disk first."""
    at = timezone.now()
    name = f"{slug_of_club()}-{at:%Y%m%dT%H%M%SZ}.zip"
    file = tempfile.SpooledTemporaryFile(MOST_IN_MEMORY)  # noqa: SIM115 (`_blocks` closes it)
    with snapshot():
        dump(file, key=signing_key(), with_key=with_key, public_url=public_address(), at=at)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(file.tell())}
    file.seek(0)
    record(EventKind.DOWNLOADED, request, about=name)
    response = StreamingHttpResponse(_blocks(file), content_type="application/zip", headers=headers)
    return cast(HttpResponse, response)


async def _blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    """Yield a file in parts. The response is closed before it is sent, which does not end an asynchronous iterator."""
    with file:
        while block := await asyncio.to_thread(file.read, BLOCK):
            yield block


@never_cache
@sensitive_post_parameters("confirmation")
@owner_view("GET", "POST", once=False)
def move(request: StaffRequest) -> HttpResponse:
    """Lead through the way home on GET; on POST close the club here."""
    form = MoveOutForm(request, auto_id="move_%s")
    if form.is_valid():
        code = new_code()
        try:
            move_out(slug_of_club(), address=form.cleaned_data["address"], code=code)
            return _left(request, code, None)
        except ClubRefusal:
            form.add_error(None, _already_closed())
    return _move_page(request, BackupForm(request, is_sent=False, auto_id="backup_%s"), form)


def _move_page(request: StaffRequest, backup_form: BackupForm, form: MoveOutForm) -> HttpResponse:
    context = {"backup_form": backup_form, "form": form, "slug": slug_of_club(), **_numbers()}
    return form_page(request, "clubs/own/move_out.html", context, backup_form, form)


@never_cache
@sensitive_post_parameters("confirmation")
@owner_view("GET", "POST", once=False)
def end(request: StaffRequest) -> HttpResponse:
    """Say what ends on GET; on POST close the club, which is deleted after thirty days."""
    form = EndForm(request)
    if form.is_valid():
        code = new_code()
        try:
            return _left(request, code, end_club(slug_of_club(), at=timezone.now(), code=code))
        except ClubRefusal:
            form.add_error(None, _already_closed())
    context = {"form": form, "slug": slug_of_club(), "days": GRACE.days, **_numbers()}
    return form_page(request, "clubs/own/end.html", context, form)


def _left(request: StaffRequest, code: str, ends_at: datetime | None) -> HttpResponse:
    """Show the link that opens the club again, this once, and send it to the owner. ends_at: None for a club that has moved."""
    link = f"{public_url()}/open/#{code}"
    if request.user.email:
        words = _(
            "Ihr Verein „%(club)s“ ist hier geschlossen. Dieser Link öffnet ihn wieder, so lange er noch nicht gelöscht ist:\n\n%(link)s\n"
        )
        send_later(
            EmailMessage(
                _("Ihr Verein ist geschlossen"),
                words % {"club": slug_of_club(), "link": link},
                to=[request.user.email],
            )
        )
    has_mail = settings.HAS_MAIL and bool(request.user.email)
    context = {"link": link, "code": code, "qr": qr_code(link), "ends_at": ends_at, "has_mail": has_mail}
    return render(request, "clubs/own/left.html", context)


@form_of_everybody
@never_cache
@public_view("GET", "POST", once=False)
def open_again(request: Request) -> HttpResponse:
    """Ask for the code on GET, open its club on POST. A page without a club."""
    form = OpenAgainForm(posted(request))
    if form.is_valid():
        slug = reopen(form.cleaned_data["code"])
        if slug is not None:
            return render(request, "clubs/own/open_again.html", {"club": club_of(slug)})
        form.add_error(
            "code",
            _(
                "Dieser Link gilt nicht mehr, denn er öffnet einen Verein nur einmal. Sonst hilft, wer diese Seiten betreibt."
            ),
        )
    return form_page(request, "clubs/own/open_again.html", {"form": form}, form)


def _already_closed() -> str:
    return _(
        "Der Verein ist gerade schon geschlossen worden, vielleicht durch ein zweites Drücken. Der Link, der ihn wieder öffnet, stand auf der "
        "ersten Antwort; ohne ihn hilft, wer diese Seiten betreibt."
    )


def slug_of_club() -> str:
    club = current_club()
    assert club is not None  # see urls_of_a_club.py
    return club.slug


def _numbers() -> dict[str, int]:
    """Return what to compare a restored club with."""
    return {"tournaments": Tournament.objects.count(), "people": Person.objects.count()}
