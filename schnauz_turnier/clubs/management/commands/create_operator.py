from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from schnauz_turnier.clubs.changes import create_operator, setup_link
from schnauz_turnier.clubs.management.arguments import with_a_catalogue


class Command(BaseCommand):
    help = "Makes the operator's pages, which show all clubs. Prints their address, and the link for the operator's first account."

    def handle(self, *args: Any, **options: Any) -> None:
        with with_a_catalogue():
            entry = create_operator(at=timezone.now())
        self.stdout.write(f"{entry.address}operator/")
        self.stdout.write(setup_link(entry))
