"""Results of evenings, and the series that they count for. `manage.py migrate` stores those of evenings that have ended."""

from django.db import migrations, models
from django.db.models import CASCADE, CheckConstraint, Q, UniqueConstraint

OF_THE_EVENING = """
CREATE FUNCTION refuse_result_of_another_evening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.participant_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM scoring_evening evening JOIN tournaments_participant person USING (tournament_id)
        WHERE evening.id = NEW.evening_id AND person.id = NEW.participant_id
    ) THEN
        RAISE EXCEPTION 'result of another evening' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER result_of_the_evening BEFORE INSERT OR UPDATE ON scoring_eveningresult
    FOR EACH ROW EXECUTE FUNCTION refuse_result_of_another_evening();
"""
DROP = """
DROP TRIGGER result_of_the_evening ON scoring_eveningresult;
DROP FUNCTION refuse_result_of_another_evening();
"""


def key() -> tuple[str, models.BigAutoField]:  # type: ignore[type-arg]
    return "id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0007_king"), ("tournaments", "0015_people")]

    operations = [
        migrations.CreateModel(
            "Evening",
            [
                key(),
                ("name", models.CharField(blank=True, max_length=120)),
                ("played_on", models.DateField(null=True)),
                (
                    "tournament",
                    models.OneToOneField(
                        "tournaments.tournament", CASCADE, null=True, related_name="evening"
                    ),
                ),
            ],
            {
                "constraints": [
                    CheckConstraint(
                        condition=Q(name="", played_on=None, tournament__isnull=False)
                        | (Q(played_on__isnull=False, tournament=None) & ~Q(name="")),
                        name="evening_is_tournament_or_named",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            "EveningResult",
            [
                key(),
                ("rank", models.PositiveIntegerField()),
                ("shared", models.BooleanField()),
                ("points", models.IntegerField()),
                ("strokes", models.PositiveIntegerField()),
                ("table_wins", models.PositiveIntegerField()),
                ("evening", models.ForeignKey("scoring.evening", CASCADE, related_name="results")),
                (
                    "participant",
                    models.OneToOneField(
                        "tournaments.participant", CASCADE, null=True, related_name="evening_result"
                    ),
                ),
            ],
            {
                "ordering": ["rank", "id"],
                "constraints": [CheckConstraint(condition=Q(rank__gte=1), name="evening_rank_positive")],
            },
        ),
        migrations.RunSQL(OF_THE_EVENING, DROP),
        migrations.CreateModel(
            "Series",
            [
                key(),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("rule", models.JSONField()),
                ("planned", models.PositiveSmallIntegerField(null=True)),
                ("lot_seed", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField()),
            ],
            {
                "constraints": [
                    CheckConstraint(condition=~Q(name=""), name="series_has_name"),
                    CheckConstraint(
                        condition=Q(lot_seed="") | Q(lot_seed__regex="^[0-9a-f]{64}$"),
                        name="series_lot_seed_known",
                    ),
                    CheckConstraint(
                        condition=Q(planned=None) | Q(planned__gte=1), name="series_planned_positive"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "SeriesEvening",
            [
                key(),
                ("number", models.PositiveSmallIntegerField()),
                ("evening", models.ForeignKey("scoring.evening", CASCADE, related_name="places")),
                ("series", models.ForeignKey("scoring.series", CASCADE, related_name="places")),
            ],
            {
                "ordering": ["number"],
                "constraints": [
                    UniqueConstraint(fields=["series", "evening"], name="series_evening_once"),
                    UniqueConstraint(fields=["series", "number"], name="series_number_once"),
                    CheckConstraint(condition=Q(number__gte=1), name="series_number_positive"),
                ],
            },
        ),
        migrations.AddField(
            "series",
            "evenings",
            models.ManyToManyField("scoring.evening", related_name="series", through="scoring.SeriesEvening"),
        ),
    ]
