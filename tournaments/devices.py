"""The cookie by which a device is recognised that has logged in before, for each of its accounts.

It grants no access. Requests of the device are answered before those of guests, and it is exempt from the wait that wrong
passwords from the same address cause, see OWASP's "device cookies". The device has a count of its own, so a stolen cookie gives no free attempts.
"""

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tournaments.signed_values import read, set_cookie, sign

_SALT = "tournaments.devices"
_SECONDS = 365 * 24 * 60 * 60
_MOST_ACCOUNTS = 8
"""The number of accounts that a device is recognised for; a shared laptop forgets the earliest one."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device, and the ids of the accounts that have logged in on it."""

    name: str
    accounts: tuple[int, ...] = ()


def device_of(request: HttpRequest) -> Device | None:
    """Return the device that sends this request; None without a cookie or with an invalid one."""
    content = read(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=_SALT, seconds=_SECONDS)
    if content is None:
        return None
    name, accounts = content
    return Device(name, tuple(accounts))


def remember(request: HttpRequest, response: HttpResponse, account: int) -> None:
    """Recognise the device from now on when it logs in to this account."""
    device = device_of(request) or Device(secrets.token_hex(16))
    others = [other for other in device.accounts if other != account]
    set_cookie(
        response,
        settings.DEVICE_COOKIE_NAME,
        sign([device.name, [*others, account][-_MOST_ACCOUNTS:]], salt=_SALT),
        seconds=_SECONDS,
        same_site="Strict",
    )
