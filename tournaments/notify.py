"""Tells every process that something changed: a NOTIFY that Postgres delivers when the transaction commits."""

import json
from functools import partial
from typing import Literal

from django.db import connection, transaction

from tournaments.page_cache import page_cache

CHANNEL = "schnauz_turnier"

Topic = Literal["people", "screens", "seating", "sheet", "standings", "tournament"]


def notify(slug: str, topic: Topic) -> None:
    """To be called inside the transaction that changed something in tournament `slug`.

    people: who is registered, present, named how. screens: what the organiser sends to them. seating: draws, swaps, releases, closed rounds. sheet: progress
    or result of a table. standings: what the public may see. tournament: its name, date, rules.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps({"slug": slug, "topic": topic})])
    transaction.on_commit(partial(page_cache.invalidate, slug, topic))
