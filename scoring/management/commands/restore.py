from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from scoring.services import dump
from scoring.services.backup import dump_in
from scoring.services.dump import Manifest, UnfitDump
from tournaments.commands import DatabaseCommand


class Command(DatabaseCommand):
    help = "Fills a new, empty installation from a backup: accounts, tournaments, sheets, and the phones that write them."
    makes_tables = False  # those of the program that made the backup

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the dump (.zip), or the folder: then its latest one")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            file = dump_in(file)
            manifest = dump.read_manifest(file)
            MigrationExecutor(connection).migrate(dump.migrations_to_make(manifest))
            dump.load(file, manifest, key_file=settings.SECRET_KEY_FILE)
        except UnfitDump as unfit:
            raise CommandError(str(unfit)) from None
        call_command("migrate", verbosity=0, interactive=False, without_backup=True)
        self.stdout.write(f"Restored from {file}, made {manifest.made_at}.")
        self.stdout.write(self._what_became_of_the_links(manifest))

    def _what_became_of_the_links(self, manifest: Manifest) -> str:
        same_key = dump.fingerprint(settings.SECRET_KEY) == manifest.key_fingerprint
        if same_key or (manifest.key and settings.SECRET_KEY_FILE):
            return (
                f"The codes on the tables and the phones that are in stay good at {manifest.public_url}: give this "
                "computer that address, or print the codes again. Start the program now; if it runs, start it anew."
            )
        return (
            "The key is another one: print the codes again, and let every table scan its new one. "
            "With the SECRET_KEY of the old installation they would stay good."
        )
