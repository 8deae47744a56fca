from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0008_early_end_and_hidden'),
    ]

    operations = [
        migrations.CreateModel(
            name='WrongPasswords',
            fields=[
                ('origin', models.CharField(help_text='a keyed digest', max_length=64, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('latest_at', models.DateTimeField(db_index=True)),
            ],
        ),
        # The tables of django-axes, which counted before, contain names and addresses.
        migrations.RunSQL(
            'DROP TABLE IF EXISTS axes_accessattemptexpiration, axes_accessattempt, axes_accesslog, axes_accessfailurelog',
            migrations.RunSQL.noop,
        ),
    ]
