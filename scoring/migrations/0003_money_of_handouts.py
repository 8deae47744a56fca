"""The money of a handout is in the ledger of the desks, to the cent."""

from django.db import migrations

# Handouts lock the tournament, as all services of desks do, so nobody else writes one between the sum and the row.
MONEY = """
CREATE FUNCTION refuse_handout_without_its_money() RETURNS trigger LANGUAGE plpgsql AS $$
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
        WHERE id = NEW.cash_id AND tournament_id = NEW.tournament_id AND kind = 'in' AND cents = NEW.cents
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
CREATE TRIGGER handout_with_its_money BEFORE INSERT ON scoring_prizehandout
    FOR EACH ROW EXECUTE FUNCTION refuse_handout_without_its_money();
"""
DROP_MONEY = """
DROP TRIGGER handout_with_its_money ON scoring_prizehandout;
DROP FUNCTION refuse_handout_without_its_money();
"""


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_append_only")]

    operations = [
        migrations.RunSQL(MONEY, DROP_MONEY),
    ]
