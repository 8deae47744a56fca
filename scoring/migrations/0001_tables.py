"""All tables, with what the models ask of them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('tournaments', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='BackupNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(null=True)),
                ('failure', models.TextField(blank=True)),
                ('failed_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='backup_note_once')],
            },
        ),
        migrations.CreateModel(
            name='Sheet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pen_epoch', models.PositiveIntegerField(default=0)),
                ('pen_device', models.CharField(blank=True, max_length=64)),
                ('seen_at', models.DateTimeField(help_text='last sign of life of a phone', null=True)),
                ('called_at', models.DateTimeField(null=True)),
                ('came_at', models.DateTimeField(null=True)),
                ('came_by', models.CharField(blank=True, db_default='', max_length=150)),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sheet', to='tournaments.table')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('came_at', None), ('came_by', '')), models.Q(('called_at__isnull', False), ('came_at__isnull', False)), _connector='OR'), name='call_ends_after_it_was_made'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SeatResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('accepted', models.BooleanField(help_text='the sheet is accepted: only then does it count')),
                ('rank', models.PositiveIntegerField(null=True)),
                ('points', models.IntegerField(null=True)),
                ('strokes', models.PositiveIntegerField()),
                ('counts', models.JSONField(help_text='what tie-breaks count, e.g. {"schnauz": 2, "feuer": 0}')),
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='result', to='tournaments.seat')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='scoring.sheet')),
            ],
        ),
        migrations.CreateModel(
            name='PenGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('epoch', models.PositiveIntegerField()),
                ('device', models.CharField(blank=True, max_length=64)),
                ('at', models.DateTimeField()),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='grants', to='scoring.sheet')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('sheet', 'epoch'), name='grant_epoch_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ParkedEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry_id', models.UUIDField()),
                ('kind', models.CharField(max_length=20)),
                ('data', models.JSONField()),
                ('text', models.CharField(blank=True, help_text='note or reason; the only column that may be blanked', max_length=500)),
                ('made_at', models.DateTimeField(help_text="by the writer's clock")),
                ('pen_epoch', models.PositiveIntegerField(help_text='null where no phone wrote it', null=True)),
                ('parked_at', models.DateTimeField()),
                ('outcome', models.CharField(blank=True, choices=[('adopted', 'Adopted'), ('discarded', 'Discarded')], max_length=9)),
                ('decided_by', models.CharField(blank=True, max_length=150)),
                ('decided_initials', models.CharField(blank=True, max_length=8)),
                ('decided_reason', models.CharField(blank=True, max_length=500)),
                ('decided_at', models.DateTimeField(null=True)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.tournament')),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='parked', to='scoring.sheet')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'entry_id'), name='parked_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('outcome', '')), models.Q(('decided_at__isnull', False), ('outcome__in', ['adopted', 'discarded'])), _connector='OR'), name='parked_outcome_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SheetEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry_id', models.UUIDField()),
                ('kind', models.CharField(max_length=20)),
                ('data', models.JSONField()),
                ('text', models.CharField(blank=True, help_text='note or reason; the only column that may be blanked', max_length=500)),
                ('made_at', models.DateTimeField(help_text="by the writer's clock")),
                ('pen_epoch', models.PositiveIntegerField(help_text='null where no phone wrote it', null=True)),
                ('sequence', models.PositiveIntegerField()),
                ('by', models.CharField(choices=[('scribe', 'Scribe'), ('organiser', 'Organiser')], max_length=9)),
                ('author', models.CharField(blank=True, help_text='account of the organiser who wrote it', max_length=150)),
                ('initials', models.CharField(blank=True, max_length=8)),
                ('recorded_at', models.DateTimeField()),
                ('digest', models.CharField(help_text='as in scoring.core.marks, hexadecimal', max_length=64)),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='scoring.sheet')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['sequence'],
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'entry_id'), name='entry_once'),
                    models.UniqueConstraint(fields=('sheet', 'sequence'), name='entry_sequence_once'),
                    models.CheckConstraint(condition=models.Q(('by__in', ['scribe', 'organiser'])), name='entry_author_known'),
                    models.CheckConstraint(condition=models.Q(('digest__regex', '^[0-9a-f]{64}$')), name='entry_has_digest'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('playoff', 'Playoff'), ('lot', 'Lot')], max_length=7)),
                ('order', models.JSONField(help_text='start numbers, best first')),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('seed', models.CharField(blank=True, max_length=64)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(null=True)),
                ('revoked_by', models.CharField(blank=True, max_length=150)),
                ('commitment', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lot', to='tournaments.commitment')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['playoff', 'lot'])), name='decision_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'lot'), models.Q(('seed', ''), _negated=True)), models.Q(('seed', ''), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='decision_has_seed_or_reason')],
            },
        ),
        migrations.CreateModel(
            name='Flag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.CharField(max_length=300)),
                ('deal', models.PositiveSmallIntegerField(help_text='number of the deal that it is about, if any', null=True)),
                ('name', models.CharField(blank=True, help_text='as the sender calls himself', max_length=80)),
                ('origin', models.CharField(blank=True, max_length=32)),
                ('phone', models.CharField(blank=True, max_length=32)),
                ('raised_at', models.DateTimeField()),
                ('looked_at', models.DateTimeField(help_text='since when an organiser looks into it', null=True)),
                ('looked_by', models.CharField(blank=True, db_default='', max_length=150)),
                ('closed_at', models.DateTimeField(null=True)),
                ('closed_by', models.CharField(blank=True, max_length=150)),
                ('closed_word', models.CharField(blank=True, max_length=500)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='flags', to='tournaments.table')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='flags', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['tournament', 'origin', 'raised_at'], name='flag_of_a_sender')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_word', '')), models.Q(('closed_at__isnull', False), models.Q(('closed_word', ''), _negated=True)), _connector='OR'), name='flag_closed_with_a_word'), models.CheckConstraint(condition=models.Q(models.Q(('looked_at', None), ('looked_by', '')), models.Q(('looked_at__isnull', False), models.Q(('looked_by', ''), _negated=True)), _connector='OR'), name='flag_looked_at_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='MissingPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reported_at', models.DateTimeField()),
                ('reported_by', models.CharField(blank=True, max_length=150)),
                ('found_at', models.DateTimeField(null=True)),
                ('found_by', models.CharField(blank=True, max_length=150)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='missing', to='tournaments.participant')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='missing', to='tournaments.table')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('found_at', None)), fields=('table', 'participant'), name='missing_once_at_a_table'), models.CheckConstraint(condition=models.Q(('found_at__isnull', False), ('found_by', ''), _connector='OR'), name='found_by_after_found')],
            },
        ),
        migrations.CreateModel(
            name='PrizeHandout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('prize', models.CharField(max_length=100)),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('given', 'Given'), ('back', 'Back'), ('absent', 'Absent')], max_length=6)),
                ('cents', models.PositiveIntegerField(default=0)),
                ('things', models.JSONField(default=list)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('cash', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='handout', to='tournaments.cashentry')),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='handouts', to='tournaments.participant')),
                ('payment', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='handout', to='tournaments.payment')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='handouts', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('participant', 'prize', 'number'), name='handout_number_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['given', 'back', 'absent'])), name='handout_kind_known'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='handout_number_positive'), models.CheckConstraint(condition=models.Q(models.Q(('cents', 0), ('kind', 'absent'), ('things', [])), models.Q(models.Q(('kind', 'absent'), _negated=True), models.Q(('cents__gt', 0), models.Q(('things', []), _negated=True), _connector='OR')), _connector='OR'), name='handout_gives_something'), models.CheckConstraint(condition=models.Q(models.Q(('cents__gt', 0), ('kind', 'given'), ('payment__isnull', False)), models.Q(models.Q(('cents__gt', 0), ('kind', 'given'), _negated=True), ('payment', None)), _connector='OR'), name='handout_money_is_a_payout'), models.CheckConstraint(condition=models.Q(models.Q(('cash__isnull', False), ('cents__gt', 0), ('kind', 'back')), models.Q(models.Q(('cents__gt', 0), ('kind', 'back'), _negated=True), ('cash', None)), _connector='OR'), name='handout_money_back_is_cash')],
            },
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_frozen', models.BooleanField()),
                ('results', models.JSONField(null=True)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('is_frozen', False), ('results', None)), models.Q(('is_frozen', True), ('results__isnull', False)), _connector='OR'), name='publication_frozen_has_results')],
            },
        ),
        migrations.CreateModel(
            name='RoundClock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round_number', models.PositiveIntegerField()),
                ('minutes', models.PositiveSmallIntegerField()),
                ('started_at', models.DateTimeField()),
                ('stopped_at', models.DateTimeField(null=True)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='round_clock', to='tournaments.tournament')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('minutes__range', (1, 240))), name='clock_minutes_known')],
            },
        ),
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
        migrations.CreateModel(
            name='Screen',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('scene', models.CharField(choices=[('automatic', 'Automatic'), ('welcome', 'Welcome'), ('gather', 'Gather'), ('seating', 'Seating'), ('play', 'Play'), ('standings', 'Standings'), ('race', 'Race'), ('announcement', 'Announcement'), ('prizes', 'Prizes'), ('black', 'Black')], default='automatic', max_length=12)),
                ('text', models.CharField(blank=True, max_length=240)),
                ('network', models.CharField(blank=True, max_length=32)),
                ('password', models.CharField(blank=True, max_length=63)),
                ('lowest_rank', models.PositiveSmallIntegerField(default=3)),
                ('revealed', models.CharField(blank=True, max_length=100)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='screens', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='screen_number_once'), models.CheckConstraint(condition=models.Q(('number__range', (1, 9))), name='screen_number_known'), models.CheckConstraint(condition=models.Q(('lowest_rank__range', (1, 60))), name='screen_lowest_rank_known')],
            },
        ),
        migrations.CreateModel(
            name='ScreenPairing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('device', models.CharField(max_length=32, unique=True)),
                ('code', models.CharField(blank=True, max_length=6)),
                ('tries', models.PositiveSmallIntegerField(default=0, help_text='wrong codes that were entered while it was open')),
                ('origin', models.CharField(blank=True, max_length=32)),
                ('asked_at', models.DateTimeField()),
                ('paired_at', models.DateTimeField(null=True)),
                ('paired_by', models.CharField(blank=True, max_length=150)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='screen_pairings', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('code', ''), _negated=True), fields=('tournament', 'code'), name='pairing_code_once'), models.CheckConstraint(condition=models.Q(('number__range', (1, 9))), name='pairing_screen_known'), models.CheckConstraint(condition=models.Q(models.Q(('paired_at', None), models.Q(('code', ''), _negated=True)), models.Q(('code', ''), ('origin', ''), ('paired_at__isnull', False)), _connector='OR'), name='pairing_asks_or_is_paired')],
            },
        ),
    ]
