"""Warning on password forms served over plain HTTP."""

from typing import Any

from django import template
from django.http import HttpRequest

from tournaments.own_address import staff_url
from tournaments.requests import is_private

register = template.Library()


@register.inclusion_tag("tournaments/accounts/_unencrypted.html", takes_context=True)
def unencrypted_warning(context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the warning. There is none if browser and program run on the same computer."""
    request: HttpRequest = context["request"]
    url = f"{staff_url()}{request.path}" if staff_url() else ""
    return {"is_readable": not is_private(request), "url": url}
