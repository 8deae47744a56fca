"""Template tags about this installation. They work without a template context, too."""

from django import template
from django.conf import settings

from schnauz_turnier.web.current_request import current_request
from tournaments import edition as editions

register = template.Library()


@register.simple_tag
def version() -> str:
    return str(settings.VERSION)


@register.simple_tag
def edition() -> str:
    """Return the edition of the program, by which an open page notices an update."""
    return editions.edition()


@register.simple_tag
def request_id() -> str:
    """Return the id of the current request, "" without one."""
    request = current_request()
    return request.id if request else ""
