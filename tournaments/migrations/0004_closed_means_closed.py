"""No round in play in a tournament that has ended, and no line and no payment at a closed desk."""

from django.db import migrations

# The database refuses whichever of the two comes last: the end, or the release of a round.
ENDED_TOURNAMENTS = """
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
DROP_ENDED_TOURNAMENTS = """
DROP TRIGGER tournament_not_ended_in_play ON tournaments_tournament;
DROP FUNCTION refuse_end_in_play();
DROP TRIGGER round_not_in_play_after_end ON tournaments_round;
DROP FUNCTION refuse_release_after_end();
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


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_append_only")]

    operations = [
        migrations.RunSQL(ENDED_TOURNAMENTS, DROP_ENDED_TOURNAMENTS),
        migrations.RunSQL(CLOSED_DESKS, DROP_CLOSED_DESKS),
    ]
