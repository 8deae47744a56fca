"""What the imprint says of the club, and what its tournaments begin with: one row."""

from django.db import migrations, models
from django.db.models import CheckConstraint, Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_changed_by_list")]

    operations = [
        migrations.CreateModel(
            name="ClubSettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("legal_form", models.CharField(blank=True, max_length=80)),
                ("street", models.CharField(blank=True, max_length=120)),
                ("town", models.CharField(blank=True, max_length=120)),
                ("represented_by", models.CharField(blank=True, max_length=200)),
                ("contact", models.CharField(blank=True, max_length=120)),
                ("register", models.CharField(blank=True, max_length=120)),
                ("place", models.CharField(blank=True, max_length=120)),
                (
                    "names",
                    models.CharField(
                        choices=[("full", "Full"), ("short", "Short"), ("number", "Number")],
                        default="short",
                        help_text="as of a tournament",
                        max_length=6,
                    ),
                ),
                ("retention_months", models.PositiveSmallIntegerField(null=True)),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    CheckConstraint(condition=Q(pk=1), name="club_settings_once"),
                    CheckConstraint(condition=~Q(name=""), name="club_has_name"),
                    CheckConstraint(condition=Q(names__in=["full", "short", "number"]), name="club_names_known"),
                    CheckConstraint(
                        condition=Q(retention_months=None) | Q(retention_months__range=(1, 120)),
                        name="club_retention_known",
                    ),
                ],
            },
        ),
    ]
