"""The log of a sheet is append-only: the database refuses UPDATE, DELETE and TRUNCATE.

Under the purge service's transaction-local setting a row may be deleted, or its free text replaced by a dash (so that
a reason that the rules ask for still stands and the log still replays); nothing else.
"""

from django.db import migrations

APPEND_ONLY = """
CREATE FUNCTION refuse_change_but_blanking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('schnauz.purge', true) = 'on' THEN
        IF TG_OP = 'DELETE' THEN
            RETURN OLD;
        END IF;
        IF TG_OP = 'UPDATE' AND NEW.text = '–' AND to_jsonb(NEW) - 'text' = to_jsonb(OLD) - 'text' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON scoring_sheetentry
    FOR EACH ROW EXECUTE FUNCTION refuse_change_but_blanking();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON scoring_sheetentry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_but_blanking();
"""
DROP_APPEND_ONLY = """
DROP TRIGGER append_only_table ON scoring_sheetentry;
DROP TRIGGER append_only_rows ON scoring_sheetentry;
DROP FUNCTION refuse_change_but_blanking();
"""


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [migrations.RunSQL(APPEND_ONLY, DROP_APPEND_ONLY)]
