"""Players who are missing at their table."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from tournaments.models import Participant, Table


class MissingPlayer(models.Model):
    """A player who is missing at a table, until they are found. Of this installation only: no document contains it.

    It counts only while the round is in play and the player has that seat. reported_by, found_by: the organiser's account,
    "" for a phone of the table. A redraw deletes it with its table.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="missing")
    participant = models.ForeignKey(Participant, models.CASCADE, related_name="missing")
    reported_at = models.DateTimeField()
    reported_by = models.CharField(max_length=150, blank=True)
    found_at = models.DateTimeField(null=True)
    found_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            UniqueConstraint(
                fields=["table", "participant"], condition=Q(found_at=None), name="missing_once_at_a_table"
            ),
            CheckConstraint(
                condition=Q(found_at__isnull=False) | Q(found_by=""), name="found_by_after_found"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant} – {self.table}"
