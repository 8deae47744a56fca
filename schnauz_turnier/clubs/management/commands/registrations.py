from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from schnauz_turnier.clubs.registration import waiting_registrations
from tournaments.core.printable import printable


class Command(BaseCommand):
    help = "Lists the clubs that have registered and wait: for their link to be opened, or for the operator."

    def handle(self, *args: Any, **options: Any) -> None:
        with with_a_catalogue():
            waiting = waiting_registrations(at=timezone.now())
        for registration in waiting:
            state = "has its link" if registration.has_link else "waits for confirm_registration"
            self.stdout.write(
                printable(
                    f"{registration.slug}  {registration.registered_at:%Y-%m-%d}  {state}  {registration.name}  {registration.email}  {registration.agreed_by}"
                )
            )
