"""Backups with the documents of the tournaments, read in the same snapshot as the dump."""

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from scoring.documents import dump, export_tournament
from scoring.services.backup import back_up
from tournaments.models import Tournament


def back_up_with_documents(folder: Path, slugs: Collection[str], *, at: datetime) -> Path | None:
    """Make a backup; see `scoring.services.backup.back_up`."""
    return back_up(folder, slugs, _document, at=at)


def _document(slug: str) -> str | None:
    tournament = Tournament.objects.filter(slug=slug).first()
    return dump(export_tournament(tournament)) if tournament else None
