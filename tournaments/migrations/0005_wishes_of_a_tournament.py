from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_scribe_of_a_table")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="wishes",
            field=models.JSONField(
                default=list, help_text="as in tournaments.core.wishes, for the draws to come"
            ),
        ),
    ]
