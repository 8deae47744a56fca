"""Verification of a public record, from the record alone. docs/protocol.md says what follows from what.

The draws and lots are made again, each digest and mark is computed, each sheet is folded from its entries, and the
standings that follow are compared with those shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from scoring.verification.commitments import verify_commitments
from scoring.verification.contradiction import Contradiction, place_in_words, refused, should_be
from scoring.verification.draws import verify_draws
from scoring.verification.marks import verify_marks
from scoring.verification.reading import RecordedRound, read_people, read_rounds, text_of
from scoring.verification.results import verify_decisions, verify_standings, verify_who_goes_on
from scoring.verification.sheets import verify_sheets
from tournaments.core.document_reader import DocumentError, Reader, parse
from tournaments.rulesets.reading import RulesetError
from tournaments.rulesets.schema import Ruleset

RECORD_SCHEMA = "schnauz-record/1"
RECORD_KEYS = (
    *("schema", "tournament", "participants", "rounds", "commitments", "decisions", "marks"),
    "standings",
)


@dataclass(frozen=True, slots=True)
class VerifiedRecord:
    """The numbers of what was computed again: everything in a record but the draws in `unchecked`, in words."""

    draws: int
    lots: int
    sheets: int
    entries: int
    commitments: int
    marks: int
    unchecked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Evening:
    """The tournament of a record."""

    slug: str
    rules: Ruleset
    ended_at: datetime | None
    frozen_at: datetime | None


def verify_record(text: str) -> VerifiedRecord:
    """Compute all that follows from a record again. Raises Contradiction for the first thing that is not right."""
    record = None
    try:
        reader = parse(text)
        record = reader.value
        return _verified(reader)
    except DocumentError as error:
        found = refused(error.path, error.refusal)
    except Contradiction as contradiction:
        found = contradiction
    found.place = place_in_words(found.path, record)
    raise found


def _verified(reader: Reader) -> VerifiedRecord:
    fields = reader.fields(RECORD_KEYS)
    if fields["schema"].value != RECORD_SCHEMA:
        raise should_be(fields["schema"], RECORD_SCHEMA)
    evening = _evening(fields["tournament"])
    rules = evening.rules
    people = read_people(fields["participants"])
    rounds = read_rounds(fields["rounds"], people)
    if len(rounds) > rules.most_rounds:
        raise fields["rounds"].error("all_rounds_drawn", rounds=rules.most_rounds)
    draws, unchecked = verify_draws(rounds, rules)
    sheets = verify_sheets(rounds, rules)
    if rules.qualifying is not None:
        verify_who_goes_on(rounds, sheets, rules.qualifying, evening.frozen_at)
    orders, lots = verify_decisions(fields["decisions"], rules)
    commitments, unopened = verify_commitments(
        fields["commitments"],
        fields["decisions"],
        rounds,
        rules,
        is_frozen=evening.frozen_at is not None,
    )
    standings = fields["standings"].fields(("tournament", "final", "rows"))
    if standings["tournament"].value != evening.slug:
        raise should_be(standings["tournament"], evening.slug)
    _check_final(standings["final"], evening, rounds)
    verify_standings(fields["standings"], people, rounds, sheets, orders, rules)
    entries = sum(len(sheet.log.entries) for sheet in sheets)
    marks = verify_marks(fields["marks"], fields["commitments"], rounds, evening.frozen_at)
    return VerifiedRecord(
        draws=draws,
        lots=lots,
        sheets=len(sheets),
        entries=entries,
        commitments=commitments,
        marks=marks,
        unchecked=(*unchecked, *unopened),
    )


def _evening(reader: Reader) -> _Evening:
    fields = reader.fields(("slug", "name", "date", "ended_at", "frozen_at", "ruleset"))
    text_of(fields["name"])
    fields["date"].day()
    return _Evening(
        slug=text_of(fields["slug"]),
        rules=_ruleset(fields["ruleset"]),
        ended_at=fields.moment("ended_at"),
        frozen_at=fields.moment("frozen_at"),
    )


def _ruleset(reader: Reader) -> Ruleset:
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    try:
        return Ruleset.from_dict(reader.value)
    except RulesetError as error:
        path = f"{reader.path}.{error.path}" if error.path else reader.path
        raise Contradiction(path, f"This ruleset is not possible: {error.message}.") from None


def _check_final(final: Reader, evening: _Evening, rounds: Sequence[RecordedRound]) -> None:
    """Check whether the standings are said to be final. Those that were frozen earlier may not be it yet."""
    planned = evening.rules.rounds
    all_drawn = len(rounds) == planned if planned else bool(rounds) and len(rounds[-1].tables) == 1
    is_over = all_drawn and all(found.state == "closed" for found in rounds)
    expected = evening.ended_at is not None or is_over
    if final.yes_or_no() != expected and not (evening.frozen_at and expected):
        raise should_be(final, expected)
