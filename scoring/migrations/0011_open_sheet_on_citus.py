"""Lock the table of a new sheet before the INSERT: Citus refuses a SELECT ... FOR KEY SHARE inside of it."""

from importlib import import_module

from django.db import migrations

BEFORE = import_module("scoring.migrations.0004_open_sheet").OPEN_SHEET.replace(
    "CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"
)
SELECTS = """\
        INSERT INTO scoring_sheet (table_id, pen_epoch, pen_device)
            SELECT id, 0, '' FROM tournaments_table WHERE id = wanted FOR KEY SHARE
            ON CONFLICT DO NOTHING;
"""
LOCKS_FIRST = """\
        PERFORM FROM tournaments_table WHERE id = wanted FOR KEY SHARE;
        IF FOUND THEN
            INSERT INTO scoring_sheet (table_id, pen_epoch, pen_device) VALUES (wanted, 0, '')
                ON CONFLICT DO NOTHING;
        END IF;
"""
AFTER = BEFORE.replace(SELECTS, LOCKS_FIRST)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0010_series_scene")]

    operations = [
        migrations.RunSQL(AFTER, BEFORE),
    ]
