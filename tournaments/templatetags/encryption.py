"""Warning on password forms served over plain HTTP."""

import ipaddress
from typing import Any

from django import template
from django.http import HttpRequest

from tournaments.own_address import staff_url

register = template.Library()


@register.inclusion_tag("tournaments/accounts/_unencrypted.html", takes_context=True)
def unencrypted_warning(context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the warning. There is none if browser and program run on the same computer."""
    request: HttpRequest = context["request"]
    url = f"{staff_url()}{request.path}" if staff_url() else ""
    return {"is_readable": not request.is_secure() and not _is_this_computer(request), "url": url}


def _is_this_computer(request: HttpRequest) -> bool:
    try:
        return ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback
    except ValueError:
        return False
