"""Commitments and the draws that follow from them stay as they were made."""

from django.db import migrations

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
    dependencies = [("tournaments", "0004_closed_means_closed")]

    operations = [
        migrations.RunSQL(GUARDS, DROP_GUARDS),
    ]
