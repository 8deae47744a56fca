"""The early end of a tournament, and whether the start page lists it.

The database refuses an ended tournament with a round in play, whichever of the two comes last.
"""

from django.db import migrations, models

NOT_IN_PLAY = """
CREATE FUNCTION refuse_release_after_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tournaments_tournament WHERE id = NEW.tournament_id AND ended_at IS NOT NULL) THEN
        RAISE EXCEPTION 'the tournament of round % is ended', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER round_not_in_play_after_end BEFORE INSERT OR UPDATE ON tournaments_round
    FOR EACH ROW WHEN (NEW.state = 'released') EXECUTE FUNCTION refuse_release_after_end();
CREATE FUNCTION refuse_end_in_play() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tournaments_round WHERE tournament_id = NEW.id AND state = 'released') THEN
        RAISE EXCEPTION 'a round of tournament % is in play', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tournament_not_ended_in_play BEFORE UPDATE ON tournaments_tournament
    FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION refuse_end_in_play();
"""
DROP_NOT_IN_PLAY = """
DROP TRIGGER tournament_not_ended_in_play ON tournaments_tournament;
DROP FUNCTION refuse_end_in_play();
DROP TRIGGER round_not_in_play_after_end ON tournaments_round;
DROP FUNCTION refuse_release_after_end();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0007_accounts_and_logs'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='ended_at',
            field=models.DateTimeField(help_text='when the organiser ended it before its last planned round', null=True),
        ),
        migrations.AddField(
            model_name='tournament',
            name='ended_by',
            field=models.CharField(blank=True, max_length=150),
        ),
        migrations.AddField(
            model_name='tournament',
            name='ended_reason',
            field=models.CharField(blank=True, help_text='for the organisers only', max_length=500),
        ),
        migrations.AddField(
            model_name='tournament',
            name='is_hidden',
            field=models.BooleanField(default=False, help_text='not listed on the start page; whoever has the link sees the pages; not exported'),
        ),
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', ''), ('ended_reason', '')), models.Q(('ended_at__isnull', False), models.Q(('ended_reason', ''), _negated=True)), _connector='OR'), name='tournament_end_has_reason'),
        ),
        migrations.RunSQL(NOT_IN_PLAY, DROP_NOT_IN_PLAY),
    ]
