from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from schnauz_turnier.clubs.changes import create_club, setup_link
from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from scoring.services.backup import dump_in
from scoring.services.dump_file import read_manifest


class Command(BaseCommand):
    help = "Makes a club: a schema of its own, empty or from a backup. Prints its address, and the link for its first account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="its part of the web address: a-z, 0-9 and single hyphens")
        parser.add_argument("--name", help="its name for the page of all clubs; without: the slug")
        parser.add_argument(
            "--from", dest="backup", type=Path, metavar="FILE|FOLDER", help="a backup of a laptop or a club"
        )
        parser.add_argument("--unlisted", action="store_true", help="leave it out of the page of all clubs")

    def handle(
        self,
        *args: Any,
        slug: str,
        name: str | None,
        backup: Path | None,
        unlisted: bool,
        **options: Any,
    ) -> None:
        with with_a_catalogue():
            dump = dump_in(backup) if backup else None
            entry = create_club(slug, name or slug, backup=dump, at=timezone.now(), is_listed=not unlisted)
        self.stdout.write(entry.address)
        if dump and read_manifest(dump).key and not entry.own_key:
            self.stdout.write(
                "A club here has the key of this backup, so this one got its own: print the codes of the tables anew."
            )
        if link := setup_link(entry):
            self.stdout.write(link)
