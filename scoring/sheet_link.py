from dataclasses import dataclass, field

import segno
from django.conf import settings

from tournaments import links
from tournaments.models import Table
from tournaments.queries.seating import TableRow


@dataclass(frozen=True, slots=True)
class Link:
    """The link on a table's code: its address, and the code as a picture that needs no request."""

    url: str
    picture: str = field(repr=False)


def link_of(table: TableRow | Table) -> Link:
    url = f"{settings.PUBLIC_URL}/s/#{links.sheet_secret(table.id, table.link_version)}"
    return Link(url, segno.make(url, error="m").svg_data_uri(scale=5, border=3))
