"""Receipts of forms, so that a form sent twice changes something once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_largest_amount")]

    operations = [
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "key",
                    models.BinaryField(
                        help_text="digest of account, address and content of the form",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField(db_index=True)),
                ("answer", models.BinaryField(help_text="encrypted; None while the form is being answered", null=True)),
            ],
        )
    ]
