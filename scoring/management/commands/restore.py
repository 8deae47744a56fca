from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from scoring.services import restore
from scoring.services.backup import dump_in
from scoring.services.dump_file import Manifest, UnfitDump, fingerprint, read_manifest
from tournaments.commands import DatabaseCommand
from tournaments.core.printable import printable
from tournaments.queries.database_version import migrate_to


class Command(DatabaseCommand):
    help = "Fills a new, empty installation from a backup: accounts, tournaments, sheets, and the phones that write them."
    makes_tables = False  # those of the program that made the backup

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the dump (.zip), or the folder: then its latest one")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            file = dump_in(file)
            manifest = read_manifest(file)
            with restore.all_or_nothing(file):
                migrate_to(restore.migrations_to_make(manifest))
                restore.load(file, manifest)
                call_command("migrate", verbosity=0, interactive=False, without_backup=True)
                if manifest.key and settings.SECRET_KEY_FILE:
                    restore.keep_key(settings.SECRET_KEY_FILE, manifest.key)
        except UnfitDump as unfit:
            raise CommandError(printable(unfit)) from None
        self.stdout.write(printable(f"Restored from {file}, made {manifest.made_at}."))
        self.stdout.write(printable(self._what_became_of_the_links(manifest)))

    def _what_became_of_the_links(self, manifest: Manifest) -> str:
        same_key = fingerprint(settings.SECRET_KEY) == manifest.key_fingerprint
        if same_key or (manifest.key and settings.SECRET_KEY_FILE):
            if urlsplit(
                manifest.public_url
            ).path:  # of a club among others; this computer has no such address
                return (
                    f"The codes on the tables stay good, but lead to {manifest.public_url}. Close the club there with the address "
                    "of this computer, then they lead on to it, or print the codes again. Start the program now."
                )
            return (
                f"The codes on the tables and the phones that are in stay good at {manifest.public_url}: give this "
                "computer that address, or print the codes again. Start the program now; if it runs, start it anew."
            )
        return (
            "The key is another one: print the codes again, and let every table scan its new one. "
            "With the SECRET_KEY of the old installation they would stay good."
        )
