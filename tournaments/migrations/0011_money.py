"""Kinds of fees, towns, and cash desks with their ledger.

The database refuses changes of the ledger, desks of another tournament, and lines of a closed desk.
"""

import django.db.models.deletion
from django.db import migrations, models

SAME_TOURNAMENT = """
ALTER TABLE tournaments_cashentry
    ADD CONSTRAINT cash_desk_of_tournament FOREIGN KEY (tournament_id, desk_id)
        REFERENCES tournaments_cashdesk (tournament_id, id),
    ADD CONSTRAINT cash_to_of_tournament FOREIGN KEY (tournament_id, to_id)
        REFERENCES tournaments_cashdesk (tournament_id, id);
"""
DROP_SAME_TOURNAMENT = """
ALTER TABLE tournaments_cashentry
    DROP CONSTRAINT cash_to_of_tournament,
    DROP CONSTRAINT cash_desk_of_tournament;
"""

# The purge service may delete these rows, and replace a reason by a dash.
APPEND_ONLY = """
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
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_cashdesk
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
"""
DROP_APPEND_ONLY = """
DROP TRIGGER append_only_rows ON tournaments_cashdesk;
DROP TRIGGER append_only_table ON tournaments_deskchange;
DROP TRIGGER append_only_rows ON tournaments_deskchange;
DROP TRIGGER append_only_table ON tournaments_cashentry;
DROP TRIGGER append_only_rows ON tournaments_cashentry;
DROP FUNCTION refuse_change_but_blanking_reason();
"""

# Lines, payments and closings lock the tournament, as all services of the door do. So a line is either written before
# its desk is closed, or finds it closed.
CLOSED_DESKS = """
CREATE FUNCTION desk_is_closed(desk bigint) RETURNS boolean LANGUAGE sql AS $$
    SELECT coalesce(
        (SELECT kind = 'closed' FROM tournaments_deskchange WHERE desk_id = desk ORDER BY id DESC LIMIT 1), false)
$$;
CREATE FUNCTION refuse_line_of_closed_desk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tournaments_tournament WHERE id = NEW.tournament_id FOR NO KEY UPDATE;
    IF desk_is_closed(NEW.desk_id) OR desk_is_closed(NEW.to_id) THEN
        RAISE EXCEPTION 'desk % is closed', NEW.desk_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER cash_only_at_open_desk BEFORE INSERT ON tournaments_cashentry
    FOR EACH ROW EXECUTE FUNCTION refuse_line_of_closed_desk();
CREATE FUNCTION refuse_payment_at_closed_desk() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    played bigint := (SELECT tournament_id FROM tournaments_participant WHERE id = NEW.participant_id);
BEGIN
    PERFORM FROM tournaments_tournament WHERE id = played FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT FROM tournaments_cashdesk WHERE tournament_id = played AND name = NEW.desk AND desk_is_closed(id)
    ) THEN
        RAISE EXCEPTION 'desk % is closed', NEW.desk USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payment_only_at_open_desk BEFORE INSERT ON tournaments_payment
    FOR EACH ROW EXECUTE FUNCTION refuse_payment_at_closed_desk();
CREATE FUNCTION refuse_desk_change_twice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tournaments_tournament
        WHERE id = (SELECT tournament_id FROM tournaments_cashdesk WHERE id = NEW.desk_id) FOR NO KEY UPDATE;
    IF desk_is_closed(NEW.desk_id) = (NEW.kind = 'closed') THEN
        RAISE EXCEPTION 'desk % is % already', NEW.desk_id, NEW.kind USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER desk_closed_or_opened_once BEFORE INSERT ON tournaments_deskchange
    FOR EACH ROW EXECUTE FUNCTION refuse_desk_change_twice();
"""
DROP_CLOSED_DESKS = """
DROP TRIGGER desk_closed_or_opened_once ON tournaments_deskchange;
DROP FUNCTION refuse_desk_change_twice();
DROP TRIGGER payment_only_at_open_desk ON tournaments_payment;
DROP FUNCTION refuse_payment_at_closed_desk();
DROP TRIGGER cash_only_at_open_desk ON tournaments_cashentry;
DROP FUNCTION refuse_line_of_closed_desk();
DROP FUNCTION desk_is_closed(bigint);
"""

DESKS_OF_PAYMENTS = """
INSERT INTO tournaments_cashdesk (tournament_id, number, name)
SELECT tournament_id, row_number() OVER (PARTITION BY tournament_id ORDER BY min(payment.id)), desk
FROM tournaments_payment payment JOIN tournaments_participant participant ON participant.id = participant_id
GROUP BY tournament_id, desk;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0010_latest_tournaments'),
    ]

    operations = [
        migrations.CreateModel(
            name='CashEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('float', 'Float'), ('in', 'In'), ('out', 'Out'), ('transfer', 'Transfer'), ('count', 'Count')], max_length=8)),
                ('cents', models.PositiveIntegerField()),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('pieces', models.JSONField(null=True)),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
            ],
        ),
        migrations.CreateModel(
            name='CashDesk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(blank=True, max_length=40)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='DeskChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('closed', 'Closed'), ('opened', 'Opened')], max_length=6)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='payment',
            name='payment_kind_known',
        ),
        migrations.AddField(
            model_name='participant',
            name='fee',
            field=models.CharField(blank=True, help_text='key of a kind of fee; empty: the default', max_length=40),
        ),
        migrations.AddField(
            model_name='participant',
            name='town',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name='tournament',
            name='fees',
            field=models.JSONField(default=list, help_text="as in tournaments.core.fees; empty: the ruleset's fee"),
        ),
        migrations.AddField(
            model_name='tournament',
            name='prize_plan',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='tournament',
            name='starts_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name='payment',
            name='kind',
            field=models.CharField(choices=[('fee', 'Fee'), ('refund', 'Refund'), ('payout', 'Payout')], max_length=6),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['fee', 'refund', 'payout'])), name='payment_kind_known'),
        ),
        migrations.AddField(
            model_name='cashentry',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cash_entries', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='cashdesk',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='desks', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='cashentry',
            name='desk',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournaments.cashdesk'),
        ),
        migrations.AddField(
            model_name='cashentry',
            name='to',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='received', to='tournaments.cashdesk'),
        ),
        migrations.AddField(
            model_name='deskchange',
            name='desk',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='tournaments.cashdesk'),
        ),
        migrations.AddConstraint(
            model_name='cashdesk',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='desk_number_once'),
        ),
        migrations.AddConstraint(
            model_name='cashdesk',
            constraint=models.UniqueConstraint(fields=('tournament', 'name'), name='desk_name_once'),
        ),
        migrations.AddConstraint(
            model_name='cashdesk',
            constraint=models.UniqueConstraint(fields=('tournament', 'id'), name='desk_of_tournament'),
        ),
        migrations.AddConstraint(
            model_name='cashdesk',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='desk_number_positive'),
        ),
        migrations.AddConstraint(
            model_name='cashentry',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['float', 'in', 'out', 'transfer', 'count'])), name='cash_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='cashentry',
            constraint=models.CheckConstraint(condition=models.Q(('cents__gt', 0), ('kind__in', ['float', 'count']), _connector='OR'), name='cash_cents_positive'),
        ),
        migrations.AddConstraint(
            model_name='cashentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['in', 'out']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='cash_reason_needed'),
        ),
        migrations.AddConstraint(
            model_name='cashentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'transfer'), ('to__isnull', False), models.Q(('to', models.F('desk')), _negated=True)), models.Q(models.Q(('kind', 'transfer'), _negated=True), ('to', None)), _connector='OR'), name='cash_transfer_to_another_desk'),
        ),
        migrations.AddConstraint(
            model_name='cashentry',
            constraint=models.CheckConstraint(condition=models.Q(('pieces', None), ('kind', 'count'), _connector='OR'), name='cash_pieces_of_a_count'),
        ),
        migrations.AddConstraint(
            model_name='deskchange',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['closed', 'opened'])), name='desk_change_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='deskchange',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'closed'), models.Q(('reason', ''), _negated=True), _connector='OR'), name='desk_opened_with_reason'),
        ),
        migrations.RunSQL(SAME_TOURNAMENT, DROP_SAME_TOURNAMENT),
        migrations.RunSQL(APPEND_ONLY, DROP_APPEND_ONLY),
        migrations.RunSQL(CLOSED_DESKS, DROP_CLOSED_DESKS),
        migrations.RunSQL(DESKS_OF_PAYMENTS, migrations.RunSQL.noop),
    ]
