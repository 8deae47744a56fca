from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from schnauz_turnier.clubs.changes import rename_club
from schnauz_turnier.clubs.listing import set_listed
from schnauz_turnier.clubs.management.arguments import with_a_catalogue


class Command(BaseCommand):
    help = "Lists a club on the start page of the installation. With --unlisted nobody finds it there; its address answers all the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--unlisted", action="store_true", help="leave it out")
        parser.add_argument("--name", help="its name there from now on")

    def handle(self, *args: Any, slug: str, unlisted: bool, name: str | None, **options: Any) -> None:
        with with_a_catalogue():
            if name is not None:
                rename_club(slug, name)
            set_listed(slug, is_listed=not unlisted)
        self.stdout.write(f"{slug} is {'unlisted' if unlisted else 'listed'}")
