"""The picture of the club on a tournament's certificates."""

from django.db import models


class ClubPicture(models.Model):
    """A picture or coat of arms of the club, as this program has encoded it. Local, not exported."""

    tournament = models.OneToOneField("tournaments.Tournament", models.CASCADE, related_name="club_picture")
    jpeg = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.tournament}"
