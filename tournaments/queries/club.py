"""The club whose tournaments these are."""

from dataclasses import asdict, dataclass

from tournaments.models import ClubSettings
from tournaments.page_cache import page_cache

CLUB = ""
"""The name under which the page cache has what is of no tournament."""


@dataclass(frozen=True, slots=True)
class ClubDetails:
    """The settings of the club, as `ClubSettings` has them."""

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

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def club() -> ClubDetails | None:
    """Return the settings of the club, None before there are any. Cached while nothing changes."""
    return page_cache.get_or_make(CLUB, "settings", _read)


def _read() -> ClubDetails | None:
    row = ClubSettings.objects.values(*ClubDetails.__slots__).first()
    return ClubDetails(**row) if row else None
