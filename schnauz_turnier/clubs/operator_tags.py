"""Template tags for what the operator says on the pages of all clubs: texts in the foot, and announced maintenance."""

from typing import Any

from django import template
from django.utils import timezone

from schnauz_turnier.clubs.maintenance import notices
from schnauz_turnier.clubs.texts import texts_of_operator

register = template.Library()

register.simple_tag(texts_of_operator)


@register.inclusion_tag("clubs/_maintenance.html")
def maintenance() -> dict[str, Any]:
    return {"announced": notices.current(timezone.now())}
