"""Agreements of clubs to versions of the operator's texts, in the catalogue. A club agrees to each once; none is changed later.

The text of a version is kept from the first agreement to it on: later versions replace its file.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from datetime import date, datetime

from django.db import transaction

from schnauz_turnier.clubs.catalogue import rows_of_catalogue, write_catalogue
from tournaments.current_club import in_club

_AGREE = """
INSERT INTO catalogue.agreement (slug, kind, version, dated_on, language, sha256, agreed_by, agreed_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class AgreedText:
    """A text that a club agrees to. sha256: of the text as it was shown."""

    kind: str
    version: str
    dated_on: date
    language: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """A text to which a club has agreed. agreed_by: the name of the person who agreed for it. See `AgreedText`."""

    kind: str
    version: str
    dated_on: date
    sha256: str
    agreed_by: str
    agreed_at: datetime


def agreements(slug: str) -> list[Agreement]:
    """Return what a club has agreed to, latest first."""
    rows = rows_of_catalogue(
        "SELECT kind, version, dated_on, sha256, agreed_by, agreed_at FROM catalogue.agreement "
        "WHERE slug = %s ORDER BY agreed_at DESC, kind DESC",
        slug,
    )
    return [Agreement(*row) for row in rows]


def agree(slug: str, texts: Iterable[AgreedText], *, agreed_by: str, at: datetime) -> bool:
    """Note to what a club agrees, and return whether any was new. A version to which it has agreed before stays as it was noted."""
    with in_club(None), transaction.atomic():
        are_new = [write_catalogue(_AGREE, slug, *astuple(text), agreed_by, at) for text in texts]
    return any(are_new)


def keep_source(sha256: str, source: str) -> None:
    """Keep the text of a version, by its digest."""
    write_catalogue(
        "INSERT INTO catalogue.agreed_source (sha256, source) VALUES (%s, %s) ON CONFLICT DO NOTHING",
        *(sha256, source),
    )


def kept_source(sha256: str) -> str | None:
    """Return the text with this digest; None if it was not kept, as those of older programs were not."""
    rows = rows_of_catalogue("SELECT source FROM catalogue.agreed_source WHERE sha256 = %s", sha256)
    return str(rows[0][0]) if rows else None
