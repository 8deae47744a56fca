"""All tables, with what the models ask of them."""

import django.db.models.constraints
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('played_on', models.DateField()),
                ('place', models.CharField(blank=True, max_length=120)),
                ('names', models.CharField(choices=[('full', 'Full'), ('short', 'Short'), ('number', 'Number')], default='full', max_length=6)),
                ('ruleset', models.JSONField(help_text="Ruleset.to_dict(): this tournament's own copy")),
                ('ceremony', models.CharField(choices=[('quiet', 'Quiet'), ('hall', 'Hall')], default='quiet', max_length=5)),
                ('draw_mode', models.CharField(choices=[('few_repeats', 'Few Repeats'), ('random', 'Random')], default='few_repeats', max_length=20)),
                ('wishes', models.JSONField(default=list, help_text='as in tournaments.core.wishes, for the draws to come')),
                ('fees', models.JSONField(default=list, help_text="as in tournaments.core.fees; empty: the ruleset's fee")),
                ('prize_plan', models.JSONField(null=True)),
                ('starts_at', models.DateTimeField(null=True)),
                ('admits_at', models.DateTimeField(help_text='from when on players are let in', null=True)),
                ('is_practice', models.BooleanField(default=False)),
                ('public_until_on', models.DateField(help_text='last day of the public pages, where the organiser has named one; not exported', null=True)),
                ('is_hidden', models.BooleanField(default=False, help_text='not listed on the start page; whoever has the link sees the pages; not exported')),
                ('imported_at', models.DateTimeField(help_text='when a document was imported here; not exported', null=True)),
                ('ended_at', models.DateTimeField(help_text='when the organiser ended it before its last planned round', null=True)),
                ('ended_by', models.CharField(blank=True, max_length=150)),
                ('ended_reason', models.CharField(blank=True, help_text='for the organisers only', max_length=500)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'indexes': [
                    models.Index(fields=['-played_on', '-id'], name='tournament_latest_first'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('names__in', ['full', 'short', 'number'])), name='tournament_names_known'),
                    models.CheckConstraint(condition=models.Q(('draw_mode__in', ['few_repeats', 'random'])), name='tournament_draw_mode_known'),
                    models.CheckConstraint(condition=models.Q(('ceremony__in', ['quiet', 'hall'])), name='tournament_ceremony_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', ''), ('ended_reason', '')), models.Q(('ended_at__isnull', False), models.Q(('ended_reason', ''), _negated=True)), _connector='OR'), name='tournament_end_has_reason'),
                ],
            },
        ),
        migrations.CreateModel(
            name='CashDesk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(blank=True, max_length=40)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='desks', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'number'), name='desk_number_once'),
                    models.UniqueConstraint(fields=('tournament', 'name'), name='desk_name_once'),
                    models.UniqueConstraint(fields=('tournament', 'id'), name='desk_of_tournament'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='desk_number_positive'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ClubPicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('jpeg', models.BinaryField()),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='club_picture', to='tournaments.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='Commitment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('round_number', models.PositiveIntegerField(null=True)),
                ('value', models.JSONField(help_text='as in tournaments.core.ceremony')),
                ('is_private', models.BooleanField(default=False)),
                ('nonce', models.CharField(blank=True, max_length=64)),
                ('secret', models.CharField(blank=True, max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('words', models.CharField(max_length=60, null=True)),
                ('words_at', models.DateTimeField(null=True)),
                ('replaced_at', models.DateTimeField(help_text='without a draw', null=True)),
                ('revealed_at', models.DateTimeField(null=True)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='commitments', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'number'), name='commitment_number_once'),
                    models.UniqueConstraint(condition=models.Q(('replaced_at', None), ('secret', '')), fields=('tournament', 'round_number'), name='commitment_open_once', nulls_distinct=False),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='commitment_number_positive'),
                    models.CheckConstraint(condition=models.Q(('digest__regex', '^[0-9a-f]{64}$'), ('secret__regex', '^([0-9a-f]{64})?$')), name='commitment_has_digest'),
                    models.CheckConstraint(condition=models.Q(models.Q(('words', None), ('words_at', None)), models.Q(('words__isnull', False), ('words_at__isnull', False)), _connector='OR'), name='commitment_words_have_moment'),
                    models.CheckConstraint(condition=models.Q(('secret', ''), ('words__isnull', False), ('replaced_at__isnull', False), _connector='OR'), name='commitment_words_before_secret'),
                    models.CheckConstraint(condition=models.Q(('revealed_at', None), models.Q(('secret', ''), _negated=True), _connector='OR'), name='commitment_revealed_has_secret'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('organiser', 'Organiser'), ('cashier', 'Cashier')], max_length=9)),
                ('code_hash', models.CharField(max_length=64, unique=True)),
                ('invited_by', models.CharField(max_length=150)),
                ('invited_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='tournaments.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start_number', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=80)),
                ('club', models.CharField(blank=True, max_length=80)),
                ('town', models.CharField(blank=True, max_length=80)),
                ('fee', models.CharField(blank=True, help_text='key of a kind of fee; empty: the default', max_length=40)),
                ('names', models.CharField(blank=True, choices=[('full', 'Full'), ('short', 'Short'), ('number', 'Number')], help_text='how he wants to be named in public, on the wall as well; empty: as the tournament does', max_length=6)),
                ('presence', models.CharField(choices=[('announced', 'Announced'), ('present', 'Present'), ('absent', 'Absent')], default='present', max_length=9)),
                ('pauses_round', models.PositiveIntegerField(help_text='a round that is to be drawn without them, as they wish; not exported', null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('excluded_at', models.DateTimeField(null=True)),
                ('excluded_reason', models.CharField(blank=True, max_length=500)),
                ('registered_at', models.DateTimeField()),
                ('registered_by', models.CharField(max_length=150)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participants', to='tournaments.tournament')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'start_number'), name='participant_number_once'),
                    models.UniqueConstraint(fields=('tournament', 'id'), name='participant_of_tournament'),
                    models.CheckConstraint(condition=models.Q(('start_number__gte', 1)), name='participant_number_positive'),
                    models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='participant_has_name'),
                    models.CheckConstraint(condition=models.Q(('names__in', ['', 'full', 'short', 'number'])), name='participant_names_known'),
                    models.CheckConstraint(condition=models.Q(('presence__in', ['announced', 'present', 'absent'])), name='participant_presence_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('excluded_at', None), ('excluded_reason', '')), models.Q(('excluded_at__isnull', False), models.Q(('excluded_reason', ''), _negated=True)), _connector='OR'), name='participant_exclusion_has_reason'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('drawn', 'Drawn'), ('released', 'Released'), ('closed', 'Closed')], default='drawn', max_length=8)),
                ('drawn_at', models.DateTimeField()),
                ('released_at', models.DateTimeField(null=True)),
                ('released_reason', models.CharField(blank=True, help_text='why without all scribes', max_length=500)),
                ('started_at', models.DateTimeField(help_text='sign to all tables to start', null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('closed_reason', models.CharField(blank=True, max_length=500)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'number'), name='round_number_once'),
                    models.UniqueConstraint(fields=('tournament', 'id'), name='round_of_tournament'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='round_number_positive'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['drawn', 'released', 'closed'])), name='round_state_known'),
                    models.CheckConstraint(condition=models.Q(('started_at', None), ('released_at__isnull', False), _connector='OR'), name='round_starts_when_released'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('link_version', models.PositiveIntegerField(default=1)),
                ('scribe_by', models.CharField(blank=True, max_length=150)),
                ('scribe_at', models.DateTimeField(null=True)),
                ('scribe_agreed', models.BooleanField(default=False, help_text='named at the table, with the consent of all its players')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tournaments.round')),
                ('scribe', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.participant')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('round', 'number'), name='table_number_once'),
                    models.UniqueConstraint(fields=('round', 'id'), name='table_of_round'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='table_number_positive'),
                    models.CheckConstraint(condition=models.Q(models.Q(('scribe', None), ('scribe_at', None)), models.Q(('scribe__isnull', False), ('scribe_at__isnull', False)), _connector='OR'), name='table_scribe_has_moment'),
                    models.CheckConstraint(condition=models.Q(('scribe_agreed', False), ('scribe__isnull', False), _connector='OR'), name='table_agrees_on_a_scribe'),
                ],
            },
        ),
        migrations.CreateModel(
            name='WrongPasswords',
            fields=[
                ('origin', models.CharField(help_text='a keyed digest', max_length=64, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('latest_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='CashEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('float', 'Float'), ('in', 'In'), ('out', 'Out'), ('transfer', 'Transfer'), ('count', 'Count')], max_length=8)),
                ('cents', models.PositiveIntegerField()),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('pieces', models.JSONField(null=True)),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('desk', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournaments.cashdesk')),
                ('to', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='received', to='tournaments.cashdesk')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cash_entries', to='tournaments.tournament')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('kind__in', ['float', 'in', 'out', 'transfer', 'count'])), name='cash_kind_known'),
                    models.CheckConstraint(condition=models.Q(('cents__gt', 0), ('kind__in', ['float', 'count']), _connector='OR'), name='cash_cents_positive'),
                    models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['in', 'out']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='cash_reason_needed'),
                    models.CheckConstraint(condition=models.Q(models.Q(('kind', 'transfer'), ('to__isnull', False), models.Q(('to', models.F('desk')), _negated=True)), models.Q(models.Q(('kind', 'transfer'), _negated=True), ('to', None)), _connector='OR'), name='cash_transfer_to_another_desk'),
                    models.CheckConstraint(condition=models.Q(('pieces', None), ('kind', 'count'), _connector='OR'), name='cash_pieces_of_a_count'),
                ],
            },
        ),
        migrations.CreateModel(
            name='DeskChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('closed', 'Closed'), ('opened', 'Opened')], max_length=6)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('desk', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='tournaments.cashdesk')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('kind__in', ['closed', 'opened'])), name='desk_change_kind_known'),
                    models.CheckConstraint(condition=models.Q(('kind', 'closed'), models.Q(('reason', ''), _negated=True), _connector='OR'), name='desk_opened_with_reason'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('organiser', 'Organiser'), ('cashier', 'Cashier')], max_length=9)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='tournaments.tournament')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'user'), name='membership_once'),
                    models.CheckConstraint(condition=models.Q(('role__in', ['organiser', 'cashier'])), name='membership_role_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PasswordLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.CharField(max_length=64, unique=True)),
                ('expires_at', models.DateTimeField()),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='password_link', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('fee', 'Fee'), ('refund', 'Refund'), ('payout', 'Payout')], max_length=6)),
                ('cents', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('desk', models.CharField(blank=True, max_length=40)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='payments', to='tournaments.participant')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('kind__in', ['fee', 'refund', 'payout'])), name='payment_kind_known'),
                    models.CheckConstraint(condition=models.Q(('cents__gt', 0)), name='payment_cents_positive'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PersonChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('renamed', 'Renamed'), ('naming', 'Naming'), ('withdrawn', 'Withdrawn'), ('returned', 'Returned'), ('excluded', 'Excluded'), ('readmitted', 'Readmitted'), ('fee', 'Fee')], max_length=20)),
                ('text', models.CharField(blank=True, max_length=500)),
                ('by', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='tournaments.participant')),
            ],
        ),
        migrations.CreateModel(
            name='DrawAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempt', models.PositiveIntegerField()),
                ('version', models.PositiveIntegerField()),
                ('mode', models.CharField(max_length=20)),
                ('seed', models.CharField(max_length=64)),
                ('players', models.JSONField(help_text='start numbers, ascending')),
                ('sizes', models.JSONField(help_text='players at table 1, 2, ...')),
                ('history', models.JSONField(default=list, help_text='the tables of each earlier round, in start numbers, as far as the draw looked')),
                ('wishes', models.JSONField(default=list, help_text='as in tournaments.core.wishes')),
                ('reason', models.CharField(blank=True, help_text='why an earlier attempt was abandoned for it', max_length=500)),
                ('made_at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('abandoned_at', models.DateTimeField(null=True)),
                ('commitment', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='draw', to='tournaments.commitment')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='tournaments.round')),
            ],
            options={
                'ordering': ['attempt'],
                'constraints': [
                    models.UniqueConstraint(fields=('round', 'attempt'), name='attempt_number_once'),
                    models.UniqueConstraint(condition=models.Q(('abandoned_at', None)), fields=('round',), name='attempt_in_force_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat_number', models.PositiveIntegerField()),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.participant')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.round')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.tournament')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.table')),
            ],
            options={
                'ordering': ['seat_number'],
                'constraints': [
                    models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['IMMEDIATE'], fields=('round', 'participant'), name='seat_once_a_round'),
                    models.UniqueConstraint(fields=('table', 'seat_number'), name='seat_number_once'),
                    models.CheckConstraint(condition=models.Q(('seat_number__gte', 1)), name='seat_number_positive'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SeatChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sequence', models.PositiveIntegerField()),
                ('data', models.JSONField()),
                ('reason', models.CharField(max_length=500)),
                ('at', models.DateTimeField()),
                ('by', models.CharField(max_length=150)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='tournaments.drawattempt')),
            ],
            options={
                'ordering': ['sequence'],
                'constraints': [
                    models.UniqueConstraint(fields=('attempt', 'sequence'), name='change_sequence_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SecurityEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='an EventKind', max_length=20)),
                ('at', models.DateTimeField()),
                ('account', models.CharField(blank=True, max_length=150)),
                ('address', models.CharField(blank=True, max_length=45)),
                ('about', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'indexes': [models.Index(fields=['kind', 'at'], name='security_event_kind_at')],
            },
        ),
        migrations.CreateModel(
            name='SignUp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(blank=True, max_length=80)),
                ('club', models.CharField(blank=True, max_length=80)),
                ('names', models.CharField(blank=True, help_text='as of a participant', max_length=6)),
                ('code_hash', models.CharField(max_length=64, unique=True)),
                ('in_hall', models.BooleanField(default=False, help_text="made with the hall's code")),
                ('made_at', models.DateTimeField()),
                ('placed_at', models.DateTimeField(null=True)),
                ('arrived_at', models.DateTimeField(null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawn_by', models.CharField(blank=True, help_text='of the desk; empty: themselves', max_length=150)),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('origin', models.CharField(blank=True, max_length=32)),
                ('phone', models.CharField(blank=True, max_length=32)),
                ('participant', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sign_up', to='tournaments.participant')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ups', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['number'],
                'indexes': [
                    models.Index(fields=['tournament', 'origin', 'made_at'], name='sign_up_of_sender'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'number'), name='sign_up_number_once'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='sign_up_number_positive'),
                    models.CheckConstraint(condition=models.Q(('names__in', ['', 'full', 'short', 'number'])), name='sign_up_names_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('participant', None), models.Q(('name', ''), _negated=True)), models.Q(('club', ''), ('name', ''), ('participant__isnull', False)), _connector='OR'), name='sign_up_name_kept_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at', None), ('withdrawn_by', '')), models.Q(('participant', None), ('withdrawn_at__isnull', False)), _connector='OR'), name='sign_up_withdrawn_is_no_player'),
                    models.CheckConstraint(condition=models.Q(('confirmed_at', None), ('participant__isnull', False), _connector='OR'), name='sign_up_confirmed_is_player'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SignUpTerms',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sign_up_terms', serialize=False, to='tournaments.tournament')),
                ('is_open', models.BooleanField(default=False)),
                ('closes_at', models.DateTimeField()),
                ('most', models.PositiveIntegerField(null=True)),
                ('only_in_hall', models.BooleanField(default=False)),
                ('without_desk', models.BooleanField(default=False)),
                ('last_number', models.PositiveIntegerField(default=0)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('most', None), ('most__gte', 1), _connector='OR'), name='sign_up_most_positive'),
                ],
            },
        ),
    ]
