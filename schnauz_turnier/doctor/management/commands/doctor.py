import sys
from typing import Any

from django.core.management.base import BaseCommand

from schnauz_turnier.doctor.report import main


class Command(BaseCommand):
    help = "Says in words what is wrong with this installation and what to do; exit status 1 if anything is wrong."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(main())
