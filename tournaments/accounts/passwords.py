"""Checks of passwords that a browser sends: counted, limited, and hashed outside of a database connection."""

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone

from tournaments import hashing
from tournaments.core.refusal import Refusal
from tournaments.devices import device_of
from tournaments.requests import address_of
from tournaments.services import log_ins


def is_right(request: HttpRequest, password: str, *, name: str, user: User | None) -> bool:
    """Whether this is the password of the account. Refuses log_in_slowed, log_in_busy.

    user: the account of this name; without one the check takes the same time.
    """
    address, device = address_of(request), _known_device(request, user)
    with hashing.attempt(device or address):
        attempt = log_ins.count_attempt(name, address=address, device=device, at=timezone.now())
        try:
            with hashing.hashing_slot(device or address, is_known=device is not None):
                right = _matches(password, user)
        except Refusal:
            log_ins.take_back(attempt)
            raise
        if right:
            log_ins.succeed(attempt)
        return right


def _known_device(request: HttpRequest, user: User | None) -> str | None:
    device = device_of(request)
    return device.name if device and user and user.pk in device.accounts else None


def _matches(password: str, user: User | None) -> bool:
    if user is None:
        User().set_password(password)
        return False
    return user.check_password(password)
