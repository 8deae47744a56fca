"""Draws: commitments, attempts, and changes by hand."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from tournaments.core.ceremony import MOST_WORDS, spoken
from tournaments.core.draw import Tables, draw
from tournaments.core.wishes import wish_from_dict


class Commitment(models.Model):
    """A commitment to a draw or, without a round, to a lot. The commitments of a tournament are one chain.

    It is *open* until its draw is made, or until it is replaced because something has changed. nonce: yields the secret together
    with the server's key, so that a backup without the key does not reveal it. secret: set by the draw. words: of
    the hall, "" for none, None until said. is_private: a wish is private, so the secret is never public.
    Columns change only from None to a value, and only a purge deletes rows (trigger).
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="commitments", db_index=False
    )
    number = models.PositiveIntegerField()
    round_number = models.PositiveIntegerField(null=True)
    value = models.JSONField(help_text="as in tournaments.core.ceremony")
    is_private = models.BooleanField(default=False)
    nonce = models.CharField(max_length=64, blank=True)
    secret = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    by = models.CharField(max_length=150)
    words = models.CharField(max_length=MOST_WORDS, null=True)  # noqa: DJ001 (None: not said so far)
    words_at = models.DateTimeField(null=True)
    replaced_at = models.DateTimeField(null=True, help_text="without a draw")
    revealed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="commitment_number_once"),
            UniqueConstraint(
                fields=["tournament", "round_number"],
                condition=Q(secret="", replaced_at=None),
                nulls_distinct=False,
                name="commitment_open_once",
            ),
            CheckConstraint(condition=Q(number__gte=1), name="commitment_number_positive"),
            CheckConstraint(
                condition=Q(digest__regex="^[0-9a-f]{64}$") & Q(secret__regex="^([0-9a-f]{64})?$"),
                name="commitment_has_digest",
            ),
            CheckConstraint(
                condition=Q(words=None, words_at=None) | Q(words__isnull=False, words_at__isnull=False),
                name="commitment_words_have_moment",
            ),
            CheckConstraint(
                condition=Q(secret="") | Q(words__isnull=False) | Q(replaced_at__isnull=False),
                name="commitment_words_before_secret",
            ),
            CheckConstraint(
                condition=Q(revealed_at=None) | ~Q(secret=""), name="commitment_revealed_has_secret"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"

    @property
    def groups(self) -> tuple[str, ...]:
        """The digest in groups that people can compare."""
        return spoken(self.digest)

    @property
    def public_secret(self) -> str | None:
        return self.secret if self.revealed_at and not self.is_private else None


class DrawAttempt(models.Model):
    """One drawing of lots, repeatable from version, mode, seed, players, sizes, history and wishes.

    commitment: yields the seed; None for a seed that was entered. With one, only `abandoned_at` and the reasons of wishes
    can change, and only a purge deletes the row (trigger).
    """

    round = models.ForeignKey("tournaments.Round", models.CASCADE, related_name="attempts", db_index=False)
    commitment = models.OneToOneField(Commitment, models.PROTECT, null=True, related_name="draw")
    attempt = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    mode = models.CharField(max_length=20)
    seed = models.CharField(max_length=64)
    players = models.JSONField(help_text="start numbers, ascending")
    sizes = models.JSONField(help_text="players at table 1, 2, ...")
    history = models.JSONField(
        default=list,
        help_text="the tables of each earlier round, in start numbers, as far as the draw looked",
    )
    wishes = models.JSONField(default=list, help_text="as in tournaments.core.wishes")
    reason = models.CharField(
        max_length=500, blank=True, help_text="why an earlier attempt was abandoned for it"
    )
    made_at = models.DateTimeField()
    by = models.CharField(max_length=150)
    abandoned_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["attempt"]
        constraints = [
            UniqueConstraint(fields=["round", "attempt"], name="attempt_number_once"),
            UniqueConstraint(fields=["round"], condition=Q(abandoned_at=None), name="attempt_in_force_once"),
        ]

    def __str__(self) -> str:
        return f"{self.round} ({self.attempt})"

    def drawn(self) -> Tables:
        """Return the drawn tables, without the changes. Refuses what `draw` refuses."""
        return draw(
            version=self.version,
            mode=self.mode,
            seed=self.seed,
            players=self.players,
            sizes=self.sizes,
            history=[tuple(map(tuple, tables)) for tables in self.history],
            wishes=[wish_from_dict(wish) for wish in self.wishes],
        )


class SeatChange(models.Model):
    """A change by hand to a draw, in the order of `sequence`; `data` as in `tournaments.core.draw`."""

    attempt = models.ForeignKey(DrawAttempt, models.CASCADE, related_name="changes", db_index=False)
    sequence = models.PositiveIntegerField()
    data = models.JSONField()
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        ordering = ["sequence"]
        constraints = [UniqueConstraint(fields=["attempt", "sequence"], name="change_sequence_once")]

    def __str__(self) -> str:
        return f"{self.attempt}: {self.data}"
