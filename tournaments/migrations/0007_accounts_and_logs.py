import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

APPEND_ONLY = """
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_personchange
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_personchange
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION refuse_change_but_trimming() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('schnauz.trim', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_securityevent
    FOR EACH ROW EXECUTE FUNCTION refuse_change_but_trimming();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_securityevent
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_but_trimming();
"""
DROP_APPEND_ONLY = """
DROP TRIGGER append_only_table ON tournaments_securityevent;
DROP TRIGGER append_only_rows ON tournaments_securityevent;
DROP FUNCTION refuse_change_but_trimming();
DROP TRIGGER append_only_table ON tournaments_personchange;
DROP TRIGGER append_only_rows ON tournaments_personchange;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_privacy"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PasswordLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="password_link",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PersonChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("renamed", "Renamed"),
                            ("naming", "Naming"),
                            ("withdrawn", "Withdrawn"),
                            ("returned", "Returned"),
                            ("excluded", "Excluded"),
                            ("readmitted", "Readmitted"),
                        ],
                        max_length=20,
                    ),
                ),
                ("text", models.CharField(blank=True, max_length=500)),
                ("by", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "participant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="tournaments.participant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SecurityEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20, help_text="an EventKind")),
                ("at", models.DateTimeField()),
                ("account", models.CharField(blank=True, max_length=150)),
                ("address", models.CharField(blank=True, max_length=45)),
                ("about", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "at"], name="security_event_kind_at")],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, DROP_APPEND_ONLY),
    ]
