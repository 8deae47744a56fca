"""Requests of the phone: reading the body, and the answer for each entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from scoring.core.entries import canonical_id
from scoring.services.sheets import EntryOutcome, Sent
from scoring.text.refusals import message
from tournaments.core.moments import moment_of
from tournaments.core.refusal import Refusal
from tournaments.core.strict_json import UnreadableJson, is_fit, parse
from tournaments.requests import is_from_our_pages
from tournaments.rulesets.schema import LARGEST_TABLE
from tournaments.text.sentences import sentence_maker

LARGEST_EPOCH = 2**31 - 1

say = sentence_maker(__file__, "requests")


@dataclass
class Unfit(Exception):
    """A request that is answered with {"error": sentence} and this status. more: further keys of the answer."""

    status: int
    sentence: str
    more: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Batch:
    """The entries of a request: those fit to be recorded, and outcomes of the others by index."""

    pen_epoch: int
    ids: list[str]
    sent: list[Sent] = field(default_factory=list)
    unfit: dict[int, EntryOutcome] = field(default_factory=dict)

    def in_order(self, outcomes: list[EntryOutcome]) -> list[dict[str, Any]]:
        """Return an answer for each entry, in the order and under the ids in which they were sent."""
        judged = iter(outcomes)
        merged = [self.unfit.get(index) or next(judged) for index in range(len(self.ids))]
        return [_result(sent_id, outcome) for sent_id, outcome in zip(self.ids, merged, strict=True)]


def _result(sent_id: str, outcome: EntryOutcome) -> dict[str, Any]:
    result: dict[str, Any] = {"id": sent_id, "outcome": outcome.outcome}
    if outcome.refusal is None:
        return result
    refusal = outcome.refusal
    return {**result, "reason": message(refusal), "code": refusal.code, "params": refusal.params}


def json_object(request: HttpRequest, keys: set[str]) -> dict[str, Any]:
    """Return the body, a JSON object with exactly these keys that our own page sent. Raises Unfit."""
    if not is_from_our_pages(request):  # JSON needs no CSRF token
        raise Unfit(403, say("foreign_page"))
    if request.content_type != "application/json":
        raise Unfit(415, say("json_only"))
    body = _limited_body(request)
    try:
        value = parse(body)
    except UnreadableJson:
        raise unreadable() from None
    if not isinstance(value, dict) or value.keys() != keys:
        raise unreadable()
    return value


def _limited_body(request: HttpRequest) -> bytes:
    """Return the body. The announced length may be wrong, so the bytes read are limited too."""
    announced = request.headers.get("Content-Length", "")
    too_large = announced.isdecimal() and int(announced[:18]) > settings.PHONE_BODY_BYTES
    body = b"" if too_large else request.read(settings.PHONE_BODY_BYTES + 1)
    if too_large or len(body) > settings.PHONE_BODY_BYTES:
        raise Unfit(413, say("too_large"))
    return body


def batch_of(body: Mapping[str, Any]) -> Batch:
    """Return the entries. Each is checked alone: an invalid one does not stop those after it. Raises Unfit."""
    pen_epoch, listed = whole(body["pen_epoch"], least=0, most=LARGEST_EPOCH), body["entries"]
    if not isinstance(listed, list):
        raise unreadable()
    if len(listed) > settings.MOST_ENTRIES_AT_ONCE:
        raise Unfit(413, say("too_many_entries", most=settings.MOST_ENTRIES_AT_ONCE))
    batch = Batch(pen_epoch, [_sent_id(item) for item in listed])
    for index, item in enumerate(listed):
        made_at = moment_of(item.get("made_at"))
        misfit = "made_at" if made_at is None else _misfit(item)
        if made_at is None or misfit:
            batch.unfit[index] = EntryOutcome(item["id"], "refused", Refusal("bad_entry", field=misfit))
        else:
            batch.sent.append(Sent(canonical_id(item["id"]), item["kind"], item["data"], made_at))
    return batch


def word_of(body: Mapping[str, Any]) -> tuple[int, Sent]:
    """Return how many entries a player has seen, and the entry with their word. Raises Unfit."""
    batch = batch_of({"pen_epoch": body["seen"], "entries": [body["entry"]]})
    if not batch.sent:
        raise unreadable()
    return batch.pen_epoch, batch.sent[0]


def volunteer_of(body: Mapping[str, Any]) -> tuple[int, bool]:
    """Return the seat of a volunteer, and whether the whole table agrees. Raises Unfit."""
    return whole(body["seat_number"], least=1), _yes_or_no(body["agreed"])


def call_of(body: Mapping[str, Any]) -> bool:
    """Return whether the supervisor is called; False if a call is taken back. Raises Unfit."""
    return _yes_or_no(body["called"])


def missing_of(body: Mapping[str, Any]) -> tuple[int, bool]:
    """Return a seat, and whether its player is missing; 0 and False only to ask who is. Raises Unfit."""
    return whole(body["seat_number"], least=0), _yes_or_no(body["missing"])


def whole(value: object, *, least: int, most: int = LARGEST_TABLE) -> int:
    if type(value) is not int or not least <= value <= most:
        raise unreadable()
    return value


def _yes_or_no(value: object) -> bool:
    if type(value) is not bool:
        raise unreadable()
    return value


def _sent_id(item: object) -> str:
    """Return the id under which an entry is answered. Raises Unfit without a valid one."""
    try:
        canonical_id(item.get("id") if isinstance(item, dict) else None)
    except Refusal:
        raise unreadable() from None
    return str(item["id"])  # type: ignore[index]


def _misfit(item: Mapping[str, Any]) -> str:
    """Return the field of an entry that is invalid or cannot be stored; "" if the entry is fit."""
    odd = sorted(item.keys() ^ {"id", "kind", "data", "made_at"})
    if odd:
        return odd[0][:40] if is_fit(odd[0]) else "?"
    if not isinstance(item["kind"], str) or not is_fit(item["kind"]):
        return "kind"
    return "" if is_fit(item["data"]) else "data"


def unreadable() -> Unfit:
    return Unfit(400, say("unreadable"))
