"""A lot between equals can follow from a commitment."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0013_round_marks'),
        ('tournaments', '0016_commitments'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='commitment',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lot', to='tournaments.commitment'),
        ),
    ]
