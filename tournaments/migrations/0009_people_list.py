"""Imported lists of people, so that an import can be taken out again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0008_receipt'),
    ]

    operations = [
        migrations.CreateModel(
            name='ImportedList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('count', models.PositiveIntegerField()),
                ('cents', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('taken_out_at', models.DateTimeField(null=True)),
                ('taken_out_by', models.CharField(blank=True, max_length=150)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imported_lists', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='participant',
            name='imported_list',
            field=models.ForeignKey(help_text='not exported', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='people', to='tournaments.importedlist'),
        ),
        migrations.AddConstraint(
            model_name='importedlist',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='list_number_once'),
        ),
        migrations.AddConstraint(
            model_name='importedlist',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='list_number_positive'),
        ),
        migrations.AddConstraint(
            model_name='importedlist',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('taken_out_at', None), ('taken_out_by', '')), models.Q(('taken_out_at__isnull', False), models.Q(('taken_out_by', ''), _negated=True)), _connector='OR'), name='list_taken_out_by_somebody'),
        ),
    ]
