"""Remember when a paired screen was seen last. Until it is seen again, one of before counts as seen when it was paired."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0005_prize_money_back")]

    operations = [
        migrations.AddField("screenpairing", "seen_at", models.DateTimeField(null=True)),
        migrations.RunSQL("UPDATE scoring_screenpairing SET seen_at = paired_at", migrations.RunSQL.noop),
    ]
