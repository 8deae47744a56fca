"""Backups with the documents of the club and its tournaments, read in the same snapshot as the dump."""

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from scoring.documents import dump, export_tournament
from scoring.documents.club import export_club, holds_club
from scoring.services.backup import back_up
from tournaments.models import Tournament
from tournaments.queries.club import CLUB


def back_up_with_documents(folder: Path, slugs: Collection[str], *, at: datetime) -> Path | None:
    """Make a backup; see `scoring.services.backup.back_up`."""
    return back_up(folder, slugs, _document, at=at)


def _document(slug: str) -> str | None:
    if slug == CLUB:
        return dump(export_club()) if holds_club() else None
    tournament = Tournament.objects.filter(slug=slug).first()
    return dump(export_tournament(tournament)) if tournament else None
