"""Rows that stay as they were written: the log of a sheet, handouts, marks.

Under the purge service's transaction-local setting an entry of the log may be deleted, or its free text replaced by a dash
(so that a reason that the rules ask for still stands and the log still replays); nothing else.
"""

from django.db import migrations

LOG = """
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
DROP_LOG = """
DROP TRIGGER append_only_table ON scoring_sheetentry;
DROP TRIGGER append_only_rows ON scoring_sheetentry;
DROP FUNCTION refuse_change_but_blanking();
"""

HANDOUTS = """
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON scoring_prizehandout
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON scoring_prizehandout
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""
DROP_HANDOUTS = """
DROP TRIGGER append_only_table ON scoring_prizehandout;
DROP TRIGGER append_only_rows ON scoring_prizehandout;
"""

MARKS = """
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON scoring_roundmark
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON scoring_roundmark
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""
DROP_MARKS = """
DROP TRIGGER append_only_table ON scoring_roundmark;
DROP TRIGGER append_only_rows ON scoring_roundmark;
"""


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_tables"), ("tournaments", "0003_append_only")]

    operations = [
        migrations.RunSQL(LOG, DROP_LOG),
        migrations.RunSQL(HANDOUTS, DROP_HANDOUTS),
        migrations.RunSQL(MARKS, DROP_MARKS),
    ]
