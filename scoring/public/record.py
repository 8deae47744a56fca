"""The public record of a tournament: all that a checker needs, in one document. docs/protocol.md describes it.

It holds the data behind the public standings, and no later entries of a sheet. Rounds that are not released, free text,
initials, accounts and private wishes are left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from scoring.core.marks import mark_of
from scoring.models import Decision, Publication, RoundMark, SheetEntry
from scoring.public.data import leaderboard_document
from scoring.queries.marks import unbroken_marks
from scoring.queries.standings import Leaderboard, freeze_in_force, released_entries, visible_standings
from tournaments.core.moments import iso_moment
from tournaments.core.names import public_name
from tournaments.documents.commitments import public_commitments
from tournaments.documents.rounds import public_round_document
from tournaments.models import Tournament
from tournaments.queries.one_moment import one_moment
from tournaments.queries.seating import RoundRow, rounds_with_seating

RECORD_SCHEMA = "schnauz-record/1"
_ACCEPTED = "accepted"


_Logs = Mapping[int, Sequence[Any]]
"""Rows of the log (`_WRITTEN`) by the id of their table."""
_WRITTEN = ("sheet__table_id", "sequence", "entry_id", "kind", "data", "by", "made_at", "digest")


def record_of(slug: str) -> tuple[dict[str, Any], Tournament]:
    """Return the record and its tournament. As many queries for every size. Raises Tournament.DoesNotExist."""
    with one_moment():
        leaderboard = visible_standings(slug)
        tournament = leaderboard.tournament
        freeze = freeze_in_force(tournament)
        rounds = [row for row in rounds_with_seating(tournament) if not row.is_draft]
        logs = _logs(tournament)
        people = _people(leaderboard, rounds)
        commitments = _commitments(tournament, freeze)
        decisions = _decisions(tournament, freeze)
        marks = [_mark(mark) for mark in unbroken_marks(tournament)]
    if freeze is not None:
        logs = _until(freeze, rounds, logs)
    record = {
        "schema": RECORD_SCHEMA,
        "tournament": _tournament(tournament, freeze),
        "participants": people,
        "rounds": [_round(row, logs) for row in rounds],
        "commitments": commitments,
        "decisions": decisions,
        "marks": marks,
        "standings": leaderboard_document(leaderboard),
    }
    return record, tournament


def _tournament(tournament: Tournament, freeze: Publication | None) -> dict[str, Any]:
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "date": tournament.played_on.isoformat(),
        "ended_at": iso_moment(tournament.ended_at),
        "frozen_at": iso_moment(freeze.at) if freeze else None,
        "ruleset": tournament.rules.to_dict(),
    }


def _people(leaderboard: Leaderboard, rounds: Iterable[RoundRow]) -> list[dict[str, Any]]:
    """Return all who are in the standings or have a seat in a released round, as the web names them."""
    tournament = leaderboard.tournament
    listed = {row.start_number for row in leaderboard.rows}
    listed |= {seat.start_number for row in rounds for seat in row.seats}
    people = tournament.participants.filter(start_number__in=listed).order_by("start_number")
    columns = ("start_number", "name", "names", "withdrawn_at", "excluded_at")
    return [
        {
            "start_number": number,
            "name": public_name(name, number, names or tournament.names),
            "withdrawn_at": iso_moment(withdrawn_at),
            "excluded_at": iso_moment(excluded_at),
        }
        for number, name, names, withdrawn_at, excluded_at in people.values_list(*columns)
    ]


def _round(row: RoundRow, logs: _Logs) -> dict[str, Any]:
    document = public_round_document(row)
    for table, table_document in zip(row.tables, document["tables"], strict=True):
        table_document.update(_sheet(logs.get(table.id, ())))
    return document


def _sheet(log: Sequence[Any]) -> dict[str, Any]:
    """Return the entries of a sheet and its mark. Nothing of a sheet that is not accepted: acceptance is its last entry."""
    if not log or log[-1].kind != _ACCEPTED:
        return {"mark": None, "entries": []}
    return {"mark": mark_of(log[-1].digest), "entries": [_entry(written) for written in log]}


def _entry(written: Any) -> dict[str, Any]:
    return {
        "id": str(written.entry_id),
        "kind": written.kind,
        "data": written.data,
        "by": written.by,
        "made_at": iso_moment(written.made_at),
        "digest": written.digest,
    }


def _logs(tournament: Tournament) -> _Logs:
    entries = SheetEntry.objects.filter(tournament=tournament).order_by("sheet__table_id", "sequence")
    rows = entries.values_list(*_WRITTEN, named=True)
    return {table_id: list(log) for table_id, log in groupby(rows, key=lambda row: row.sheet__table_id)}


def _until(freeze: Publication, rounds: Iterable[RoundRow], logs: _Logs) -> _Logs:
    """Return the logs as they were at the freeze."""
    last = released_entries(freeze)
    return {
        table.id: [
            entry
            for entry in logs.get(table.id, ())
            if entry.sequence <= last.get((row.number, table.number), 0)
        ]
        for row in rounds
        for table in row.tables
    }


def _commitments(tournament: Tournament, freeze: Publication | None) -> list[dict[str, Any]]:
    """Return the commitments. While the standings are frozen, those of later lots do not tell who is equal."""
    rows = list(tournament.commitments.order_by("number"))
    documents = public_commitments(rows)
    for row, document in zip(rows, documents, strict=True):
        is_counted = freeze is None or (row.made_at <= freeze.at and (freeze.results or {})["decisions"])
        if row.round_number is None and not is_counted:
            document.update(secret=None, value=None)
    return documents


def _mark(mark: RoundMark) -> dict[str, Any]:
    return {**mark.value, "tables": mark.tables, "digest": mark.digest, "made_at": iso_moment(mark.made_at)}


def _decisions(tournament: Tournament, freeze: Publication | None) -> list[dict[str, Any]]:
    """Return the decisions, revoked ones as well; while the standings are frozen, only those that they count."""
    decisions = list(tournament.decisions.select_related("commitment").order_by("id"))
    if freeze is None:
        return [_decision(decision, revoked_at=decision.revoked_at) for decision in decisions]
    return [
        _decision(decision, revoked_at=None)
        for decision in _counted(decisions, (freeze.results or {})["decisions"])
    ]


def _counted(decisions: Iterable[Decision], orders: Sequence[list[int]]) -> Iterator[Decision]:
    """Yield the decisions that gave these orders, both as they were recorded."""
    waiting = list(orders)
    for decision in decisions:
        if waiting and decision.order == waiting[0]:
            del waiting[0]
            yield decision


def _decision(decision: Decision, *, revoked_at: datetime | None) -> dict[str, Any]:
    return {
        "kind": decision.kind,
        "order": decision.order,
        "seed": decision.seed or None,
        "commitment": decision.commitment.number if decision.commitment else None,
        "at": iso_moment(decision.at),
        "revoked_at": iso_moment(revoked_at),
    }
