"""The club around its tournaments: what outlives one of them."""

from django.db import models


class ClubPicture(models.Model):
    """A picture or coat of arms of the club, encoded by this program. Local, not exported."""

    tournament = models.OneToOneField("tournaments.Tournament", models.CASCADE, related_name="club_picture")
    jpeg = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.tournament}"
