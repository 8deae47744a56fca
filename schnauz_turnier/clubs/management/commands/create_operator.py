from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from schnauz_turnier.clubs.changes import create_operator
from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from tournaments.current_club import in_club, public_address
from tournaments.services.accounts import setup_code


class Command(BaseCommand):
    help = "Makes the operator's pages, which show all clubs. Prints their address, and the link for the operator's first account."

    def handle(self, *args: Any, **options: Any) -> None:
        with with_a_catalogue():
            entry = create_operator(at=timezone.now())
        with in_club(entry.club):
            self.stdout.write(f"{public_address()}/operator/")
            if code := setup_code():
                self.stdout.write(f"{public_address()}/account/setup/#{code}")
