"""Results of evenings, and the series (Jahreswertung) that evenings count for.

An *evening* is a tournament, or one of earlier times with its day and name. Its results are a projection of the final standings,
written by `scoring.services.evenings` alone; there are none before the standings are final, and none of a practice tournament.
"""

from datetime import date

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from tournaments.models import Participant, Person, Tournament


class Evening(models.Model):
    """An evening of a series. name, played_on: of one without a tournament: typed in, or of a tournament that was deleted.

    kind: then of its points, as in `PlayedEvening`, "" for one that was typed in.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, null=True, related_name="evening")
    name = models.CharField(max_length=120, blank=True)
    played_on = models.DateField(null=True)
    kind = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(tournament__isnull=False, name="", played_on=None)
                | (Q(tournament=None, played_on__isnull=False) & ~Q(name="")),
                name="evening_is_tournament_or_named",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament or self.name}"

    @property
    def day(self) -> date:
        """The day of the evening: of its tournament, or its own (constraint)."""
        day = self.tournament.played_on if self.tournament else self.played_on
        assert day is not None
        return day


class EveningResult(models.Model):
    """A player's line of the final standings. participant: of the evening's tournament (trigger).

    Without a tournament it is a person of the club, else a typed name, else nobody who is known. table_wins: rounds won at a table.
    shared: another player has the same rank. fee: then the key of the player's fee.
    """

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="results")
    participant = models.OneToOneField(Participant, models.CASCADE, null=True, related_name="evening_result")
    person = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    name = models.CharField(max_length=80, blank=True)
    fee = models.CharField(max_length=40, blank=True)
    rank = models.PositiveIntegerField()
    shared = models.BooleanField()
    points = models.IntegerField()
    strokes = models.PositiveIntegerField()
    table_wins = models.PositiveIntegerField()

    class Meta:
        ordering = ["rank", "id"]
        constraints = [
            CheckConstraint(condition=Q(rank__gte=1), name="evening_rank_positive"),
            CheckConstraint(
                condition=Q(participant=None, person=None)
                | Q(participant=None, name="")
                | Q(person=None, name="", fee=""),
                name="evening_result_of_one",
            ),
        ]


class Honour(models.Model):
    """An honour of earlier years, typed in: a person of the club, or a name that no person has. title: "" for the winner of the year."""

    year = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=120, blank=True)
    person = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    name = models.CharField(max_length=80, blank=True)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-year", "id"]
        constraints = [
            CheckConstraint(
                condition=Q(person__isnull=False, name="") | (Q(person=None) & ~Q(name="")),
                name="honour_is_of_person_or_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.year} {self.person or self.name}"


class Series(models.Model):
    """A year's standing over evenings. rule: `SeriesRule.to_dict()`, its own copy. lot_seed: of the lot between equal players.

    planned: how many evenings there are to be, None if nobody knows.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    rule = models.JSONField()
    planned = models.PositiveSmallIntegerField(null=True)
    lot_seed = models.CharField(max_length=64, blank=True)
    evenings = models.ManyToManyField(Evening, through="SeriesEvening", related_name="series")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            CheckConstraint(condition=~Q(name=""), name="series_has_name"),
            CheckConstraint(
                condition=Q(lot_seed="") | Q(lot_seed__regex="^[0-9a-f]{64}$"), name="series_lot_seed_known"
            ),
            CheckConstraint(condition=Q(planned=None) | Q(planned__gte=1), name="series_planned_positive"),
        ]

    def __str__(self) -> str:
        return self.name


class SeriesEvening(models.Model):
    """An evening in a series. number: its place in the order, from 1."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="places")
    evening = models.ForeignKey(Evening, models.CASCADE, related_name="places")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["series", "evening"], name="series_evening_once"),
            UniqueConstraint(fields=["series", "number"], name="series_number_once"),
            CheckConstraint(condition=Q(number__gte=1), name="series_number_positive"),
        ]
