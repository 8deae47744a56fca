"""No index of a foreign key that begins a unique constraint as well: PostgreSQL keeps each of them in memory for each club."""

from django.db import migrations, models

FOREIGN_KEYS = [
    ("cashdesk", "tournament", "tournament", "desks"),
    ("commitment", "tournament", "tournament", "commitments"),
    ("drawattempt", "round", "round", "attempts"),
    ("importedlist", "tournament", "tournament", "imported_lists"),
    ("membership", "tournament", "tournament", "memberships"),
    ("participant", "tournament", "tournament", "participants"),
    ("round", "tournament", "tournament", "rounds"),
    ("seat", "round", "round", "seats"),
    ("seat", "table", "table", "seats"),
    ("seatchange", "attempt", "drawattempt", "changes"),
    ("signup", "tournament", "tournament", "sign_ups"),
    ("table", "round", "round", "tables"),
]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_announcement_of_the_club")]

    operations = [
        migrations.AlterField(
            model,
            name,
            models.ForeignKey(f"tournaments.{to}", models.CASCADE, related_name=related_name, db_index=False),
        )
        for model, name, to, related_name in FOREIGN_KEYS
    ]
