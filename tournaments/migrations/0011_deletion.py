"""Deleted tournaments and erased persons: what went when, and by whom. No row of it is ever changed or deleted."""

from django.db import migrations, models
from django.db.models import CheckConstraint, Q

APPEND_ONLY = """
CREATE FUNCTION refuse_any_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_deletion
    FOR EACH ROW EXECUTE FUNCTION refuse_any_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_deletion
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_any_change();
"""
CHANGEABLE = """
DROP TRIGGER append_only_table ON tournaments_deletion;
DROP TRIGGER append_only_rows ON tournaments_deletion;
DROP FUNCTION refuse_any_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_desks")]

    operations = [
        migrations.CreateModel(
            name="Deletion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("tournament", "Tournament"), ("practice", "Practice"), ("person", "Person")],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("by", models.CharField(max_length=150)),
                ("played_on", models.DateField()),
                ("players", models.PositiveIntegerField(null=True)),
                ("start_number", models.PositiveIntegerField(null=True)),
            ],
            options={
                "constraints": [
                    CheckConstraint(
                        condition=Q(kind__in=["tournament", "practice", "person"]), name="deletion_kind_known"
                    ),
                    CheckConstraint(
                        condition=Q(kind="person", players=None, start_number__isnull=False)
                        | (~Q(kind="person") & Q(players__isnull=False, start_number=None)),
                        name="deletion_of_a_person_or_of_players",
                    ),
                ],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, CHANGEABLE),
    ]
