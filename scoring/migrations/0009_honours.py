"""Honours of earlier years, and evenings without a tournament: typed in, or kept of one that was deleted."""

from django.db import migrations, models
from django.db.models import PROTECT, CheckConstraint, Q


class Migration(migrations.Migration):
    dependencies = [("scoring", "0008_series"), ("tournaments", "0015_people")]

    operations = [
        migrations.AddField("evening", "kind", models.CharField(blank=True, max_length=20, default=""), False),
        migrations.AddField("eveningresult", "name", models.CharField(blank=True, max_length=80, default=""), False),
        migrations.AddField("eveningresult", "fee", models.CharField(blank=True, max_length=40, default=""), False),
        migrations.AddField(
            "eveningresult",
            "person",
            models.ForeignKey("tournaments.person", PROTECT, null=True, related_name="+"),
        ),
        migrations.AddConstraint(
            "eveningresult",
            CheckConstraint(
                condition=Q(participant=None, person=None)
                | Q(participant=None, name="")
                | Q(fee="", name="", person=None),
                name="evening_result_of_one",
            ),
        ),
        migrations.CreateModel(
            "Honour",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("year", models.PositiveSmallIntegerField()),
                ("title", models.CharField(blank=True, max_length=120)),
                ("name", models.CharField(blank=True, max_length=80)),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "person",
                    models.ForeignKey("tournaments.person", PROTECT, null=True, related_name="+"),
                ),
            ],
            {
                "ordering": ["-year", "id"],
                "constraints": [
                    CheckConstraint(
                        condition=Q(name="", person__isnull=False) | (Q(person=None) & ~Q(name="")),
                        name="honour_is_of_person_or_name",
                    )
                ],
            },
        ),
    ]
