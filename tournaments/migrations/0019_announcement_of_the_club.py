"""What the club announces on its start page and on the wall, and its picture there."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_retention_and_wishes")]

    operations = [
        migrations.AddField(
            "clubsettings", "announcement", models.CharField(blank=True, default="", max_length=200)
        ),
        migrations.AlterField("clubsettings", "announcement", models.CharField(blank=True, max_length=200)),
        migrations.AddField("clubsettings", "jpeg", models.BinaryField(null=True)),
    ]
