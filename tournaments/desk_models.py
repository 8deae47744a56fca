"""Cash desks and their append-only ledger. What a player pays or gets is a `Payment`, under the name of its desk."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint


class CashDesk(models.Model):
    """A cash desk of a tournament. Append-only (trigger). name: "" for the desk of payments without a name."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="desks")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="desk_number_once"),
            UniqueConstraint(fields=["tournament", "name"], name="desk_name_once"),
            UniqueConstraint(fields=["tournament", "id"], name="desk_of_tournament"),
            CheckConstraint(condition=Q(number__gte=1), name="desk_number_positive"),
        ]

    def __str__(self) -> str:
        return self.name


class DeskChange(models.Model):
    """Closing or reopening of a desk. Append-only (trigger); a closed desk takes no line and no payment (triggers)."""

    class DeskChangeKind(models.TextChoices):
        CLOSED = "closed"
        OPENED = "opened"

    desk = models.ForeignKey(CashDesk, models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=6, choices=DeskChangeKind.choices)
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(kind__in=["closed", "opened"]), name="desk_change_kind_known"),
            CheckConstraint(condition=Q(kind="closed") | ~Q(reason=""), name="desk_opened_with_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.desk}: {self.kind}"


class CashEntry(models.Model):
    """One line of a desk's ledger that concerns no player. Append-only: a mistake is reversed by another line (trigger).

    to: the desk that gets a transfer. pieces: notes and coins of a count (see `tournaments.core.cash`).
    """

    class CashKind(models.TextChoices):
        FLOAT = "float"
        IN = "in"
        OUT = "out"
        TRANSFER = "transfer"
        COUNT = "count"

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="cash_entries")
    desk = models.ForeignKey(CashDesk, models.CASCADE, related_name="entries")
    kind = models.CharField(max_length=8, choices=CashKind.choices)
    cents = models.PositiveIntegerField()
    to = models.ForeignKey(CashDesk, models.CASCADE, null=True, related_name="received")
    reason = models.CharField(max_length=500, blank=True)
    pieces = models.JSONField(null=True)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(kind__in=["float", "in", "out", "transfer", "count"]), name="cash_kind_known"
            ),
            CheckConstraint(
                condition=Q(cents__gt=0) | Q(kind__in=["float", "count"]), name="cash_cents_positive"
            ),
            CheckConstraint(condition=~Q(kind__in=["in", "out"]) | ~Q(reason=""), name="cash_reason_needed"),
            CheckConstraint(
                condition=(Q(kind="transfer", to__isnull=False) & ~Q(to=F("desk")))
                | (~Q(kind="transfer") & Q(to=None)),
                name="cash_transfer_to_another_desk",
            ),
            CheckConstraint(condition=Q(pieces=None) | Q(kind="count"), name="cash_pieces_of_a_count"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cents}"
