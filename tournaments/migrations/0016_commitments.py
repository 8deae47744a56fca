"""The ceremony of draws: commitments, which the database keeps as they are made."""

import django.db.models.deletion
from django.db import migrations, models

GUARDS = """
CREATE FUNCTION guard_commitment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('schnauz.purge', true) = 'on' THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE'
        AND (to_jsonb(NEW) - '{words,words_at,secret,replaced_at,revealed_at}'::text[])
          = (to_jsonb(OLD) - '{words,words_at,secret,replaced_at,revealed_at}'::text[])
        AND ((NEW.words, NEW.words_at) IS NOT DISTINCT FROM (OLD.words, OLD.words_at)
             OR OLD.words IS NULL AND OLD.secret = '' AND OLD.replaced_at IS NULL)
        AND (NEW.secret = OLD.secret OR OLD.secret = '')
        AND (NEW.replaced_at IS NOT DISTINCT FROM OLD.replaced_at OR OLD.replaced_at IS NULL AND OLD.secret = '')
        AND (NEW.revealed_at IS NOT DISTINCT FROM OLD.revealed_at OR OLD.revealed_at IS NULL)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a commitment stays as it was made: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER commitment_rows BEFORE UPDATE OR DELETE ON tournaments_commitment
    FOR EACH ROW EXECUTE FUNCTION guard_commitment();
CREATE TRIGGER commitment_table BEFORE TRUNCATE ON tournaments_commitment
    FOR EACH STATEMENT EXECUTE FUNCTION guard_commitment();
CREATE FUNCTION guard_committed_draw() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('schnauz.purge', true) = 'on' THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE'
        AND (to_jsonb(NEW) - '{abandoned_at,reason,wishes}'::text[]) = (to_jsonb(OLD) - '{abandoned_at,reason,wishes}'::text[])
        AND (OLD.abandoned_at IS NULL OR NEW.abandoned_at IS NOT DISTINCT FROM OLD.abandoned_at)
        AND ARRAY(SELECT wish - 'reason' FROM jsonb_array_elements(NEW.wishes) WITH ORDINALITY AS list (wish, place) ORDER BY place)
          = ARRAY(SELECT wish - 'reason' FROM jsonb_array_elements(OLD.wishes) WITH ORDINALITY AS list (wish, place) ORDER BY place)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a draw stays as it was made: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER committed_draw_rows BEFORE UPDATE OR DELETE ON tournaments_drawattempt
    FOR EACH ROW WHEN (OLD.commitment_id IS NOT NULL) EXECUTE FUNCTION guard_committed_draw();
"""
DROP_GUARDS = """
DROP TRIGGER committed_draw_rows ON tournaments_drawattempt;
DROP FUNCTION guard_committed_draw();
DROP TRIGGER commitment_table ON tournaments_commitment;
DROP TRIGGER commitment_rows ON tournaments_commitment;
DROP FUNCTION guard_commitment();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0015_scribe_by_consent'),
    ]

    operations = [
        migrations.CreateModel(
            name='Commitment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('round_number', models.PositiveIntegerField(null=True)),
                ('value', models.JSONField(help_text='as in tournaments.core.ceremony')),
                ('is_private', models.BooleanField(default=False)),
                ('nonce', models.CharField(blank=True, max_length=64)),
                ('secret', models.CharField(blank=True, max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('words', models.CharField(max_length=60, null=True)),
                ('words_at', models.DateTimeField(null=True)),
                ('replaced_at', models.DateTimeField(help_text='without a draw', null=True)),
                ('revealed_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='tournament',
            name='ceremony',
            field=models.CharField(choices=[('quiet', 'Quiet'), ('hall', 'Hall')], default='quiet', max_length=5),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('ceremony__in', ['quiet', 'hall'])), name='tournament_ceremony_known'),
        ),
        migrations.AddField(
            model_name='commitment',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='commitments', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='drawattempt',
            name='commitment',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='draw', to='tournaments.commitment'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='commitment_number_once'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.UniqueConstraint(condition=models.Q(('replaced_at', None), ('secret', '')), fields=('tournament', 'round_number'), name='commitment_open_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='commitment_number_positive'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.CheckConstraint(condition=models.Q(('digest__regex', '^[0-9a-f]{64}$'), ('secret__regex', '^([0-9a-f]{64})?$')), name='commitment_has_digest'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('words', None), ('words_at', None)), models.Q(('words__isnull', False), ('words_at__isnull', False)), _connector='OR'), name='commitment_words_have_moment'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.CheckConstraint(condition=models.Q(('secret', ''), ('words__isnull', False), ('replaced_at__isnull', False), _connector='OR'), name='commitment_words_before_secret'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.CheckConstraint(condition=models.Q(('revealed_at', None), models.Q(('secret', ''), _negated=True), _connector='OR'), name='commitment_revealed_has_secret'),
        ),
        migrations.RunSQL(GUARDS, DROP_GUARDS),
    ]
