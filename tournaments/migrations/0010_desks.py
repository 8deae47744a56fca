"""Desks can be renamed, movements taken back, prize money can come back, and money paid in advance is in no drawer."""

import django.db.models.deletion
from django.db import migrations, models

# Renaming a desk sets schnauz.rename for its transaction.
RENAMED_DESKS = """
CREATE FUNCTION refuse_change_but_renaming_desk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('schnauz.purge', true) = 'on' THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE' AND current_setting('schnauz.rename', true) = 'on'
        AND to_jsonb(NEW) - TG_ARGV[0] = to_jsonb(OLD) - TG_ARGV[0] THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER append_only_rows ON tournaments_payment;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_payment
    FOR EACH ROW EXECUTE FUNCTION refuse_change_but_renaming_desk('desk');
DROP TRIGGER append_only_rows ON tournaments_cashdesk;
-- Lists were read in under this name; a desk with lines of its own has a drawer.
UPDATE tournaments_cashdesk desk SET is_in_advance = true WHERE name IN ('Vorab bezahlt', 'Paid in advance')
    AND NOT EXISTS (SELECT FROM tournaments_cashentry WHERE desk_id = desk.id OR to_id = desk.id);
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_cashdesk
    FOR EACH ROW EXECUTE FUNCTION refuse_change_but_renaming_desk('name');
CREATE OR REPLACE FUNCTION refuse_desk_change_twice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tournaments_tournament
        WHERE id = (SELECT tournament_id FROM tournaments_cashdesk WHERE id = NEW.desk_id) FOR NO KEY UPDATE;
    IF desk_is_closed(NEW.desk_id) = (NEW.kind <> 'opened') THEN
        RAISE EXCEPTION 'desk % is % already', NEW.desk_id, CASE NEW.kind WHEN 'opened' THEN 'opened' ELSE 'closed' END
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
"""
KEPT_NAMES = """
CREATE OR REPLACE FUNCTION refuse_desk_change_twice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tournaments_tournament
        WHERE id = (SELECT tournament_id FROM tournaments_cashdesk WHERE id = NEW.desk_id) FOR NO KEY UPDATE;
    IF desk_is_closed(NEW.desk_id) = (NEW.kind = 'closed') THEN
        RAISE EXCEPTION 'desk % is % already', NEW.desk_id, NEW.kind USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER append_only_rows ON tournaments_cashdesk;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_cashdesk
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
DROP TRIGGER append_only_rows ON tournaments_payment;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_payment
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
DROP FUNCTION refuse_change_but_renaming_desk();
"""

COUNTER_ENTRIES = """
CREATE FUNCTION refuse_other_counter_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM tournaments_cashentry reversed
        WHERE reversed.id = NEW.takes_back_id AND reversed.takes_back_id IS NULL
            AND (reversed.desk_id, reversed.kind, reversed.cents) = (NEW.desk_id, NEW.kind, NEW.cents)
            AND reversed.to_id IS NOT DISTINCT FROM NEW.to_id
    ) THEN
        RAISE EXCEPTION 'line differs from line % that it takes back', NEW.takes_back_id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER cash_takes_back_the_same BEFORE INSERT ON tournaments_cashentry FOR EACH ROW
    WHEN (NEW.takes_back_id IS NOT NULL) EXECUTE FUNCTION refuse_other_counter_entry();
"""
DROP_COUNTER_ENTRIES = """
DROP TRIGGER cash_takes_back_the_same ON tournaments_cashentry;
DROP FUNCTION refuse_other_counter_entry();
"""


def one_of(column: str, values: list[str], name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=models.Q((f"{column}__in", values)), name=name)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_people_list")]

    operations = [
        migrations.RemoveConstraint(model_name="cashentry", name="cash_kind_known"),
        migrations.RemoveConstraint(model_name="deskchange", name="desk_change_kind_known"),
        migrations.RemoveConstraint(model_name="deskchange", name="desk_opened_with_reason"),
        migrations.AddField(
            model_name="cashdesk",
            name="is_in_advance",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="cashentry",
            name="takes_back",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="taken_back",
                to="tournaments.cashentry",
            ),
        ),
        migrations.AlterField(
            model_name="cashentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("float", "Float"),
                    ("in", "In"),
                    ("out", "Out"),
                    ("transfer", "Transfer"),
                    ("count", "Count"),
                    ("back", "Back"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="deskchange",
            name="kind",
            field=models.CharField(
                choices=[("closed", "Closed"), ("opened", "Opened"), ("named", "Named")], max_length=6
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=one_of(
                "kind", ["float", "in", "out", "transfer", "count", "back"], "cash_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="cashentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("takes_back", None),
                    models.Q(("kind__in", ["count", "back"]), _negated=True),
                    _connector="OR",
                ),
                name="cash_takes_back_a_movement",
            ),
        ),
        migrations.AddConstraint(
            model_name="deskchange",
            constraint=one_of("kind", ["closed", "opened", "named"], "desk_change_kind_known"),
        ),
        migrations.AddConstraint(
            model_name="deskchange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "opened"), _negated=True),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="desk_opened_with_reason",
            ),
        ),
        migrations.RunSQL(RENAMED_DESKS, KEPT_NAMES),
        migrations.RunSQL(COUNTER_ENTRIES, DROP_COUNTER_ENTRIES),
    ]
