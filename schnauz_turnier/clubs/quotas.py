"""Quotas of the clubs: own ones in the catalogue, else those of the settings."""

from django.conf import settings

from schnauz_turnier.clubs.catalogue import ClubRefusal, club_to_change, write_catalogue

MOST = 1_000_000
_SET = (
    "UPDATE catalogue.club SET most_tournaments = %s, most_people = %s, most_megabytes = %s WHERE slug = %s"
)
_JUDGE = """
UPDATE catalogue.club SET is_full = coalesce(bytes >= coalesce(most_megabytes, %s)::bigint * 1000000, false)
FROM catalogue.measured WHERE measured.slug = club.slug AND club.slug = %s
"""


def set_quotas(slug: str, *, tournaments: int | None, people: int | None, megabytes: int | None) -> None:
    """Set the own quotas of a club, None for those of the settings. They count within two seconds.

    What is beyond a quota already stays. Raises ClubRefusal, also for a number that is not from 0 to MOST.
    """
    club_to_change(slug)
    quotas = (tournaments, people, megabytes)
    if not all(most is None or 0 <= most <= MOST for most in quotas):
        raise ClubRefusal(f"A quota is a number from 0 to {MOST}.")
    write_catalogue(_SET, *quotas, slug)
    note_room(slug)


def note_room(slug: str) -> None:
    """Note in the catalogue whether a club has used up its room, by its latest measures."""
    write_catalogue(_JUDGE, settings.CLUB_MOST_MEGABYTES, slug)
