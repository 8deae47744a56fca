"""What an imported list has changed of people who were there already, so that this can be taken back too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_own_till")]

    operations = [
        migrations.AddField(
            model_name="importedlist",
            name="changed",
            field=models.JSONField(default=list, help_text="of others: start_number, columns before and after"),
        ),
    ]
