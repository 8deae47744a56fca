"""Setting what the imprint says of the club, and what its tournaments begin with."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments.core.names import clean_name, clean_text
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.core.refusal import Refusal
from tournaments.models import ClubSettings
from tournaments.notify import notify
from tournaments.queries.club import CLUB, ClubDetails
from tournaments.services.pictures import jpeg_of
from tournaments.services.quotas import check_room

LONGEST = {"legal_form": 80, "represented_by": 200, "announcement": 200} | dict.fromkeys(
    ("name", "street", "town", "contact", "register", "place"), 120
)
"""The most characters of each text."""
RETENTION_MONTHS = range(1, 121)
NAME_DAYS = range(PUBLIC_DAYS, 3651)


def set_club(club: ClubDetails, *, by: str, at: datetime, uploaded: bytes | None = None) -> ClubDetails:
    """Store the settings of the club, its first ones or others. uploaded: its new picture, b"" for none, None to leave it.

    Refuses a missing, too long or invisible text as `clean_name` and `clean_text` do, retention_bad and name_days_bad (least,
    most), and a picture as `jpeg_of` and `check_room` do.
    """
    months = club.retention_months
    if months is not None and months not in RETENTION_MONTHS:
        raise Refusal("retention_bad", least=RETENTION_MONTHS[0], most=RETENTION_MONTHS[-1])
    if club.name_days is not None and club.name_days not in NAME_DAYS:
        raise Refusal("name_days_bad", least=NAME_DAYS[0], most=NAME_DAYS[-1])
    texts: Any = {name: clean_text(getattr(club, name), most=most) for name, most in LONGEST.items()}
    cleaned = replace(club, **texts | {"name": clean_name(club.name, most=LONGEST["name"])})
    values = {**cleaned.to_dict(), "by": by, "at": at}
    del values["picture"]
    if uploaded:
        check_room()
    if uploaded is not None:
        values["jpeg"] = jpeg_of(uploaded) if uploaded else None
    with transaction.atomic():
        ClubSettings.objects.update_or_create(pk=1, defaults=values)
        notify(CLUB, "tournament")
    return cleaned
