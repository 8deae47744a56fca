"""No payment and no line of a cash desk above 999,999.99 €. What was booked before stays, and a restore brings it back."""

from django.db import migrations

LARGEST_AMOUNT = """
CREATE FUNCTION refuse_large_amount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% cents are too much at once', NEW.cents USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER payment_not_too_large BEFORE INSERT ON tournaments_payment FOR EACH ROW
    WHEN (NEW.cents > 99999999 AND current_setting('schnauz.restore', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION refuse_large_amount();
CREATE TRIGGER cash_not_too_large BEFORE INSERT ON tournaments_cashentry FOR EACH ROW
    WHEN (NEW.cents > 99999999 AND current_setting('schnauz.restore', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION refuse_large_amount();
"""
DROP_LARGEST_AMOUNT = """
DROP TRIGGER cash_not_too_large ON tournaments_cashentry;
DROP TRIGGER payment_not_too_large ON tournaments_payment;
DROP FUNCTION refuse_large_amount();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_linked_sign_ups")]

    operations = [migrations.RunSQL(LARGEST_AMOUNT, DROP_LARGEST_AMOUNT)]
