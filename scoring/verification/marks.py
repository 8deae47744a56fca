"""Verification of the marks of the rounds: one chain, over the draws and sheets of the record."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from scoring.core.marks import round_digest, round_value
from scoring.verification.contradiction import Contradiction, should_be
from scoring.verification.reading import RecordedAttempt, RecordedRound
from tournaments.core.canonical import canonical
from tournaments.core.ceremony import bare_wish
from tournaments.core.document_reader import Fields, Reader

_KEYS = ("round", "draw", "sheets", "tables", "digest", "made_at")


def verify_marks(
    reader: Reader, commitments: Reader, rounds: Sequence[RecordedRound], frozen_at: datetime | None
) -> int:
    """Return the number of marks. While the standings are frozen, later ones are over more than is in the record."""
    before, found = "", 0
    latest: dict[int, Fields] = {}
    for item in reader.items():
        fields = item.fields(_KEYS)
        number = fields["round"].whole(least=1, most=max(len(rounds), 1))
        if not rounds or rounds[number - 1].state != "closed":
            raise Contradiction(fields["round"].path, "A round has no mark before it is closed.")
        before = round_digest(before, {key: item.value[key] for key in ("round", "draw", "sheets")})
        if fields["digest"].value != before:
            raise should_be(fields["digest"], before)
        if frozen_at is None or fields["made_at"].moment() <= frozen_at:
            latest[number] = fields
        found += 1
    digests = {one.value["number"]: one.value["digest"] for one in commitments.items()}
    for number, mark in latest.items():
        _check(mark, rounds[number - 1], digests)
    if latest and frozen_at is None:
        _check_none_is_missing(reader, rounds, latest)
    return found


def _check(mark: Fields, drawn: RecordedRound, digests: dict[int, str]) -> None:
    """Check the last mark of a round against its draw and sheets."""
    expected = round_value(round_number=drawn.number, draw=None, sheets=_last_digests(drawn))["sheets"]
    if mark["sheets"].value != expected:
        raise should_be(mark["sheets"], expected)
    if any(attempt.seed is None for attempt in drawn.attempts):
        return
    draw = sha256(canonical([_value(one, drawn, digests) for one in drawn.attempts])).hexdigest()
    right = draw if drawn.attempts else None
    if mark["draw"].value != right:
        raise should_be(mark["draw"], right)


def _last_digests(drawn: RecordedRound) -> dict[int, str]:
    logs = {table.number: table.reader.value["entries"] for table in drawn.tables}
    return {number: log[-1]["digest"] for number, log in logs.items() if log}


def _value(attempt: RecordedAttempt, drawn: RecordedRound, digests: dict[int, str]) -> dict[str, Any]:
    """Return what the digest of a draw is over for one attempt."""
    written = attempt.reader.value
    keys = ("attempt", "version", "mode", "seed", "players", "sizes", "history")
    committed = {} if attempt.commitment is None else {"commitment": digests[attempt.commitment]}
    return {
        **{key: written[key] for key in keys},
        **committed,
        "wishes": [bare_wish(wish) for wish in written["wishes"]],
        "changes": [
            {key: value for key, value in change.items() if key != "at"} for change in written["changes"]
        ],
        "abandoned": attempt is not drawn.attempts[-1],
    }


def _check_none_is_missing(
    reader: Reader, rounds: Sequence[RecordedRound], latest: dict[int, Fields]
) -> None:
    """Check that all closed rounds after the first mark have one. Rounds that were imported may have none."""
    for drawn in rounds[min(latest) - 1 :]:
        if drawn.state == "closed" and drawn.number not in latest:
            raise Contradiction(reader.path, f"There is no mark of round {drawn.number}, which is closed.")
