"""The club whose tournaments these are."""

from dataclasses import asdict, dataclass

from django.db.models import CharField, F, Func

from tournaments.current_club import current_club
from tournaments.models import ClubSettings
from tournaments.page_cache import page_cache

CLUB = ""
"""The name under which the page cache has what is of no tournament."""


@dataclass(frozen=True, slots=True)
class ClubDetails:
    """The settings of the club, as `ClubSettings` has them. picture: a digest of the picture, for its address; "" without one."""

    name: str
    legal_form: str = ""
    street: str = ""
    town: str = ""
    represented_by: str = ""
    contact: str = ""
    register: str = ""
    place: str = ""
    names: str = "short"
    retention_months: int | None = None
    name_days: int | None = None
    announcement: str = ""
    picture: str = ""

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def club() -> ClubDetails | None:
    """Return the settings of the club, None before there are any. Cached while nothing changes."""
    return page_cache.get_or_make(CLUB, "settings", _read)


def name_of_club() -> str:
    """Return the name in the settings of the club, before there are any the one that it was made with; "" for a laptop without one."""
    named, made = club(), current_club()
    return named.name if named else made.name if made else ""


def _read() -> ClubDetails | None:
    names = [name for name in ClubDetails.__slots__ if name != "picture"]
    digest = Func(F("jpeg"), function="md5", output_field=CharField())
    row = ClubSettings.objects.values(*names, picture=digest).first()
    return ClubDetails(**row | {"picture": row["picture"] or ""}) if row else None


def picture_of_club() -> bytes | None:
    """Return the picture of the club as JPEG, None if it has none."""
    jpeg = ClubSettings.objects.values_list("jpeg", flat=True).first()
    return None if jpeg is None else bytes(jpeg)
