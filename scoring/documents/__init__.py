"""Lossless export and import of a whole tournament as one document.

The document omits data of this installation only: accounts, memberships, invitations, link versions, pens and
the holders of their epochs, phones, the time of import, and publication (the freeze, the last public day, the
place on the start page; an imported tournament is published). It also omits derived data: results and states of sheets.
"""

import json
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from scoring.core.prize_plan import read_plan
from scoring.documents.marks import mark_documents, read_marks
from scoring.documents.prizes import (
    decision_documents,
    handout_documents,
    store_decisions,
    store_handouts,
)
from scoring.documents.sheets import documents_of_rounds, store_round
from scoring.models import RoundMark
from scoring.services.evenings import project_evening
from tournaments.documents.commitments import commitment_documents, link_draws, read_commitments
from tournaments.documents.money import cash_documents, check_fees, desk_documents, store_desks
from tournaments.documents.people import (
    check_ending,
    participant_documents,
    read_participants,
    read_tournament,
    tournament_document,
)
from tournaments.documents.rounds import read_rounds
from tournaments.documents.schema import SCHEMA, read_document
from tournaments.models import Commitment, Membership, Participant, Payment, PersonChange, Tournament
from tournaments.notify import notify
from tournaments.services.quotas import check_people, check_tournaments


def export_tournament(tournament: Tournament) -> dict[str, Any]:
    """Return the document of a tournament. It contains the seeds of unreleased draws, so it is for organisers only."""
    return {
        "schema": SCHEMA,
        "tournament": tournament_document(tournament),
        "participants": participant_documents(tournament),
        "desks": desk_documents(tournament),
        "cash": cash_documents(tournament),
        "rounds": documents_of_rounds(tournament),
        "commitments": commitment_documents(tournament),
        "decisions": decision_documents(tournament),
        "prizes_given": handout_documents(tournament),
        "marks": mark_documents(tournament),
    }


def dump(document: dict[str, Any]) -> str:
    """Return the document as text. The same document always gives the same bytes."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def import_tournament(text: str, *, at: datetime, slug: str = "", owner: User | None = None) -> Tournament:
    """Store the tournament of a document, all or nothing. Every entry is replayed and checked as when it was written.

    slug: the web address instead of the document's, if given. owner: becomes the first organiser.
    Raises DocumentError with the JSON path of the first error, and refuses what `check_tournaments` and `check_people` refuse.
    """
    document = read_document(text)
    head = document["tournament"]
    if slug and isinstance(head.value, dict):
        head.value["slug"] = slug
    tournament = read_tournament(head, at=at)
    if tournament.prize_plan is not None:
        tournament.prize_plan = read_plan(head.key("prize_plan")).to_dict()
    with transaction.atomic():
        check_tournaments()
        try:
            with transaction.atomic():
                tournament.save()
        except IntegrityError:
            raise head.key("slug").error("slug_taken", slug=tournament.slug) from None
        if owner is not None:
            Membership.objects.create(tournament=tournament, user=owner, role=Membership.Role.ORGANISER)
        notify(tournament.slug, "tournament")
        people, payments, changes = read_participants(document["participants"], tournament, at=at)
        check_people(tournament, len(people), at=at)
        Participant.objects.bulk_create(people.values())
        check_fees(document["participants"], payments)
        Payment.objects.bulk_create(payments)
        store_desks(document, tournament, payments, at=at)
        PersonChange.objects.bulk_create(changes)
        commitments = read_commitments(document, tournament, at=at)
        Commitment.objects.bulk_create(commitments.values())
        rounds = read_rounds(document["rounds"], tournament, people, at=at)
        link_draws(rounds, commitments)
        check_ending(head, tournament, {row.round.number: row.round.state for row in rounds})
        ids: set[str] = set()
        for row in rounds:
            store_round(row, ids, at=at)
        store_decisions(document, tournament, people, commitments, at=at)
        store_handouts(document, tournament, people, at=at)
        RoundMark.objects.bulk_create(read_marks(document.reader, tournament, at=at))
        project_evening(tournament)
    return tournament
