"""After how many days names become numbers, and the trace of it. What a person wishes for every draw."""

from django.db import migrations, models
from django.db.models import CheckConstraint, Q

KINDS = ["tournament", "practice", "person", "names"]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0017_club_roles")]

    operations = [
        migrations.AddField("clubsettings", "name_days", models.PositiveSmallIntegerField(null=True)),
        migrations.AddConstraint(
            "clubsettings",
            CheckConstraint(
                condition=Q(name_days=None) | Q(name_days__range=(30, 3650)), name="club_name_days_known"
            ),
        ),
        migrations.AddField("person", "table", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("person", "apart", models.ManyToManyField("tournaments.person")),
        migrations.AddConstraint(
            "person",
            CheckConstraint(condition=Q(table=None) | Q(table__gte=1, erased_at=None), name="person_table_known"),
        ),
        migrations.AlterField(
            "deletion",
            "kind",
            models.CharField(choices=[(kind, kind.title()) for kind in KINDS], max_length=10),
        ),
        migrations.RemoveConstraint("deletion", "deletion_kind_known"),
        migrations.AddConstraint(
            "deletion", CheckConstraint(condition=Q(kind__in=KINDS), name="deletion_kind_known")
        ),
    ]
