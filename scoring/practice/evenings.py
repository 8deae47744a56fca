"""Import of the practice evenings with their moments shifted to today: one in play, three over, one to come.

A file holds the document of an evening, as `export_tournament` writes it, without slug, digests and marks. now: its creation.
days: from today to the evening, null for the one in play. sign_ups: names and clubs, since documents have none.
"""

import json
import re
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.documents import import_tournament
from scoring.services import flags
from scoring.services.marks import mark_round
from scoring.services.sheets import take_pen
from tournaments.core.moments import iso_moment
from tournaments.links import new_sign_up_code
from tournaments.models import Round, Table, Tournament
from tournaments.services import sign_ups

BY = "Übung"
IN_PLAY = "schnauz-placing"
AROUND_IT = ("schafkopf", "knockout", "fce", "konradsreuth")
MOST_PLAYERS = 24
_BEGIN = time(19, 0)
_SINCE_A_TAP = timedelta(minutes=15)
_MOMENT = re.compile(r'(?<=")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")')


def create_practice_tournament(
    *, slug: str, owner: User | None, at: datetime, with_prizes: bool = False
) -> Tournament:
    """Create a practice tournament: 47 sample players, the first round closed, the second in play. at: now.

    Raises DocumentError if the slug is taken.
    """
    return _create(IN_PLAY, slug=slug, owner=owner, at=at, with_prizes=with_prizes)


def create_practice_evenings(*, slug: str, owner: User | None, at: datetime) -> list[Tournament]:
    """Create the evenings around a practice tournament that do not exist yet: all or none.

    The slug of each is `slug` followed by the name of its rule sheet. at: now.
    """
    slugs = {f"{slug}-{name}": name for name in AROUND_IT}
    with transaction.atomic():
        existing = set(Tournament.objects.filter(slug__in=slugs).values_list("slug", flat=True))
        return [
            _create(name, slug=evening_slug, owner=owner, at=at, with_prizes=True)
            for evening_slug, name in slugs.items()
            if evening_slug not in existing
        ]


@transaction.atomic
def _create(name: str, *, slug: str, owner: User | None, at: datetime, with_prizes: bool) -> Tournament:
    sample = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    document = json.loads(_shifted(json.dumps(sample["document"]), _shift(sample, at)))
    head = document["tournament"]
    began = head.get("starts_at", iso_moment(at))
    head |= {"slug": slug, "date": timezone.localdate(datetime.fromisoformat(began)).isoformat()}
    if not with_prizes:
        head["prize_plan"] = None
    tournament = import_tournament(json.dumps(document), at=at, owner=owner)
    tournament.imported_at = None
    tournament.save(update_fields=["imported_at"])
    _complete(tournament, at)
    _sign_up(tournament, sample["sign_ups"], at)
    return tournament


def _shift(sample: dict[str, Any], at: datetime) -> timedelta:
    """Return the shift of an evening's moments, so that it is in play now, or begins at its hour."""
    if sample["days"] is None:
        return at - datetime.fromisoformat(sample["now"])
    day = timezone.localdate(at) + timedelta(days=sample["days"])
    begin = timezone.make_aware(datetime.combine(day, _BEGIN))
    return begin - datetime.fromisoformat(sample["document"]["tournament"]["starts_at"])


def _shifted(text: str, by: timedelta) -> str:
    return _MOMENT.sub(lambda match: iso_moment(datetime.fromisoformat(match[0]) + by) or "", text)


def _complete(tournament: Tournament, at: datetime) -> None:
    """Add what the document omits: marks, pens of phones at the tables in play, and a closed flag on a finished evening."""
    for closed in tournament.rounds.filter(state=Round.State.CLOSED).order_by("number"):
        assert closed.closed_at is not None
        mark_round(closed, at=closed.closed_at)
    in_play = Table.objects.filter(round__tournament=tournament, round__state=Round.State.RELEASED)
    for table in in_play.filter(sheet__entries__isnull=False).distinct():
        take_pen(table, device=f"{table.pk:032x}", at=at - _SINCE_A_TAP)
    if tournament.rounds.exists() and not in_play.exists():
        _ask_and_answer(tournament)


def _ask_and_answer(tournament: Tournament) -> None:
    """Raise a flag, and close it."""
    at = tournament.rounds.get(number=1).closed_at
    assert at is not None
    raised = flags.raise_flag(
        tournament, 1, 1, note="Ist das Blatt schon geprüft?", name="", address=BY, browser="", at=at
    )
    flags.close_flag(tournament, raised.pk, word="Ja, mit dem Tisch nachgezählt: stimmt.", by=BY, at=at)


def _sign_up(tournament: Tournament, people: list[dict[str, str]], at: datetime) -> None:
    """Open the sign-ups of an evening to come, and sign up more players than there are places."""
    if not people or tournament.starts_at is None:
        return
    sign_ups.set_terms(
        tournament,
        is_open=True,
        closes_at=tournament.starts_at - timedelta(hours=6),
        most=MOST_PLAYERS,
        only_in_hall=False,
        without_desk=False,
        at=at - timedelta(days=3),
    )
    for number, person in enumerate(people, start=1):
        sign_ups.sign_up(
            tournament,
            **person,
            names="",
            code=new_sign_up_code(),
            in_hall=False,
            sender=sign_ups.Sender(address=f"{BY} {number}", browser=""),
            at=at - timedelta(hours=40 - number),
        )
