"""Open a table's sheet with one statement: lock the table, create the sheet if it is missing, and read what decides.

Each statement of the function has a snapshot of its own, so what is read after waiting for the lock is current. A plain
statement that locks and reads would see rows of other tables as they were before it waited.
"""

from django.db import migrations

OPEN_SHEET = """
CREATE FUNCTION open_sheet(wanted bigint, locks boolean, asked uuid[], phone text, epoch bigint)
RETURNS json LANGUAGE plpgsql AS $$
BEGIN
    IF locks THEN
        PERFORM FROM tournaments_table WHERE id = wanted FOR NO KEY UPDATE;
    END IF;
    IF NOT EXISTS (SELECT FROM scoring_sheet WHERE table_id = wanted) THEN
        INSERT INTO scoring_sheet (table_id, pen_epoch, pen_device)
            SELECT id, 0, '' FROM tournaments_table WHERE id = wanted FOR KEY SHARE
            ON CONFLICT DO NOTHING;
    END IF;
    RETURN (
        SELECT json_build_object(
            'sheet', to_json(sheet), 'table', to_json(tables), 'round', to_json(rounds),
            'tournament', to_json(tournament)::text,
            'seats', (SELECT json_agg(json_build_array(seat, person) ORDER BY seat.seat_number)::text
                FROM tournaments_seat AS seat JOIN tournaments_participant AS person
                ON person.id = seat.participant_id WHERE seat.table_id = wanted),
            'last', (SELECT json_build_array(sequence, entry_id, digest) FROM scoring_sheetentry
                WHERE sheet_id = sheet.id ORDER BY sequence DESC LIMIT 1),
            'has_parked', EXISTS (SELECT FROM scoring_parkedentry WHERE sheet_id = sheet.id),
            'recorded', ARRAY(SELECT entry_id FROM scoring_sheetentry
                WHERE tournament_id = tournament.id AND entry_id = ANY (asked)),
            'parked', ARRAY(SELECT entry_id FROM scoring_parkedentry
                WHERE tournament_id = tournament.id AND entry_id = ANY (asked)),
            'had_pen', EXISTS (SELECT FROM scoring_pengrant AS pen
                WHERE pen.sheet_id = sheet.id AND pen.epoch = open_sheet.epoch AND device = phone))
        FROM scoring_sheet AS sheet
        JOIN tournaments_table AS tables ON tables.id = sheet.table_id
        JOIN tournaments_round AS rounds ON rounds.id = tables.round_id
        JOIN tournaments_tournament AS tournament ON tournament.id = rounds.tournament_id
        WHERE sheet.table_id = wanted);
END $$;
"""
DROP_OPEN_SHEET = """
DROP FUNCTION open_sheet(bigint, boolean, uuid[], text, bigint);
"""


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_money_of_handouts")]

    operations = [
        migrations.RunSQL(OPEN_SHEET, DROP_OPEN_SHEET),
    ]
