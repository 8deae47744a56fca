from typing import Any

from scoring.documents import dump
from scoring.documents.club import export_club
from tournaments.commands import DatabaseCommand


class Command(DatabaseCommand):
    help = "Prints the people, series and honours of the club as one JSON document. It names everybody: for organisers of the club only."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(dump(export_club()), ending="")
