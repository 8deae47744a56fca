"""Whether a club has a till of its own, so that no page of the tournament names an amount."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_deletion")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="hides_amounts",
            field=models.BooleanField(default=False, help_text="the club has a till of its own"),
        ),
    ]
