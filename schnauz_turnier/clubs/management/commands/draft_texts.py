from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from schnauz_turnier.clubs.texts import write_drafts


class Command(BaseCommand):
    help = (
        "Writes drafts of the operator's texts, in German and English: terms, imprint, privacy, processing contract. Fill in what is in "
        "[[ ]], have them checked, and name the folder in TEXTS_DIR. Overwrites nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        try:
            written = write_drafts(folder, today=timezone.localdate())
        except OSError as error:
            raise CommandError(f"{folder} cannot be written to ({error.strerror}).") from None
        for name, is_new in written.items():
            self.stdout.write(f"{folder / name}{'' if is_new else ' is there already'}")
