"""Typed requests, and the signature of a write."""

from datetime import datetime
from typing import TypedDict

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django_htmx.middleware import HtmxDetails


class Request(HttpRequest):
    """A request after the middleware has run."""

    htmx: HtmxDetails


class StaffRequest(Request):
    """A request with an account. role: the account's role in the tournament of the URL, "" without a tournament."""

    user: User
    role: str


class Signature(TypedDict):
    """Who writes, and when."""

    by: str
    at: datetime


def signed(request: StaffRequest) -> Signature:
    """Return the signature that a service wants: `service(tournament, ..., **signed(request))`."""
    return {"by": request.user.get_username(), "at": timezone.now()}
