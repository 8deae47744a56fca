"""Whether the screens show the picture of the club, and the line below it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_people")]

    operations = [
        migrations.AddField("clubpicture", "on_wall", models.BooleanField(default=False)),
        migrations.AddField("clubpicture", "caption", models.CharField(blank=True, default="", max_length=80)),
        migrations.AlterField("clubpicture", "caption", models.CharField(blank=True, max_length=80)),
    ]
