"""The picture of the club on a tournament's certificates."""

from tournaments.models import ClubPicture, Tournament


def has_picture(tournament: Tournament) -> bool:
    return ClubPicture.objects.filter(tournament=tournament).exists()


def picture_of(tournament: Tournament) -> bytes | None:
    """Return the picture as JPEG, None if the tournament has none."""
    jpeg = ClubPicture.objects.filter(tournament=tournament).values_list("jpeg", flat=True).first()
    return None if jpeg is None else bytes(jpeg)
