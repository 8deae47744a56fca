"""Arguments and error handling shared by the management commands."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError

from scoring.text.refusals import message
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament

BY = "manage.py"
"""The name recorded as the actor of a management command."""


def add_slug(parser: ArgumentParser) -> None:
    parser.add_argument("slug", help="the tournament, as in its web address /t/SLUG/")


def tournament_of(slug: str) -> Tournament:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise CommandError(f"There is no tournament {slug!r}.")
    return tournament


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Convert a Refusal to a CommandError, which prints its sentence and exits with status 1."""
    try:
        yield
    except Refusal as refusal:
        raise CommandError(message(refusal)) from None


def read_document(file: str) -> str:
    """Return the text of a file, "-" for standard input. Raises CommandError if it cannot be read."""
    try:
        return Path("/dev/stdin" if file == "-" else file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: {error}") from None
