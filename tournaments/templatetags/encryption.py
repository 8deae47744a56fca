"""The warning at forms that ask for a password, where others in the same Wi-Fi can read along."""

import ipaddress
from typing import Any

from django import template
from django.http import HttpRequest

from tournaments.own_address import staff_url

register = template.Library()


@register.inclusion_tag("tournaments/accounts/_unencrypted.html", takes_context=True)
def unencrypted_warning(context: dict[str, Any]) -> dict[str, Any]:
    """Return what the warning needs. Nothing leaves the laptop on which the browser and the program both run."""
    request: HttpRequest = context["request"]
    url = f"{staff_url()}{request.path}" if staff_url() else ""
    return {"is_readable": not request.is_secure() and not _is_this_computer(request), "url": url}


def _is_this_computer(request: HttpRequest) -> bool:
    try:
        return ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback
    except ValueError:
        return False
