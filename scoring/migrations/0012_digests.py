"""Every entry of a log gets its digest; so does what is stored already.

The digests are those of `scoring.core.marks`, which never changes: marks that people have photographed follow from it.
"""

from itertools import groupby
from operator import attrgetter

from django.db import migrations, models

from scoring.core.entries import Entry
from scoring.core.marks import first_digest, next_digest

ALLOW, REFUSE = (
    f"ALTER TABLE scoring_sheetentry {what} TRIGGER append_only_rows" for what in ("DISABLE", "ENABLE")
)
FUNCTION = """
CREATE OR REPLACE FUNCTION open_sheet(wanted bigint, locks boolean, asked uuid[], phone text, epoch bigint)
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
            'last', (SELECT json_build_array({last}) FROM scoring_sheetentry
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
END $$
"""
AFTER = FUNCTION.replace("{last}", "sequence, entry_id, digest")
BEFORE = FUNCTION.replace("{last}", "sequence, entry_id")


def make_digests(apps, schema_editor):
    SheetEntry, Seat = apps.get_model("scoring", "SheetEntry"), apps.get_model("tournaments", "Seat")
    players = {}
    seats = Seat.objects.order_by("seat_number").values_list("table_id", "participant__start_number")
    for table, start_number in seats:
        players.setdefault(table, []).append(start_number)
    entries = SheetEntry.objects.select_related("sheet__table__round").order_by("sheet_id", "sequence")
    for _sheet, log in groupby(entries.iterator(chunk_size=2000), key=attrgetter("sheet_id")):
        digest, rows = "", []
        for row in log:
            table = row.sheet.table
            digest = digest or first_digest(
                round_number=table.round.number,
                table_number=table.number,
                start_numbers=players[table.pk],
            )
            entry = Entry(str(row.entry_id), row.kind, row.data, row.by, made_at=row.made_at)
            row.digest = digest = next_digest(digest, entry)
            rows.append(row)
        SheetEntry.objects.bulk_update(rows, ["digest"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0011_note_of_the_last_backup"),
        ("tournaments", "0015_scribe_by_consent"),
    ]

    operations = [
        migrations.AddField("sheetentry", "digest", models.CharField(max_length=64, default="")),
        migrations.RunSQL(ALLOW, REFUSE),
        migrations.RunPython(make_digests, migrations.RunPython.noop),
        migrations.RunSQL(REFUSE, ALLOW),
        migrations.AlterField(
            "sheetentry",
            "digest",
            models.CharField(max_length=64, help_text="as in scoring.core.marks, hexadecimal"),
        ),
        migrations.AddConstraint(
            "sheetentry",
            models.CheckConstraint(condition=models.Q(digest__regex="^[0-9a-f]{64}$"), name="entry_has_digest"),
        ),
        migrations.RunSQL(AFTER, BEFORE),
    ]
