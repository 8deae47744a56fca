"""The link on a table's QR code."""

from dataclasses import dataclass, field
from typing import Protocol

import segno
from django.urls import reverse

from tournaments import links
from tournaments.current_club import origin


@dataclass(frozen=True, slots=True)
class Link:
    """The link on a table's code: its address, and the code as a data URI that needs no request."""

    url: str
    picture: str = field(repr=False)


class Linked(Protocol):
    """A table, as a model instance or a row of a query."""

    @property
    def id(self) -> int: ...

    @property
    def link_version(self) -> int: ...


def link_of(table: Linked) -> Link:
    """Return the current link of a table; raising `link_version` revokes it."""
    url = f"{origin()}{reverse('phone:page')}#{links.sheet_secret(table.id, table.link_version)}"
    return Link(url, segno.make(url, error="m").svg_data_uri(scale=5, border=3))
