"""Keys over two columns: the database refuses rows that mix tournaments or rounds."""

from django.db import migrations

SEATS = """
ALTER TABLE tournaments_seat
    ADD CONSTRAINT seat_participant_of_tournament FOREIGN KEY (tournament_id, participant_id)
        REFERENCES tournaments_participant (tournament_id, id),
    ADD CONSTRAINT seat_round_of_tournament FOREIGN KEY (tournament_id, round_id)
        REFERENCES tournaments_round (tournament_id, id),
    ADD CONSTRAINT seat_table_of_round FOREIGN KEY (round_id, table_id)
        REFERENCES tournaments_table (round_id, id);
"""
DROP_SEATS = """
ALTER TABLE tournaments_seat
    DROP CONSTRAINT seat_participant_of_tournament,
    DROP CONSTRAINT seat_round_of_tournament,
    DROP CONSTRAINT seat_table_of_round;
"""

CASH = """
ALTER TABLE tournaments_cashentry
    ADD CONSTRAINT cash_desk_of_tournament FOREIGN KEY (tournament_id, desk_id)
        REFERENCES tournaments_cashdesk (tournament_id, id),
    ADD CONSTRAINT cash_to_of_tournament FOREIGN KEY (tournament_id, to_id)
        REFERENCES tournaments_cashdesk (tournament_id, id);
"""
DROP_CASH = """
ALTER TABLE tournaments_cashentry
    DROP CONSTRAINT cash_to_of_tournament,
    DROP CONSTRAINT cash_desk_of_tournament;
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_tables")]

    operations = [
        migrations.RunSQL(SEATS, DROP_SEATS),
        migrations.RunSQL(CASH, DROP_CASH),
    ]
