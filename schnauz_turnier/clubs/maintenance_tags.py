"""Template tag for announced maintenance."""

from typing import Any

from django import template
from django.utils import timezone

from schnauz_turnier.clubs.maintenance import notices

register = template.Library()


@register.inclusion_tag("clubs/_maintenance.html")
def maintenance() -> dict[str, Any]:
    return {"announced": notices.current(timezone.now())}
