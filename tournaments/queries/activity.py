"""Moments at which the installation, or a club of it, was used."""

from datetime import datetime

from django.db.models import Max

from tournaments.models import Participant, SecurityEvent, SignUp

_MOMENTS = ((SecurityEvent, "at"), (Participant, "registered_at"), (SignUp, "made_at"))


def latest_moments(before: datetime) -> list[datetime]:
    """Return the latest moment of each kind of activity until `before`. Three queries."""
    latest = (
        model._default_manager.filter(**{f"{name}__lte": before}).aggregate(latest=Max(name))["latest"]
        for model, name in _MOMENTS
    )
    return [moment for moment in latest if moment is not None]
