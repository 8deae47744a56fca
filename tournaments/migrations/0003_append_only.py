"""Rows that stay as they were written: payments, the ledger of the desks, changes of players, the security log."""

from django.db import migrations

# One purge service (erasing a person, deleting a practice tournament) sets schnauz.purge for its transaction.
ROWS = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('schnauz.purge', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_payment
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_payment
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_personchange
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_personchange
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_cashdesk
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
"""
DROP_ROWS = """
DROP TRIGGER append_only_rows ON tournaments_cashdesk;
DROP TRIGGER append_only_table ON tournaments_personchange;
DROP TRIGGER append_only_rows ON tournaments_personchange;
DROP TRIGGER append_only_table ON tournaments_payment;
DROP TRIGGER append_only_rows ON tournaments_payment;
DROP FUNCTION refuse_change();
"""

# The purge service may delete these rows, and replace a reason by a dash.
LEDGER = """
CREATE FUNCTION refuse_change_but_blanking_reason() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('schnauz.purge', true) = 'on' THEN
        IF TG_OP = 'DELETE' THEN
            RETURN OLD;
        END IF;
        IF TG_OP = 'UPDATE' AND NEW.reason = '–' AND to_jsonb(NEW) - 'reason' = to_jsonb(OLD) - 'reason' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_cashentry
    FOR EACH ROW EXECUTE FUNCTION refuse_change_but_blanking_reason();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_cashentry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_but_blanking_reason();
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_deskchange
    FOR EACH ROW EXECUTE FUNCTION refuse_change_but_blanking_reason();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_deskchange
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_but_blanking_reason();
"""
DROP_LEDGER = """
DROP TRIGGER append_only_table ON tournaments_deskchange;
DROP TRIGGER append_only_rows ON tournaments_deskchange;
DROP TRIGGER append_only_table ON tournaments_cashentry;
DROP TRIGGER append_only_rows ON tournaments_cashentry;
DROP FUNCTION refuse_change_but_blanking_reason();
"""

SECURITY_LOG = """
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
DROP_SECURITY_LOG = """
DROP TRIGGER append_only_table ON tournaments_securityevent;
DROP TRIGGER append_only_rows ON tournaments_securityevent;
DROP FUNCTION refuse_change_but_trimming();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_keys_of_one_tournament")]

    operations = [
        migrations.RunSQL(ROWS, DROP_ROWS),
        migrations.RunSQL(LEDGER, DROP_LEDGER),
        migrations.RunSQL(SECURITY_LOG, DROP_SECURITY_LOG),
    ]
