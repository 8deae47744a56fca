"""The prizes that were given, and the step of a prize-giving that a screen shows.

A handout is append-only, and its money is in the ledger of the desks, to the cent.
"""

import django.db.models.deletion
from django.db import migrations, models


APPEND_ONLY = """
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON scoring_prizehandout
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON scoring_prizehandout
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""
DROP_APPEND_ONLY = """
DROP TRIGGER append_only_table ON scoring_prizehandout;
DROP TRIGGER append_only_rows ON scoring_prizehandout;
"""

# Handouts lock the tournament, as all services of desks do, so nobody else writes one between the sum and the row.
MONEY_OF_HANDOUT = """
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
DROP_MONEY_OF_HANDOUT = """
DROP TRIGGER handout_with_its_money ON scoring_prizehandout;
DROP FUNCTION refuse_handout_without_its_money();
"""

RANKS_AS_STEPS = "UPDATE scoring_screen SET revealed = best_revealed::text WHERE best_revealed IS NOT NULL"
STEPS_AS_RANKS = """
UPDATE scoring_screen SET
    best_revealed = CASE WHEN revealed ~ '^[0-9]{1,4}$' THEN revealed::smallint END,
    lowest_rank = least(lowest_rank, 12)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0008_scene_before_the_draw'),
        ('tournaments', '0013_release_and_start'),
    ]

    operations = [
        migrations.CreateModel(
            name='PrizeHandout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('prize', models.CharField(max_length=100)),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('given', 'Given'), ('back', 'Back'), ('absent', 'Absent')], max_length=6)),
                ('cents', models.PositiveIntegerField(default=0)),
                ('things', models.JSONField(default=list)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='screen',
            name='screen_lowest_rank_known',
        ),
        migrations.AddField(
            model_name='screen',
            name='revealed',
            field=models.CharField(blank=True, max_length=100),
        ),
        migrations.RunSQL(RANKS_AS_STEPS, STEPS_AS_RANKS),
        migrations.RemoveField(
            model_name='screen',
            name='best_revealed',
        ),
        migrations.AddConstraint(
            model_name='screen',
            constraint=models.CheckConstraint(condition=models.Q(('lowest_rank__range', (1, 60))), name='screen_lowest_rank_known'),
        ),
        migrations.AddField(
            model_name='prizehandout',
            name='cash',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='handout', to='tournaments.cashentry'),
        ),
        migrations.AddField(
            model_name='prizehandout',
            name='participant',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='handouts', to='tournaments.participant'),
        ),
        migrations.AddField(
            model_name='prizehandout',
            name='payment',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='handout', to='tournaments.payment'),
        ),
        migrations.AddField(
            model_name='prizehandout',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handouts', to='tournaments.tournament'),
        ),
        migrations.AddConstraint(
            model_name='prizehandout',
            constraint=models.UniqueConstraint(fields=('participant', 'prize', 'number'), name='handout_number_once'),
        ),
        migrations.AddConstraint(
            model_name='prizehandout',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['given', 'back', 'absent'])), name='handout_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='prizehandout',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='handout_number_positive'),
        ),
        migrations.AddConstraint(
            model_name='prizehandout',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cents', 0), ('kind', 'absent'), ('things', [])), models.Q(models.Q(('kind', 'absent'), _negated=True), models.Q(('cents__gt', 0), models.Q(('things', []), _negated=True), _connector='OR')), _connector='OR'), name='handout_gives_something'),
        ),
        migrations.AddConstraint(
            model_name='prizehandout',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cents__gt', 0), ('kind', 'given'), ('payment__isnull', False)), models.Q(models.Q(('cents__gt', 0), ('kind', 'given'), _negated=True), ('payment', None)), _connector='OR'), name='handout_money_is_a_payout'),
        ),
        migrations.AddConstraint(
            model_name='prizehandout',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cash__isnull', False), ('cents__gt', 0), ('kind', 'back')), models.Q(models.Q(('cents__gt', 0), ('kind', 'back'), _negated=True), ('cash', None)), _connector='OR'), name='handout_money_back_is_cash'),
        ),
        migrations.RunSQL(APPEND_ONLY, DROP_APPEND_ONLY),
        migrations.RunSQL(MONEY_OF_HANDOUT, DROP_MONEY_OF_HANDOUT),
    ]
