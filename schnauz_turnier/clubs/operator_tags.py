"""Template tags for what the operator says on the pages of clubs: texts in the foot and for the owner, and announced maintenance."""

import logging
from typing import Any

from django import template
from django.db import DatabaseError, connection
from django.utils import timezone

from schnauz_turnier.clubs.maintenance import notices
from schnauz_turnier.clubs.texts import Text, texts_of_operator, texts_to_agree
from tournaments.current_club import current_club

logger = logging.getLogger(__name__)
register = template.Library()

register.simple_tag(texts_of_operator)


@register.inclusion_tag("clubs/_maintenance.html")
def maintenance() -> dict[str, Any]:
    return {"announced": notices.current(timezone.now())}


@register.inclusion_tag("clubs/own/_texts_to_agree.html", takes_context=True)
def texts_to_agree_notice(context: dict[str, Any]) -> dict[str, Any]:
    """Ask the owner of a club for the agreement that is missing. Nothing fails if that cannot be read."""
    club, texts = current_club(), list[Text]()
    if club and context["user"].is_superuser and not connection.in_atomic_block:
        try:
            texts = texts_to_agree(club.slug)
        except DatabaseError:
            logger.warning("What a club has agreed to could not be read.")
    return {"texts": texts}
