"""People whom the club remembers beyond an evening, their evenings, and what they have allowed."""

import django.db.models.deletion
import uuid
from django.db import migrations, models

CONSENTS = """
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON tournaments_consent
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON tournaments_consent
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""
DROP_CONSENTS = """
DROP TRIGGER append_only_table ON tournaments_consent;
DROP TRIGGER append_only_rows ON tournaments_consent;
"""

# Finds people by the beginnings of words of their name, see tournaments.queries.people.
WORDS = """
CREATE INDEX person_words ON tournaments_person
    USING gin (array_to_tsvector(string_to_array(words, ' ')));
"""
DROP_WORDS = "DROP INDEX person_words;"


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0014_club_settings'),
    ]

    operations = [
        migrations.CreateModel(
            name='Person',
            fields=[
                ('key', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=80)),
                ('words', models.TextField(blank=True)),
                ('club', models.CharField(blank=True, max_length=80)),
                ('town', models.CharField(blank=True, max_length=80)),
                ('member_number', models.CharField(blank=True, max_length=40)),
                ('member_from_on', models.DateField(null=True)),
                ('member_until_on', models.DateField(null=True)),
                ('fee', models.CharField(blank=True, help_text='key of the usual kind of fee, if an evening has it', max_length=40)),
                ('names', models.CharField(blank=True, choices=[('full', 'full'), ('short', 'short'), ('number', 'number')], help_text='as of a participant', max_length=6)),
                ('erased_at', models.DateTimeField(null=True)),
                ('merged_into', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='tournaments.person')),
            ],
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('keep', 'Keep'), ('full_name', 'Full Name'), ('honours', 'Honours')], max_length=9)),
                ('is_given', models.BooleanField()),
                ('given_on', models.DateField(help_text='the day on which it was given or withdrawn')),
                ('how', models.CharField(choices=[('door', 'Door'), ('paper', 'Paper'), ('own_phone', 'Own Phone')], max_length=9)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='tournaments.person')),
            ],
        ),
        migrations.CreateModel(
            name='Appearance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('how', models.CharField(choices=[('typed', 'Typed'), ('suggested', 'Suggested'), ('list', 'List'), ('sign_up', 'Sign Up')], max_length=9)),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('participant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='appearance', to='tournaments.participant')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appearances', to='tournaments.person')),
            ],
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.UniqueConstraint(condition=models.Q(('member_number', ''), _negated=True), fields=('member_number',), name='member_number_once'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', models.F('key')), _negated=True), name='person_not_merged_into_itself'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('erased_at', None), models.Q(('name', ''), _negated=True)), models.Q(('club', ''), ('erased_at__isnull', False), ('member_number', ''), ('name', ''), ('town', ''), ('words', '')), _connector='OR'), name='person_is_named_until_erased'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('names__in', ['', 'full', 'short', 'number'])), name='person_names_known'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.CheckConstraint(condition=models.Q(('what__in', ['keep', 'full_name', 'honours'])), name='consent_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['door', 'paper', 'own_phone'])), name='consent_way_known'),
        ),
        migrations.AddConstraint(
            model_name='appearance',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['typed', 'suggested', 'list', 'sign_up'])), name='appearance_way_known'),
        ),
        migrations.RunSQL(CONSENTS, DROP_CONSENTS),
        migrations.RunSQL(WORDS, DROP_WORDS),
    ]
