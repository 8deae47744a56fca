"""The marks of closed rounds, append-only."""

import django.db.models.deletion
from django.db import migrations, models


APPEND_ONLY = """
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON scoring_roundmark
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON scoring_roundmark
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""
DROP_APPEND_ONLY = """
DROP TRIGGER append_only_table ON scoring_roundmark;
DROP TRIGGER append_only_rows ON scoring_roundmark;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0012_digests'),
        ('tournaments', '0015_scribe_by_consent'),
    ]

    operations = [
        migrations.CreateModel(
            name='RoundMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('round_number', models.PositiveIntegerField()),
                ('value', models.JSONField()),
                ('tables', models.JSONField(default=list)),
                ('digest', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField()),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marks', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='mark_number_once'), models.CheckConstraint(condition=models.Q(('digest__regex', '^[0-9a-f]{64}$')), name='mark_has_digest')],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, DROP_APPEND_ONLY),
    ]
