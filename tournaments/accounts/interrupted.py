"""A form that was posted without a session. The log-in page keeps its fields; after the log-in it is posted again.

They are kept in the page alone, signed, so that nobody can fill the database with forms or change one. A button posts them
again, with a new token, as the account that has logged in. Passwords and files are never kept.
"""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from tournaments.requests import is_ours, page_near
from tournaments.signed_values import read, sign

FIELD = "interrupted"
_SALT = "tournaments.accounts.interrupted"
_SECONDS = 24 * 60 * 60
_NEVER_KEPT = ("password", "csrfmiddlewaretoken")
_TYPED = frozenset({"name", "club", "place", "player", "other", "reason", "note", "text"})
"""Fields with text that a person typed. The others hold choices and numbers, which mean little without their form."""


@dataclass(frozen=True, slots=True)
class InterruptedForm:
    """The path that a form was posted to, the page that it was on, and its fields; empty if they are not kept."""

    path: str
    page: str
    fields: tuple[tuple[str, str], ...]

    @property
    def typed(self) -> tuple[str, ...]:
        """The typed texts, by which a person recognises the form."""
        return tuple(value for name, value in self.fields if name in _TYPED and value.strip())

    def signed(self) -> str:
        return sign([self.path, self.page, self.fields], salt=_SALT, compress=True)


def interrupted_form(request: HttpRequest) -> InterruptedForm | None:
    """Return the form of a request without a session, or the one that the log-in page kept; None without one."""
    if request.path != reverse("account:login"):
        return InterruptedForm(request.get_full_path(), _page_of(request), _fields(request))
    return from_text(request.POST.get(FIELD, ""))


def from_text(text: str) -> InterruptedForm | None:
    """Return the form in a text that `signed` made; None for any other text, and after a day."""
    content = read(text, salt=_SALT, seconds=_SECONDS)
    if content is None:
        return None
    path, page, fields = content
    return InterruptedForm(path, page, tuple((name, value) for name, value in fields))


def _page_of(request: HttpRequest) -> str:
    """Return the page that the form was on, or the one above the form's path."""
    referer = request.headers.get("Referer", "")
    return (page_near(referer) if is_ours(request, referer) else "") or page_near(request.path)


def _fields(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    if request.FILES:
        return ()
    return tuple(
        (name, value)
        for name, values in request.POST.lists()
        if not any(part in name.lower() for part in _NEVER_KEPT)
        for value in values
    )
