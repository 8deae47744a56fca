"""Publishing of changes to all processes: a NOTIFY that PostgreSQL delivers when the transaction commits."""

import json
import secrets
import threading
from collections.abc import Sequence
from functools import partial
from typing import Literal

from django.db import connection, transaction

from tournaments.current_club import everywhere
from tournaments.page_cache import page_cache

CHANNEL = "schnauz_turnier"

changes_are_heard = threading.Event()
"""Set while the LISTEN connection of this process is open."""

Topic = Literal["flags", "pairings", "people", "screens", "seating", "sheet", "standings", "tournament"]


def notify(slug: str, topic: Topic, *, keeps: Sequence[str] = ()) -> None:
    """Publish a change of tournament `slug`. Must be called inside the transaction that makes the change.

    Topics: flags (what becomes of a report from the hall; no public page shows it), pairings (browsers that may show the
    screens), people (registration, presence, names), screens (scenes of the screens), seating (draws, swaps, releases, closed rounds), sheet (progress or result of a table), standings
    (publication, decisions), tournament (name, date, rules).

    keeps: the groups of entries in the page cache that the change leaves as they are.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", notification(slug, topic, keeps=keeps))


def notification(slug: str, topic: Topic, *, keeps: Sequence[str] = ()) -> tuple[str, str]:
    """Return the arguments of pg_notify, for a statement that publishes the change itself, in the transaction that makes it.

    On commit, the page cache of this process is invalidated, before its request is answered.
    """
    name = everywhere(slug)
    change_id = secrets.token_hex(4)
    change = {"slug": name, "topic": topic, "id": change_id, **({"keeps": keeps} if keeps else {})}
    transaction.on_commit(partial(page_cache.invalidate, name, topic, keeps, change_id))
    return CHANNEL, json.dumps(change)
