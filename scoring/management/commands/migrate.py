from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connection
from django.utils import timezone

from scoring.services import upgrade
from scoring.services.evenings import fill_in_evenings
from scoring.services.projection import fill_in_counts
from tournaments.commands import refuse_another_version, refuse_without_database
from tournaments.queries.database_version import applied_migrations
from tournaments.text.database_versions import about_database

ONLY_LOOKS = ("plan", "check_unapplied")


class Command(migrate.Command):
    help = "Brings the database up to date with this program: as a whole or not at all, after a backup where it holds data."
    requires_system_checks: list[str] = []  # as for every `DatabaseCommand`

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--without-backup", action="store_true", help="make no backup first")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["database"] != DEFAULT_DB_ALIAS or any(options[name] for name in ONLY_LOOKS):
            super().handle(*args, **options)
            return
        refuse_without_database()
        refuse_another_version(applied_migrations())
        to_the_latest = not options["app_label"]
        if not options["without_backup"] and (upgrade.is_behind() or not to_the_latest):
            self._back_up()
        with upgrade.as_a_whole():
            super().handle(*args, **options)
            if to_the_latest:
                self._refuse_other_tables()
                fill_in_counts()
                fill_in_evenings()

    def migration_progress_callback(self, action: str, migration: Any = None, fake: bool = False) -> None:  # noqa: FBT001, FBT002 (Django's)
        super().migration_progress_callback(action, migration, fake)
        if action in ("apply_success", "unapply_success") and connection.in_atomic_block:
            upgrade.between_migrations()

    def _back_up(self) -> None:
        try:
            made = upgrade.back_up_before_upgrade(at=timezone.now())
        except upgrade.NoBackup as failed:
            raise CommandError(about_database("no_backup", folder=failed.folder, reason=failed)) from failed
        if made is not None:
            self.stdout.write(about_database("backed_up", file=made))

    def _refuse_other_tables(self) -> None:
        try:
            upgrade.refuse_other_tables()
        except upgrade.OtherTables as different:
            raise CommandError(about_database("other_tables", column=different)) from None
