"""What the database refuses by itself: seats that mix tournaments or rounds, and a rewritten cash ledger."""

from django.db import migrations

COMPOSITE_KEYS = """
ALTER TABLE tournaments_seat
    ADD CONSTRAINT seat_participant_of_tournament FOREIGN KEY (tournament_id, participant_id)
        REFERENCES tournaments_participant (tournament_id, id),
    ADD CONSTRAINT seat_round_of_tournament FOREIGN KEY (tournament_id, round_id)
        REFERENCES tournaments_round (tournament_id, id),
    ADD CONSTRAINT seat_table_of_round FOREIGN KEY (round_id, table_id)
        REFERENCES tournaments_table (round_id, id);
"""
DROP_COMPOSITE_KEYS = """
ALTER TABLE tournaments_seat
    DROP CONSTRAINT seat_participant_of_tournament,
    DROP CONSTRAINT seat_round_of_tournament,
    DROP CONSTRAINT seat_table_of_round;
"""

# One purge service (erasing a person, deleting a practice tournament) sets schnauz.purge for its transaction.
APPEND_ONLY = """
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
"""
DROP_APPEND_ONLY = """
DROP TRIGGER append_only_table ON tournaments_payment;
DROP TRIGGER append_only_rows ON tournaments_payment;
DROP FUNCTION refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.RunSQL(COMPOSITE_KEYS, DROP_COMPOSITE_KEYS),
        migrations.RunSQL(APPEND_ONLY, DROP_APPEND_ONLY),
    ]
