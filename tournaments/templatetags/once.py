"""The id of a form, with which it changes something once; see tournaments/once.py."""

import secrets
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.once import FIELD
from tournaments.requests import Request

register = template.Library()


@register.simple_tag(takes_context=True)
def once(context: dict[str, Any]) -> SafeString:
    """Return the hidden field with the id. All forms of an answer have the same: address and content tell them apart."""
    request: Request = context["request"]
    if not hasattr(request, "form_id"):
        request.form_id = secrets.token_urlsafe(12)
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, request.form_id)
