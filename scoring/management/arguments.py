"""Arguments and error handling shared by the management commands."""

import sys
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import CommandError

from scoring.text.refusals import message
from tournaments.commands import DatabaseCommand
from tournaments.core.document_reader import DocumentError
from tournaments.core.printable import printable
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament

BY = "manage.py"
"""The name recorded as the actor of a management command."""


class TournamentCommand(DatabaseCommand, ABC):
    """A command on one tournament, which its first argument names. A refusal is an error of the command."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the tournament, as in its web address /t/SLUG/")

    def handle(self, *_args: Any, slug: str, **options: Any) -> None:
        with refusals_as_errors():
            self.run(tournament_of(slug), **options)

    @abstractmethod
    def run(self, tournament: Tournament, **options: Any) -> None: ...


def tournament_of(slug: str) -> Tournament:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise CommandError(f"There is no tournament {slug!r}.")
    return tournament


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Convert a Refusal or DocumentError to a CommandError with its sentence, exit status 1."""
    try:
        yield
    except DocumentError as error:
        raise CommandError(printable(f"{error.path}: {message(error.refusal)}")) from None
    except Refusal as refusal:
        raise CommandError(printable(message(refusal))) from None


def read_document(file: str) -> str:
    """Return the text of a file, "-" for standard input. Raises CommandError if it is too large or cannot be read."""
    most = settings.DOCUMENT_CHARACTERS
    try:
        with _opened(file) as document:
            text = document.read(most + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(printable(f"{file}: {error}")) from None
    if len(text) > most:
        raise CommandError(f"{file} has more than {most} characters. No document is that large.")
    return text


def _opened(file: str) -> IO[str]:
    if file == "-":
        return open(sys.stdin.fileno(), encoding="utf-8-sig", closefd=False)
    return Path(file).open(encoding="utf-8-sig")
