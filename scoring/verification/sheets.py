"""Verification of the recorded sheets: the digest of every entry, the mark, and the fold of the entries into results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scoring.core import sheet as core
from scoring.core.entries import FREE_TEXT, Entry
from scoring.core.marks import first_digest, mark_of, next_digest
from scoring.core.ranking import Score
from scoring.verification.contradiction import Contradiction, refused, should_be
from scoring.verification.reading import RecordedRound, RecordedTable
from tournaments.core.canonical import canonical_moment
from tournaments.core.document_reader import Reader
from tournaments.rulesets.schema import Ruleset

ENTRY_KEYS = ("id", "kind", "data", "by", "made_at", "digest")
_SOME_TEXT = "–"
"""Stands for free text, which is not public. The fold asks for some, and never for which."""
_OF_THE_ORGANISER = frozenset({"accepted", "reopened"})


@dataclass(frozen=True, slots=True)
class VerifiedSheet:
    """An accepted sheet. log: of all its entries."""

    round_number: int
    table: RecordedTable
    log: core.SheetLog

    @property
    def scores(self) -> Iterable[Score]:
        return (
            Score(player, self.round_number, score.points, score.strokes, score.rank, score.counts)
            for player, score in zip(self.table.players, self.log.results, strict=True)
        )

    def ranks_at(self, moment: datetime) -> dict[int, int]:
        """Return the ranks by player that counted at a moment; {} if the sheet was not accepted then."""
        entries = self.log.entries
        steps = [
            number
            for number, entry in enumerate(entries, start=1)
            if entry.kind in _OF_THE_ORGANISER and entry.made_at is not None and entry.made_at <= moment
        ]
        if not steps or entries[steps[-1] - 1].kind != "accepted":
            return {}
        then = core.replay(self.log.ruleset, self.log.seats, entries[: steps[-1]])
        ranked = zip(self.table.players, then.results, strict=True)
        return {player: score.rank for player, score in ranked if score.rank is not None}


def verify_sheets(rounds: Sequence[RecordedRound], rules: Ruleset) -> list[VerifiedSheet]:
    ids: set[str] = set()
    return [
        VerifiedSheet(found.number, table, _log(found, table, rules, ids))
        for found in rounds
        for table in found.tables
        if _is_written(table)
    ]


def _is_written(table: RecordedTable) -> bool:
    """Return whether the sheet is in the record. Only then it has a mark."""
    mark = table.reader.key("mark")
    if any(True for _ in table.reader.key("entries").items()):
        return True
    if not mark.is_null:
        raise should_be(mark, None)
    return False


def _log(found: RecordedRound, table: RecordedTable, rules: Ruleset, ids: set[str]) -> core.SheetLog:
    """Return the log of a sheet. ids: of the entries before, to which those of this sheet are added."""
    digest = first_digest(round_number=found.number, table_number=table.number, start_numbers=table.players)
    items = list(table.reader.key("entries").items())
    entries: list[Entry] = []
    for item in items:
        entry = _entry(item)
        if entry.id in ids:
            raise Contradiction(
                item.key("id").path, "It is the id of an earlier entry. Each should be there once."
            )
        ids.add(entry.id)
        digest = next_digest(digest, entry)
        if item.value["digest"] != digest:
            raise should_be(item.key("digest"), digest)
        entries.append(entry)
    mark = table.reader.key("mark")
    if mark.value != mark_of(digest):
        raise should_be(mark, mark_of(digest))
    try:
        log = core.replay(rules, range(1, len(table.players) + 1), map(_with_text, entries))
    except core.ReplayRefused as error:
        path = items[error.index].path
        raise refused(path, error.refusal, "The ruleset does not allow this entry here.") from None
    if log.phase != "accepted":
        what = "The sheet is not accepted after its last entry. A sheet that does not count should have no entries here."
        raise Contradiction(table.reader.key("entries").path, what)
    return log


def _entry(reader: Reader) -> Entry:
    fields = reader.fields(ENTRY_KEYS)
    data, made_at = fields["data"], fields["made_at"]
    kind = fields["kind"].text(most=20)
    if not isinstance(data.value, dict):
        raise data.error("document_object_expected")
    text = FREE_TEXT.get(kind)
    if text and text in data.value:
        raise Contradiction(data.key(text).path, "Free text should not be in a record.")
    moment = made_at.moment()
    if made_at.value != canonical_moment(moment):
        raise should_be(made_at, canonical_moment(moment))
    is_organiser = fields["by"].choice(("scribe", "organiser")) == "organiser"
    entry_id = fields["id"].identifier()
    if fields["id"].value != entry_id:
        raise should_be(fields["id"], entry_id)
    return Entry(
        id=entry_id,
        kind=kind,
        data=data.value,
        by="organiser" if is_organiser else "scribe",
        made_at=moment,
    )


def _with_text(entry: Entry) -> Entry:
    """Return an entry with some free text where its kind may have any."""
    text = FREE_TEXT.get(entry.kind)
    return replace(entry, data={**entry.data, text: _SOME_TEXT}) if text else entry
