from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from scoring.backups import back_up_with_documents
from scoring.management.arguments import tournament_of
from scoring.services.backup import latest, make_folder
from tournaments.commands import DatabaseCommand
from tournaments.models import Tournament


class Command(DatabaseCommand):
    help = "Makes a backup now: the whole database, and beside it the document of a tournament, or of each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="the tournament whose document is written; without: all")
        parser.add_argument("--to", type=Path, metavar="FOLDER", help="where to; without: BACKUP_DIR")

    def handle(self, *args: Any, slug: str | None, to: Path | None, **options: Any) -> None:
        folder = to or settings.BACKUP_DIR
        if folder is None:
            raise CommandError("Say where to: set BACKUP_DIR, or give --to FOLDER.")
        make_folder(folder)
        slugs = (
            [tournament_of(slug).slug] if slug else list(Tournament.objects.values_list("slug", flat=True))
        )
        try:
            made = back_up_with_documents(folder, slugs, at=timezone.now())
        except OSError as error:
            raise CommandError(f"{error.filename or folder}: {error.strerror or error}") from None
        self.stdout.write(str(made) if made else f"nothing new since {latest(folder)}")
