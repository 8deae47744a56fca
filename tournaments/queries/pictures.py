"""The picture of the club: on certificates, and on the screens if the organiser wants that."""

from dataclasses import dataclass

from django.db.models import CharField, F, Func

from tournaments.models import ClubPicture, Tournament
from tournaments.queries.club import club


@dataclass(frozen=True, slots=True)
class WallPicture:
    """The picture as a page of the screens. version: a digest of the picture, for its address."""

    caption: str
    version: str


def picture_row(tournament: Tournament) -> ClubPicture | None:
    """Return the row without the picture itself, None if the tournament has no picture."""
    return ClubPicture.objects.filter(tournament=tournament).defer("jpeg").first()


def has_picture(tournament: Tournament) -> bool:
    return ClubPicture.objects.filter(tournament=tournament).exists()


def prints_picture(tournament: Tournament) -> bool:
    """Whether certificates have a picture: that of the tournament, else that of the club."""
    named = club()
    return bool(named and named.picture) or has_picture(tournament)


def picture_of(tournament: Tournament, **which: bool) -> bytes | None:
    """Return the picture as JPEG, None if the tournament has none, or none of this kind (on_wall)."""
    pictures = ClubPicture.objects.filter(tournament=tournament, **which)
    jpeg = pictures.values_list("jpeg", flat=True).first()
    return None if jpeg is None else bytes(jpeg)


def wall_picture_of(tournament: Tournament) -> WallPicture | None:
    """Return what the screens show of the picture, None unless they show it."""
    digest = Func(F("jpeg"), function="md5", output_field=CharField())
    pictures = ClubPicture.objects.filter(tournament=tournament, on_wall=True)
    row = pictures.values_list("caption", digest).first()
    return WallPicture(*row) if row else None
