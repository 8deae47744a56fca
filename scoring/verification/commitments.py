"""Verification of the commitments: each is over what it says, and the draws and lots follow from them and from the words of the hall."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.verification.contradiction import Contradiction, should_be
from scoring.verification.reading import RecordedAttempt, RecordedRound, number_or_none
from tournaments.core.ceremony import MOST_WORDS, before_value, commitment_digest, seed_of
from tournaments.core.document_reader import Reader
from tournaments.core.draw import is_seed
from tournaments.rulesets.schema import Ruleset

_KEYS = (
    *("number", "round", "attempt", "digest", "made_at", "words", "words_at", "replaced_at", "secret"),
    "value",
)
_BEFORE_KEYS = ("digest", "secret", "words")
_LOT_KEYS = ("tournament", "number", "lot", "before")
_DRAW_KEYS = (
    *("tournament", "number", "round", "attempt", "version", "mode", "players", "sizes", "history"),
    *("wishes", "before"),
)


@dataclass(frozen=True, slots=True)
class RecordedCommitment:
    """A commitment. round_number, attempt: None for a lot. secret, value: None as long as they are not public."""

    reader: Reader
    number: int
    round_number: int | None
    attempt: int | None
    digest: str
    made_at: datetime
    words: str | None
    words_at: datetime | None
    is_replaced: bool
    secret: str | None
    value: Any


def verify_commitments(
    reader: Reader, decisions: Reader, rounds: Sequence[RecordedRound], rules: Ruleset, *, is_frozen: bool
) -> tuple[int, list[str]]:
    """Return the number of commitments, and which could not be checked, in words."""
    found = list(_read(reader))
    unused = {one.number: one for one in found}
    for drawn in rounds:
        for attempt in drawn.attempts:
            place = attempt.reader.key("commitment")
            if attempt.commitment is not None:
                one = _taken(unused, place, drawn.number)
                _check_draw(one, attempt, is_drawn_ahead=rules.drawn_ahead)
    for item in decisions.items():
        place = item.key("commitment")
        if number_or_none(place) is not None:
            _check_lot(_taken(unused, place, None), item)
    for left in unused.values():
        _check_unused(left, rounds, is_frozen=is_frozen)
    never = "since its secret was never published"
    return len(found), [
        f"commitment {one.number}, {never}" for one in found if one.is_replaced and one.secret is None
    ]


def _read(reader: Reader) -> Iterator[RecordedCommitment]:
    before: RecordedCommitment | None = None
    for number, item in enumerate(reader.items(), start=1):
        fields = item.fields(_KEYS)
        if fields["number"].whole(least=1) != number:
            what = f"It is {fields['number'].value}. It should be {number}: no commitment may be missing from the record."
            raise Contradiction(fields["number"].path, what)
        one = RecordedCommitment(
            reader=item,
            number=number,
            round_number=number_or_none(fields["round"]),
            attempt=number_or_none(fields["attempt"]),
            digest=_hexadecimal(fields["digest"]),
            made_at=fields["made_at"].moment(),
            words=_words(fields["words"]),
            words_at=fields.moment("words_at"),
            is_replaced=fields.moment("replaced_at") is not None,
            secret=None if fields["secret"].is_null else _hexadecimal(fields["secret"]),
            value=fields["value"].value,
        )
        _check(one, before)
        yield one
        before = one


def _hexadecimal(reader: Reader) -> str:
    if not isinstance(reader.value, str) or not is_seed(reader.value) or reader.value != reader.value.lower():
        raise reader.error("seed_bad")
    return reader.value


def _words(reader: Reader) -> str | None:
    return None if reader.is_null else reader.text(most=MOST_WORDS, required=False)


def _check(one: RecordedCommitment, before: RecordedCommitment | None) -> None:
    """Check a commitment by itself and against the one before it."""
    place = one.reader
    if (one.round_number is None) != (one.attempt is None):
        raise should_be(place.key("attempt"), None if one.round_number is None else 1)
    if (one.words is None) != (one.words_at is None):
        raise Contradiction(place.key("words_at").path, "Words and their time should be there together.")
    if one.words_at is not None and one.words_at < one.made_at:
        raise Contradiction(place.key("words_at").path, "The words should not be older than the commitment.")
    if one.secret is None:
        if one.value is not None:
            raise should_be(place.key("value"), None)
        return
    value = place.key("value").fields(_LOT_KEYS if one.round_number is None else _DRAW_KEYS)
    expected = {"number": one.number, "before": _before(value["before"], before)}
    if one.round_number is not None:
        expected |= {"round": one.round_number, "attempt": one.attempt}
    for key, right in expected.items():
        if value[key].value != right:
            raise should_be(value[key], right)
    digest = commitment_digest(one.value, one.secret)
    if one.digest != digest:
        raise should_be(place.key("digest"), digest)


def _before(told: Reader, before: RecordedCommitment | None) -> Any:
    """Return how a commitment has to mention the one before: its secret and words only if they were public then."""
    if before is None or told.is_null:
        return None if before is None else before_value(digest=before.digest, secret=None, words=None)
    fields = told.fields(_BEFORE_KEYS)
    return before_value(
        digest=before.digest,
        secret=None if fields["secret"].is_null else before.secret,
        words=None if fields["words"].is_null else before.words,
    )


def _taken(
    unused: dict[int, RecordedCommitment], place: Reader, round_number: int | None
) -> RecordedCommitment:
    """Return the commitment of a draw or lot, which is used for nothing else."""
    one = unused.pop(place.whole(least=1), None)
    if one is None or one.round_number != round_number or one.is_replaced:
        what = f"It is {place.value}. It should be the number of a commitment to this, used for nothing else."
        raise Contradiction(place.path, what)
    return one


def _check_draw(one: RecordedCommitment, attempt: RecordedAttempt, *, is_drawn_ahead: bool) -> None:
    if one.attempt != attempt.number:
        raise should_be(one.reader.key("attempt"), attempt.number)
    _check_time(one, attempt.made_at)
    if attempt.seed is None:
        if one.secret is not None:
            raise should_be(one.reader.key("secret"), None)
        return
    value = _opened(one)
    history = attempt.reader.key("history").value
    if is_drawn_ahead and isinstance(value["history"], list):
        history = history[: len(value["history"])]
    own = {
        "version": attempt.version,
        "mode": attempt.mode,
        "players": sorted(attempt.players),
        "sizes": list(attempt.sizes),
        "wishes": [wish.to_dict() for wish in attempt.wishes],
        "history": history,
    }
    for wish in own["wishes"]:
        del wish["reason"]
    for key, right in own.items():
        if value[key] != right:
            raise should_be(one.reader.key("value").key(key), right)
    _check_seed(one, attempt.reader.key("seed"))


def _check_lot(one: RecordedCommitment, decision: Reader) -> None:
    _check_time(one, decision.key("at").moment())
    value = _opened(one)
    order = sorted(number.whole(least=1) for number in decision.key("order").items())
    if value["lot"] != order:
        raise should_be(one.reader.key("value").key("lot"), order)
    _check_seed(one, decision.key("seed"))


def _opened(one: RecordedCommitment) -> Any:
    if one.value is None:
        what = "It is null. It should be the secret, as what was drawn from it is public."
        raise Contradiction(one.reader.key("secret").path, what)
    return one.value


def _check_time(one: RecordedCommitment, drawn_at: datetime) -> None:
    place = one.reader.key("words_at")
    if one.words_at is None:
        raise Contradiction(place.path, "It is null. It should be a time, as the draw is made.")
    if one.words_at > drawn_at:
        raise Contradiction(place.path, "The words should not be younger than the draw.")


def _check_seed(one: RecordedCommitment, place: Reader) -> None:
    seed = seed_of(one.secret or "", one.words or "")
    if place.value != seed:
        raise should_be(place, seed)


def _check_unused(one: RecordedCommitment, rounds: Sequence[RecordedRound], *, is_frozen: bool) -> None:
    """Check that a commitment from which nothing was drawn was given up, or waits for its draw or its release.

    While the standings are frozen, a lot that was revoked is not in the record.
    """
    if one.is_replaced:
        return
    if one.round_number is None:
        waits = one.secret is None or is_frozen
    elif one.round_number > len(rounds):
        waits = True
    else:
        waits = one.secret is None and one.attempt == len(rounds[one.round_number - 1].attempts) + 1
    if not waits:
        what = "No draw of the record follows from it. Each attempt should be in the record."
        raise Contradiction(one.reader.path, what)
