"""Prize money that comes back to a desk is a line of its own kind, and lines of before become such."""

from django.db import migrations

MONEY = """
CREATE OR REPLACE FUNCTION refuse_handout_without_its_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    had bigint;
BEGIN
    PERFORM FROM tournaments_tournament WHERE id = NEW.tournament_id FOR NO KEY UPDATE;
    IF NOT EXISTS (
        SELECT FROM tournaments_participant WHERE id = NEW.participant_id AND tournament_id = NEW.tournament_id
    ) THEN
        RAISE EXCEPTION 'handout of another tournament' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.payment_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM tournaments_payment
        WHERE id = NEW.payment_id AND participant_id = NEW.participant_id AND kind = 'payout' AND cents = NEW.cents
    ) THEN
        RAISE EXCEPTION 'handout differs from its payout' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.cash_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM tournaments_cashentry
        WHERE id = NEW.cash_id AND tournament_id = NEW.tournament_id AND kind = 'back' AND cents = NEW.cents
    ) THEN
        RAISE EXCEPTION 'handout differs from the money that came back' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.kind = 'back' THEN
        SELECT coalesce(sum(CASE kind WHEN 'given' THEN cents WHEN 'back' THEN -cents END), 0) INTO had
            FROM scoring_prizehandout WHERE participant_id = NEW.participant_id AND prize = NEW.prize;
        IF had < NEW.cents THEN
            RAISE EXCEPTION 'more money came back than was given' USING ERRCODE = 'check_violation';
        END IF;
    END IF;
    RETURN NEW;
END $$;
ALTER TABLE tournaments_cashentry DISABLE TRIGGER append_only_rows;
UPDATE tournaments_cashentry SET kind = 'back' WHERE id IN (SELECT cash_id FROM scoring_prizehandout);
ALTER TABLE tournaments_cashentry ENABLE TRIGGER append_only_rows;
"""


class Migration(migrations.Migration):
    dependencies = [("scoring", "0004_open_sheet"), ("tournaments", "0010_desks")]

    operations = [migrations.RunSQL(MONEY, migrations.RunSQL.noop)]
