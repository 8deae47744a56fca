"""A scene more: the year's standing."""

from django.db import migrations, models

SCENES = [
    "automatic", "welcome", "gather", "seating", "play", "standings", "race", "king", "series", "announcement", "prizes",
    "black",
]  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("scoring", "0009_honours")]

    operations = [
        migrations.AlterField(
            model_name="screen",
            name="scene",
            field=models.CharField(
                choices=[(key, key.capitalize()) for key in SCENES], default="automatic", max_length=12
            ),
        ),
    ]
