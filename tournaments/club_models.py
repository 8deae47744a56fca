"""The club around its tournaments: what outlives one of them."""

from django.db import models
from django.db.models import CheckConstraint, Q


class ClubSettings(models.Model):
    """The club in its imprint, and the values with which its tournaments begin. One row; none: the club has no name yet.

    name to register: for the imprint, of which only the name is required. place, names: of new tournaments. retention_months: after
    how many months the club deletes a tournament, as its privacy page says.
    """

    name = models.CharField(max_length=120)
    legal_form = models.CharField(max_length=80, blank=True)
    street = models.CharField(max_length=120, blank=True)
    town = models.CharField(max_length=120, blank=True)
    represented_by = models.CharField(max_length=200, blank=True)
    contact = models.CharField(max_length=120, blank=True)
    register = models.CharField(max_length=120, blank=True)
    place = models.CharField(max_length=120, blank=True)
    names = models.CharField(
        max_length=6,
        choices=[("full", "Full"), ("short", "Short"), ("number", "Number")],
        default="short",
        help_text="as of a tournament",
    )
    retention_months = models.PositiveSmallIntegerField(null=True)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(pk=1), name="club_settings_once"),
            CheckConstraint(condition=~Q(name=""), name="club_has_name"),
            CheckConstraint(condition=Q(names__in=["full", "short", "number"]), name="club_names_known"),
            CheckConstraint(
                condition=Q(retention_months=None) | Q(retention_months__range=(1, 120)),
                name="club_retention_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ClubPicture(models.Model):
    """A picture or coat of arms of the club, encoded by this program. Local, not exported."""

    tournament = models.OneToOneField("tournaments.Tournament", models.CASCADE, related_name="club_picture")
    jpeg = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.tournament}"
